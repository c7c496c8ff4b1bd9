// What an experiment found, as data: everything that the report shows, and nothing that it would
// have to compute.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/base/run.h"

namespace alcedo::report {

using Json = nlohmann::ordered_json;

// One number of a table: a method on a dataset. Values are percentages.
struct Cell {
  std::string dataset;     // "flowers", "voc2007", "cub2010", "cub2011", "pets", "folder"
  std::string table;       // "1", "2", "pyramid" as in the paper; "beyond": what it does not have
  std::string encoder;     // "emk", "fv", "vlad", "sv", "soft-bov", ...
  int gaussians = 0;       // Gaussians or codewords; 0 for emk
  std::string descriptor;  // "sift", "color", "fusion"
  std::string method;  // "sum", "sum+p", "gmp", "gmp+p", "democratic", "gamma-democratic+p", ...
  std::string metric;  // of `value`: "top1-classes", "top1-images", "map-voc11"
  double value = 0;    // mean over the seeds
  // 95% interval: over seeds and test images (evaluation/seeds_and_images.h), with one seed over
  // test images only (evaluation/interval.h).
  double low = 0, high = 0;
  std::vector<double> seeds;  // the value of every seed
  std::map<std::string, double>
      other;                    // the same predictions by other metrics, such as "top1-images"
  std::optional<double> paper;  // what the paper prints
  // What was chosen on the validation split (or by cross-validation), per seed a list of the
  // channels' objects: lambda or "relative lambda", power, c, sigma, gamma, validation (the
  // percentage there), edge (names of parameters that were chosen at the edge of what was searched;
  // of a fusion c is its own).
  Json chosen;
  // Solvers that did not reach their accuracy, a phrase each.
  std::vector<std::string> unconverged = {};
};

// Accuracy on the validation split (or by cross-validation) along one parameter, the others at
// their best.
struct Curve {
  std::string dataset, encoder, descriptor, method;
  int gaussians = 0;
  std::string parameter;  // "lambda", "relative lambda", "power", "c", "sigma", "gamma"
  std::string metric;
  struct Point {
    double x = 0, y = 0;
  };
  std::vector<Point> points;       // in increasing x
  std::optional<double> baseline;  // of sum pooling, as a line
};

// Whether a method is better than its baseline, by the rule of report/decisions.h.
enum class Verdict { kUndecided, kAhead, kBehind };

// Two methods on the same test images.
struct Comparison {
  std::string dataset, encoder, descriptor, method, baseline;
  int gaussians = 0;
  std::string metric;
  double difference = 0;     // method - baseline, in points, mean over the seeds
  double low = 0, high = 0;  // as of a cell
  double p = 1;              // two-sided, of the same chance as the interval; with one seed
                             // another test (evaluation/paired.h)
  int seeds = 1;             // that `difference` and the interval are of
  std::vector<double> differences = {};  // with each seed
  double corrected_p = 1;                // by Holm's method, for all comparisons of the dataset
  Verdict verdict = Verdict::kUndecided;
};

// Per class, of one pair of methods.
struct ClassGains {
  std::string dataset, encoder, descriptor, method, baseline;
  int gaussians = 0;
  std::string metric;
  std::vector<std::string> classes;
  std::vector<double> method_values, baseline_values;
};

// Counts; rows are the truth.
struct Confusion {
  std::string dataset, encoder, descriptor, method;
  int gaussians = 0;
  std::vector<std::string> classes;
  std::vector<std::vector<std::int64_t>> counts;
};

// Something that must hold on real images, such as GMP = max for hard BOV.
struct CheckResult {
  std::string dataset;
  std::string what;      // one sentence
  double deviation = 0;  // the largest that was seen
  double tolerance = 0;
  std::int64_t images = 0;
  bool holds = false;
};

struct Timing {
  std::string dataset, stage;
  double seconds = 0;  // of wall-clock time, in all runs that these results come from
  double cpu_seconds = 0;
  std::int64_t images = 0;  // that were looked at; 0 if there is no such number
};

struct DatasetSummary {
  std::string name, title;
  std::int64_t classes = 0, train = 0, validation = 0, test = 0;  // images that could be read
  std::vector<std::string> notes;
  std::vector<Failure> failures;  // images that could not be read
  // For whoever wants to do a test again: the hash of all names and contents of every split
  // ("train", "validation", "test"), and of the test images, in order, the labels
  // (docs/formats.md).
  Json hashes = Json(), labels = Json();
};

// What one method said of the test images that all seeds could read, packed (docs/formats.md).
struct Predictions {
  std::string dataset, table, encoder, descriptor, method;
  int gaussians = 0;
  std::vector<std::string> seeds;  // base64, one for each
};

struct Results {
  std::string version;           // of the program
  std::string commit;            // it was built from; empty: not known
  std::string processor;         // that it ran on
  std::int64_t peak_memory = 0;  // bytes, of all runs that made them; 0: not known
  Json config;                   // all options, as an object of sections
  std::vector<std::uint64_t> seeds;
  bool lite = false;
  bool complete = false;  // all cells that were asked for are there
  std::vector<DatasetSummary> datasets;
  std::vector<Cell> cells;
  std::vector<Curve> curves;
  std::vector<Comparison> comparisons;
  std::vector<ClassGains> gains;
  std::vector<Confusion> confusions;
  std::vector<CheckResult> checks;
  std::vector<Timing> timings;
  std::vector<Predictions> predictions;
};

// results.json, and back: bit for bit the same. Of a file without the verdict of every comparison,
// as older versions wrote it, the comparisons are of one seed, and are decided here.
Json ToJson(const Results& results);
Results ResultsFromJson(const Json& json, const std::string& name);

// One line per cell, with a header.
std::string CellsCsv(const Results& results);

}  // namespace alcedo::report

template <>
struct alcedo::EnumNames<alcedo::report::Verdict> {
  static constexpr std::array<std::pair<alcedo::report::Verdict, std::string_view>, 3> values = {
      {{alcedo::report::Verdict::kUndecided, "undecided"},
       {alcedo::report::Verdict::kAhead, "ahead"},
       {alcedo::report::Verdict::kBehind, "behind"}}};
};
