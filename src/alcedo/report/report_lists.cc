#include "alcedo/report/report_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "alcedo/config/field_json.h"
#include "alcedo/report/methods.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

using enum List::Column::Kind;

std::string ImagesText(std::int64_t images) {
  return images > 0 ? Thousands(images) : std::string(kNoNumber);
}

// If datasets chose in different ways, each with its own.
std::string ChosenNote(const Results& results) {
  std::vector<std::string> datasets;
  std::vector<std::string> ways;
  for (const Cell& cell : results.cells) {
    if (std::ranges::find(datasets, cell.dataset) != datasets.end()) continue;
    datasets.push_back(cell.dataset);
    ways.push_back(ChosenHow(results, cell.dataset));
  }
  std::string text = "Chosen";
  if (std::ranges::adjacent_find(ways, std::not_equal_to()) == ways.end()) {
    text += ways.empty() ? "" : fmt::format(" {}", ways[0]);
  } else {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      text += fmt::format("{} {} ({})", i == 0 ? "" : ",", ways[i], TitleOf(results, datasets[i]));
    }
  }
  return text +
         "; validation is the accuracy there. Semicolons separate seeds that chose differently, a "
         "plus joins the channels of a fusion, and an exclamation mark stands at the edge of what "
         "was searched.";
}

constexpr std::size_t kShown = 10;

struct Confused {
  std::size_t truth = 0, predicted = 0;
  std::int64_t count = 0, of = 0;
  double share() const { return static_cast<double>(count) / static_cast<double>(of); }
};

// By share and not by count: classes differ in size.
std::vector<Confused> MostConfused(const Confusion& confusion) {
  std::vector<Confused> pairs;
  const std::size_t n = std::min(confusion.classes.size(), confusion.counts.size());
  for (std::size_t r = 0; r < n; ++r) {
    const auto& row = confusion.counts[r];
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    for (std::size_t c = 0; c < std::min(n, row.size()); ++c) {
      if (r != c && row[c] > 0 && sum > 0) pairs.push_back({r, c, row[c], sum});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.share() > b.share(); });
  pairs.resize(std::min(pairs.size(), kShown));
  return pairs;
}

}  // namespace

void DropColumnOfOneValue(List& list, std::size_t column) {
  for (const auto& row : list.rows) {
    if (row[column] != list.rows[0][column]) return;
  }
  const auto offset = static_cast<std::ptrdiff_t>(column);
  list.columns.erase(list.columns.begin() + offset);
  for (auto& row : list.rows) row.erase(row.begin() + offset);
}

List ComparisonsList(const Results& results) {
  List list{"Comparisons",
            ComparisonsNote(results),
            {{"Dataset"},
             {"Encoder"},
             {"Descriptor"},
             {"Method"},
             {"Against"},
             {"Difference", kNumber},
             {"95% interval", kNumber},
             {"p", kNumber},
             {"Corrected p", kNumber},
             {"Seeds", kNumber},
             {"Verdict"}},
            {},
            {}};
  for (const Comparison& c : results.comparisons) {
    list.rows.push_back(
        {TitleOf(results, c.dataset), EncoderName(c.encoder, c.gaussians),
         DescriptorName(c.descriptor), MethodName(c.method), MethodName(c.baseline),
         Signed(c.difference), fmt::format("{} to {}", Signed(c.low), Signed(c.high)), PValue(c.p),
         PValue(c.corrected_p), fmt::format("{}", c.seeds), std::string(Name(c.verdict))});
  }
  DropColumnOfOneValue(list, 9);  // seeds: nearly always as many everywhere
  DropColumnOfOneValue(list, 0);
  return list;
}

List ChecksList(const Results& results) {
  List list{"Checks",
            "What must hold on real images, and the largest deviation that was seen.",
            {{"Dataset"},
             {"What", kSentence},
             {"Images", kNumber},
             {"Deviation", kNumber},
             {"Tolerance", kNumber},
             {"Holds"}},
            {},
            {}};
  for (const CheckResult& check : results.checks) {
    if (!check.holds) list.alarming.push_back(list.rows.size());
    list.rows.push_back({TitleOf(results, check.dataset), check.what, ImagesText(check.images),
                         Short(check.deviation), Short(check.tolerance),
                         check.holds ? "yes" : "NO"});
  }
  DropColumnOfOneValue(list, 0);
  return list;
}

List ChosenList(const Results& results) {
  List list{"Chosen parameters",
            ChosenNote(results),
            {{"Dataset"}, {"Encoder"}, {"Descriptor"}, {"Method"}},
            {},
            {}};
  std::vector<std::vector<ChosenParameter>> all;
  for (const TableLayout& table : LayOutTables(results)) {
    for (const TableRow& row : table.rows) {
      for (const Cell* cell : row.cells) {
        if (cell == nullptr || cell->table != table.table) continue;
        std::vector<ChosenParameter> chosen = Chosen(*cell);
        if (chosen.empty()) continue;
        list.rows.push_back({TitleOf(results, cell->dataset),
                             EncoderName(cell->encoder, cell->gaussians) +
                                 (cell->table == "pyramid" ? ", pyramid" : ""),
                             DescriptorName(cell->descriptor), MethodName(cell->method)});
        all.push_back(std::move(chosen));
      }
    }
  }
  // A column for whatever any cell chose.
  for (const std::string_view name : kChosenParameters) {
    std::vector<std::string> column;
    for (const auto& chosen : all) {
      const auto found = std::find_if(chosen.begin(), chosen.end(),
                                      [&](const auto& one) { return one.name == name; });
      column.push_back(found == chosen.end() ? "" : found->values);
    }
    if (std::all_of(column.begin(), column.end(), [](const auto& text) { return text.empty(); })) {
      continue;
    }
    list.columns.push_back({std::string(name), kChoices});
    for (std::size_t i = 0; i < column.size(); ++i) list.rows[i].push_back(column[i]);
  }
  DropColumnOfOneValue(list, 0);
  return list;
}

