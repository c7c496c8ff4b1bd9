#include "alcedo/reproduce/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/report/decisions.h"
#include "alcedo/reproduce/judge_cells.h"
#include "alcedo/reproduce/predictions.h"
#include "alcedo/reproduce/recorded_options.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {
namespace {

using report::Cell;
using report::Results;

// Options that results of one experiment may differ in.
const std::set<std::string, std::less<>> kFreeOptions{"table",     "seed",       "seeds",
                                                      "gaussians", "descriptor", "max_disk"};

// Whether any cell depends on this option. Of some options only part of the tables does.
bool Uses(const Results& results, std::string_view option) {
  const auto any = [&](auto&& holds) { return std::ranges::any_of(results.cells, holds); };
  const auto is_emk = [](const Cell& cell) { return cell.encoder.starts_with("emk"); };
  if (option == "sigmas") return any(is_emk);
  if (option == "emk_lambdas" || option == "lambdas" || option == "relative_lambdas") {
    const bool of_emk = option == "emk_lambdas";
    return any([&](const Cell& c) { return c.method.starts_with("gmp") && is_emk(c) == of_emk; });
  }
  if (option == "gammas") {
    return any([](const Cell& c) { return c.method.starts_with("gamma-democratic"); });
  }
  return true;
}

[[noreturn]] void Refuse(const NamedResults& part, const std::string& why) {
  throw FormatError(part.name, why, {.text = "merge results of one experiment"});
}

void RequireSameExperiment(const NamedResults& first, const NamedResults& part) {
  const Results &a = first.results, &b = part.results;
  if (b.datasets.size() != 1 || b.cells.empty()) Refuse(part, "must be of one dataset");
  const report::DatasetSummary &mine = b.datasets[0], &other = a.datasets[0];
  if (mine.name != other.name || mine.hashes != other.hashes || mine.labels != other.labels) {
    Refuse(part, fmt::format("is of other images than {}", first.name));
  }
  if (b.version != a.version) {
    Refuse(part, fmt::format("is of version {}, and {} of {}", b.version, first.name, a.version));
  }
  const Json options = OptionsJson({});
  for (const auto& [option, unused] : options.items()) {
    const Json value = RecordedOption(b.config, option);
    const Json before = RecordedOption(a.config, option);
    if (kFreeOptions.contains(option) || before == value) continue;
    if (!Uses(a, option) || !Uses(b, option)) continue;
    Refuse(part, fmt::format("has other options than {}: {} is {}, not {}", first.name, option,
                             value.dump(), before.dump()));
  }
}

// What a cell is, whatever its seeds; predictions have the same.
using CellKey = std::tuple<std::string, std::string, int, std::string, std::string>;
CellKey CellKeyOf(const auto& item) {
  return {item.table, item.encoder, item.gaussians, item.descriptor, item.method};
}

std::string CellWords(const Cell& cell) {
  return fmt::format("table {}, {} {}, {}, {}", cell.table, cell.encoder, cell.gaussians,
                     cell.descriptor, cell.method);
}

template <class T>
void Append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// What is of runs and not of cells.
void AddRun(Results& all, Results& part) {
  for (const auto& [option, value] : part.config.items()) {
    if (!Uses(all, option) && Uses(part, option)) all.config[option] = value;
  }
  const bool known = all.peak_memory > 0 && part.peak_memory > 0;
  all.peak_memory = known ? std::max(all.peak_memory, part.peak_memory) : 0;
  all.complete = all.complete && part.complete;
  AddMaker({part.commit, part.processor}, all);
  for (const report::Timing& timing : part.timings) {
    const auto same = std::ranges::find_if(
        all.timings, [&](const report::Timing& t) { return t.stage == timing.stage; });
    if (same == all.timings.end()) {
      all.timings.push_back(timing);
      continue;
    }
    same->seconds += timing.seconds;
    same->cpu_seconds += timing.cpu_seconds;
    same->images += timing.images;
  }
  for (const std::string& note : part.datasets[0].notes) {
    std::vector<std::string>& notes = all.datasets[0].notes;
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  }
  const report::Json &mine = all.config.at("table"), &other = part.config.at("table");
  if (mine != other) {
    all.config["table"] = fmt::format("{} + {}", mine.get<std::string>(), other.get<std::string>());
  }
}

// Results with the same seeds and other cells.
void AddTables(Results& all, NamedResults& part) {
  std::set<CellKey> known;
  for (const Cell& cell : all.cells) known.insert(CellKeyOf(cell));
  for (const Cell& cell : part.results.cells) {
    if (known.contains(CellKeyOf(cell))) {
      Refuse(part, fmt::format("has {} with the same seeds as another file", CellWords(cell)));
    }
  }
  AddRun(all, part.results);
  Append(all.cells, part.results.cells);
  Append(all.curves, part.results.curves);
  Append(all.comparisons, part.results.comparisons);
  Append(all.gains, part.results.gains);
  Append(all.predictions, part.results.predictions);
  // One matrix of confusions is enough: that of the first file.
  if (all.confusions.empty()) Append(all.confusions, part.results.confusions);
}

// Scores of which the highest of every image is the class that was predicted.
Matrix PackedScores(const std::string& packed, const Truth& truth, const NamedResults& part) {
  const std::vector<int> predicted = UnpackedClasses(packed, truth.classes);
  if (predicted.size() != truth.labels.size()) {
    Refuse(part, fmt::format("has predictions of {} images and labels of {}", predicted.size(),
                             truth.labels.size()));
  }
  Matrix scores = Matrix::Zero(std::ssize(predicted), truth.classes);
  for (Index i = 0; i < scores.rows(); ++i) scores(i, predicted[static_cast<std::size_t>(i)]) = 1;
  return scores;
}

// Results with the same cells and other seeds.
class SeedMerger {
 public:
  SeedMerger(const NamedResults& first, int threads)
      : first_(first), judge_(TruthOf(first), threads) {
    for (const Cell& cell : first.results.cells) {
      JudgedCell& judged = cells_.emplace_back();
      judged.cell = cell;
      judged.cell.chosen = report::Json::array();
      judged.cell.seeds.clear();
      judged.cell.other.clear();
      judged.cell.unconverged.clear();
    }
    for (const report::Predictions& p : first.results.predictions) {
      predictions_.push_back(p);
      predictions_.back().seeds.clear();
    }
  }

