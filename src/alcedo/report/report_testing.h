// Results for tests.
#pragma once

#include <limits>
#include <string>

#include "alcedo/report/paper_tables.h"
#include "alcedo/report/results.h"

namespace alcedo::report {

// Whatever could break out of its place.
inline const std::string kHostile = "<script>\"a'&,|`\n]]>\xFF\xC3*_\x01";

// All of the paper's cells of one dataset, with ours around it: every other one below.
inline Results PaperResults(const std::string& dataset) {
  Results results;
  results.version = "1.2.3";
  results.seeds = {1, 2};
  results.complete = true;
  results.datasets.push_back({dataset, "", 102, 1020, 1020, 6149, {}, {}});
  double step = 0.73;
  for (const PaperCell& paper : PaperCells()) {
    if (paper.dataset != dataset) continue;
    Cell& cell = results.cells.emplace_back();
    cell.dataset = dataset;
    cell.table = paper.table;
    cell.encoder = paper.encoder;
    cell.gaussians = paper.gaussians;
    cell.descriptor = paper.descriptor;
    cell.method = paper.method;
    cell.metric = *PaperMetric(dataset);
    cell.value = paper.value + step;
    cell.low = cell.value - 1.04;
    cell.high = cell.value + 0.96;
    cell.seeds = {cell.value - 0.1, cell.value + 0.1};
    cell.other["top1-images"] = cell.value - 2;
    cell.paper = paper.value;
    cell.chosen = Json::parse(R"([[{"lambda": 10000.0, "power": 0.3, "edge": ["lambda"]}]])");
    step = -step;
  }
  return results;
}

// Every part, every name hostile, numbers that are none.
inline Results HostileResults() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string& h = kHostile;
  Results r;
  r.version = h;
  r.config = {{"section", {{"option", h}}}};
  r.seeds = {std::numeric_limits<std::uint64_t>::max()};
  r.datasets.push_back({h, h, 2, 3, 4, 5, {h}, {{h, h}}, {{h, h}}, h});
  for (const double value : {12.34, kNan, kInfinity, -kInfinity}) {
    for (const std::string& method : {h, std::string("gmp")}) {
      r.cells.push_back({h,
                         h,
                         h,
                         3,
                         h,
                         method,
                         h,
                         value,
                         kNan,
                         kInfinity,
                         {value, 1.0 / 3},
                         {{h, value}},
                         value,
                         Json::array({Json::array({{{"lambda", 1e300}}})}),
                         {h, h}});
    }
  }
  r.curves.push_back({h, h, h, h, 3, "lambda", h, {{1, kNan}, {10, 5}, {kInfinity, 6}}, kNan});
  r.curves.push_back({h, h, h, h, 3, h, h, {{0, 1}, {1, 2}}, 1.5});
  r.comparisons.push_back({h,
                           h,
                           h,
                           h,
                           h,
                           3,
                           h,
                           kNan,
                           -kInfinity,
                           kInfinity,
                           kNan,
                           -7,
                           {kNan, kInfinity},
                           kNan,
                           Verdict::kBehind});
  r.gains.push_back({h, h, h, h, h, 3, h, {h, h}, {1, kNan}, {2, 3}});
  r.confusions.push_back({h, h, h, h, 3, {h, h}, {{1, 2}, {0, 3}}});
  r.checks.push_back({h, h, kNan, kInfinity, -1, false});
  r.timings.push_back({h, h, kNan, kInfinity, 0});
  r.commit = r.processor = h;
  r.predictions.push_back({h, h, h, h, h, 3, {h, h}});
  return r;
}

}  // namespace alcedo::report