List UnconvergedList(const Results& results) {
  List list{"Not converged",
            fmt::format("{} marks numbers behind which a solver stopped before it reached its "
                        "accuracy: they may be the solver's and not the method's.",
                        kUnconvergedMark),
            {{"Dataset"}, {"Encoder"}, {"Descriptor"}, {"Method"}, {"Solver", kSentence}},
            {},
            {}};
  for (const Cell& cell : results.cells) {
    for (const std::string& what : cell.unconverged) {
      list.rows.push_back({TitleOf(results, cell.dataset),
                           EncoderName(cell.encoder, cell.gaussians),
                           DescriptorName(cell.descriptor), MethodName(cell.method), what});
    }
  }
  return list;
}

std::string MadeBy(const Results& results) {
  if (results.version.empty()) return "";
  std::string text = "Alcedo " + results.version;
  if (!results.commit.empty()) text += ", commit " + results.commit;
  if (!results.processor.empty()) text += ", on " + results.processor;
  if (results.peak_memory > 0) {
    text += fmt::format(", at most {:.1f} GiB of memory",
                        static_cast<double>(results.peak_memory) / std::pow(2.0, 30));
  }
  return text + ".";
}

List TimingsList(const Results& results) {
  List list{"Timings",
            "Of all runs in the work folder that made what is in this report; what a run that was "
            "killed did in its last stage is not in it.",
            {{"Dataset"},
             {"Stage", kSentence},
             {"Time", kNumber},
             {"Processor time", kNumber},
             {"Images", kNumber},
             {"Processor time per image", kNumber}},
            {},
            {}};
  for (const Timing& timing : results.timings) {
    const bool per_image = timing.images > 0 && timing.cpu_seconds > 0;
    const double each =
        per_image ? 1000 * timing.cpu_seconds / static_cast<double>(timing.images) : 0;
    list.rows.push_back({TitleOf(results, timing.dataset), timing.stage, Span(timing.seconds),
                         Span(timing.cpu_seconds), ImagesText(timing.images),
                         per_image ? Short(each) + " ms" : std::string(kNoNumber)});
  }
  DropColumnOfOneValue(list, 0);
  return list;
}

List DatasetsList(const Results& results) {
  List list{"Datasets",
            "",
            {{"Dataset"},
             {"Classes", kNumber},
             {"Training images", kNumber},
             {"Validation images", kNumber},
             {"Test images", kNumber}},
            {},
            {}};
  for (const DatasetSummary& dataset : results.datasets) {
    list.rows.push_back({TitleOf(results, dataset.name), Thousands(dataset.classes),
                         Thousands(dataset.train), Thousands(dataset.validation),
                         Thousands(dataset.test)});
  }
  return list;
}

List FailuresList(const Results& results) {
  List list{"Images that could not be read",
            "",
            {{"Dataset"}, {"Image", kSentence}, {"Reason", kSentence}},
            {},
            {}};
  for (const DatasetSummary& dataset : results.datasets) {
    for (const Failure& failure : dataset.failures) {
      list.rows.push_back({TitleOf(results, dataset.name), failure.name, failure.reason});
    }
  }
  DropColumnOfOneValue(list, 0);
  return list;
}

std::string SeedsText(const Results& results) {
  return fmt::format("{}", fmt::join(results.seeds, ", "));
}

std::string ConfigText(const Results& results) {
  if (results.config.is_null() || results.config.empty()) return "";
  return Dump(results.config, 2);
}

List ConfusedList(const Results& results) {
  using enum List::Column::Kind;
  List list{"Most often confused",
            "",
            {{"Dataset"},
             {"Encoder"},
             {"Descriptor"},
             {"Method"},
             {"Truth"},
             {"Taken for"},
             {"Images", kNumber},
             {"Share", kNumber}},
            {},
            {}};
  for (const Confusion& confusion : results.confusions) {
    for (const Confused& pair : MostConfused(confusion)) {
      list.rows.push_back(
          {TitleOf(results, confusion.dataset), EncoderName(confusion.encoder, confusion.gaussians),
           DescriptorName(confusion.descriptor), MethodName(confusion.method),
           confusion.classes[pair.truth], confusion.classes[pair.predicted],
           fmt::format("{} of {}", pair.count, pair.of), Percent(100 * pair.share()) + "%"});
    }
  }
  // If there is one confusion its figure says which.
  for (std::size_t column = 4; column-- > 0;) DropColumnOfOneValue(list, column);
  return list;
}

}  // namespace alcedo::report