  void Add(const NamedResults& part) {
    const Results& results = part.results;
    std::map<CellKey, const Cell*> mine;
    for (const Cell& cell : results.cells) mine.emplace(CellKeyOf(cell), &cell);
    std::map<CellKey, const report::Predictions*> packed;
    for (const report::Predictions& p : results.predictions) packed.emplace(CellKeyOf(p), &p);
    if (mine.size() != cells_.size()) {
      Refuse(part,
             fmt::format("has {} cells, and {} has {}", mine.size(), first_.name, cells_.size()));
    }
    for (JudgedCell& judged : cells_) {
      const CellKey key = CellKeyOf(judged.cell);
      if (!mine.contains(key) || !packed.contains(key)) {
        Refuse(part, fmt::format("has no predictions of {}", CellWords(judged.cell)));
      }
      const Cell& cell = *mine.at(key);
      for (const report::Json& chosen : cell.chosen) judged.cell.chosen.push_back(chosen);
      for (const std::string& what : cell.unconverged) {
        std::vector<std::string>& all = judged.cell.unconverged;
        if (std::ranges::find(all, what) == all.end()) all.push_back(what);
      }
      for (const std::string& seed : packed.at(key)->seeds) {
        judged.seeds.push_back(judge_.Score(PackedScores(seed, judge_.truth(), part)));
      }
    }
    for (report::Predictions& p : predictions_) {
      const std::vector<std::string>& more = packed.at(CellKeyOf(p))->seeds;
      p.seeds.insert(p.seeds.end(), more.begin(), more.end());
    }
  }

  // Into results without cells, comparisons and predictions.
  void AddTo(Results& results) && {
    for (JudgedCell& judged : cells_) {
      Cell& cell = judged.cell;
      cell.value = 0;
      const auto count = static_cast<double>(judged.seeds.size());
      for (const Scored& seed : judged.seeds) {
        for (const auto& [name, value] : seed.metrics) {
          (name == cell.metric ? cell.value : cell.other[name]) += value / count;
          if (name == cell.metric) cell.seeds.push_back(value);
        }
      }
    }
    AddJudged(judge_, std::move(cells_), results);
    results.predictions = std::move(predictions_);
  }

 private:
  static Truth TruthOf(const NamedResults& part) {
    const report::DatasetSummary& dataset = part.results.datasets[0];
    if (part.results.cells[0].metric.starts_with("map")) {
      Refuse(part, "is of a dataset with several labels, whose seeds must be run together");
    }
    if (!dataset.labels.is_string()) Refuse(part, "has no labels: it is of an older version");
    Truth truth;
    truth.classes = static_cast<int>(dataset.classes);
    truth.labels = UnpackedClasses(dataset.labels.get<std::string>(), truth.classes);
    return truth;
  }

  const NamedResults& first_;
  Judge judge_;
  std::vector<JudgedCell> cells_;
  std::vector<report::Predictions> predictions_;
};

// As one run has them: by representation, words and descriptor.
void SortComparisons(Results& results) {
  std::ranges::stable_sort(results.comparisons, {}, [](const report::Comparison& c) {
    return std::tie(c.encoder, c.gaussians, c.descriptor);
  });
}

}  // namespace

report::Results MergeResults(std::vector<NamedResults> parts, int threads) {
  Require(!parts.empty(), "merge", "at least one file", 0);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    RequireSameExperiment(*part, *part);
    for (auto before = parts.begin(); before != part; ++before) {
      RequireSameExperiment(*before, *part);
    }
  }
  // By seeds, in their order.
  std::vector<NamedResults> of_seeds;
  bool again = false;  // whether intervals must be made again: over seeds they are of all cells
  for (NamedResults& part : parts) {
    const auto same = std::ranges::find_if(
        of_seeds, [&](const NamedResults& p) { return p.results.seeds == part.results.seeds; });
    if (same == of_seeds.end()) {
      of_seeds.push_back(std::move(part));
    } else {
      AddTables(same->results, part);
      again = again || part.results.seeds.size() > 1;
    }
  }
  std::ranges::stable_sort(of_seeds, {}, [](const NamedResults& p) { return p.results.seeds; });
  if (of_seeds.size() == 1 && !again) {
    SortComparisons(of_seeds[0].results);
    report::Decide(of_seeds[0].results);
    return std::move(of_seeds[0].results);
  }
  SeedMerger merger(of_seeds.front(), threads);
  std::set<std::uint64_t> known;
  std::vector<std::uint64_t> seeds;  // as values are ordered
  for (const NamedResults& part : of_seeds) {
    for (const std::uint64_t seed : part.results.seeds) {
      if (!known.insert(seed).second) Refuse(part, fmt::format("has seed {} again", seed));
      seeds.push_back(seed);
    }
    merger.Add(part);
  }
  Results all = of_seeds.front().results;
  for (std::size_t i = 1; i < of_seeds.size(); ++i) AddRun(all, of_seeds[i].results);
  all.seeds = seeds;
  all.config["seed"] = all.seeds.front();
  all.config["seeds"] = all.seeds.size();
  all.cells.clear();
  all.comparisons.clear();
  std::move(merger).AddTo(all);
  report::Decide(all);
  return all;
}

}  // namespace alcedo::reproduce
