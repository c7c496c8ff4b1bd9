#include "alcedo/reproduce/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/report/decisions.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/reproduce/judge_cells.h"
#include "alcedo/reproduce/predictions.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {
namespace {

constexpr const char* kFusion = "fusion";

// Positions, in every seed's list of test images, of the images that all seeds could read:
// intervals over seeds need the same images for all. Nearly always these are all images.
struct SharedImages {
  std::vector<Index> images;                // of dataset.images
  std::vector<std::vector<Index>> of_seed;  // rows of its scores
};

SharedImages ImagesOfAll(const std::vector<SeedOutcome>& seeds) {
  SharedImages shared;
  shared.images = seeds.front().test.images;
  for (const SeedOutcome& outcome : seeds) {
    std::vector<Index> both;
    std::ranges::set_intersection(shared.images, outcome.test.images, std::back_inserter(both));
    shared.images = std::move(both);
  }
  for (const SeedOutcome& outcome : seeds) {
    std::vector<Index>& rows = shared.of_seed.emplace_back();
    const std::vector<Index>& own = outcome.test.images;
    for (const Index image : shared.images) {
      rows.push_back(std::ranges::lower_bound(own, image) - own.begin());
    }
  }
  return shared;
}

// One method's scores of the images `which`, alone or fused.
Matrix ScoresOf(const SeedOutcome& outcome, std::size_t pair, std::size_t method,
                const std::vector<std::size_t>& rows, const std::vector<Index>& which) {
  std::vector<Matrix> channels;
  for (const std::size_t r : rows) {
    const Chosen& chosen = outcome.pairs[pair].rows[r].methods[method];
    const double c = rows.size() > 1 ? chosen.fused_c : chosen.trial.c;
    channels.push_back(outcome.test.scores.at({chosen.trial.candidate, c}));
  }
  const Matrix all = FuseScores(channels);
  Matrix scores(std::ssize(which), all.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    scores.row(i) = all.row(which[static_cast<std::size_t>(i)]);
  }
  return scores;
}

const Row& RowOf(const Plan& plan, std::size_t pair, std::size_t r) {
  return plan.rows[static_cast<std::size_t>(plan.groups[pair][r])];
}

std::string ImagesText(Index images, const char* part) {
  return fmt::format("{} {} {}", images, part, images == 1 ? "image" : "images");
}

// All that concerns one group of rows and one way to use them: a channel alone, or their fusion.
class Block {
 public:
  Block(const Plan& plan, std::size_t pair, std::string name, std::vector<std::size_t> rows)
      : row(RowOf(plan, pair, 0)),
        descriptor(std::move(name)),
        pair_(pair),
        rows_(std::move(rows)) {}

  const Row& row;  // its first: encoder, words and methods are the same for all
  std::string descriptor;

  Matrix Scores(const SeedOutcome& outcome, std::size_t method,
                const std::vector<Index>& images) const {
    return ScoresOf(outcome, pair_, method, rows_, images);
  }

  // Which solvers did not converge, a sentence each; seeds that say the same say it once.
  std::vector<std::string> Unconverged(const ReadyChoices& choices,
                                       const std::vector<SeedOutcome>& seeds,
                                       std::size_t method) const {
    std::vector<std::string> all;
    const auto add = [&](std::string what) {
      if (std::ranges::find(all, what) == all.end()) all.push_back(std::move(what));
    };
    for (const SeedOutcome& outcome : seeds) {
      for (const std::size_t r : rows_) {
        const reproduce::Chosen& chosen = outcome.pairs[pair_].rows[r].methods[method];
        const Candidate& candidate = chosen.trial.candidate;
        const Coding& coding = choices.coding(candidate);
        // Counted under the coding that has the vectors.
        const std::vector<Coding>& codings = choices.plan().codings;
        const int pooled = PooledAs(coding, candidate.coding);
        const std::pair name(codings[static_cast<std::size_t>(pooled)].name,
                             choices.choice(candidate).name);
        const double c = rows_.size() > 1 ? chosen.fused_c : chosen.trial.c;
        const auto pooling = [&](const UnfinishedCounts& counts, const char* part) {
          const auto found = counts.find(name);
          if (found == counts.end()) return;
          add(fmt::format("{}: {} of {}", coding.descriptor.name(), name.second,
                          ImagesText(found->second, part)));
        };
        pooling(outcome.training_unfinished, "training");
        pooling(outcome.test_unfinished, "test");
        if (!chosen.trial.converged) {
          add(fmt::format("{}: SVMs of the selection", coding.descriptor.name()));
        }
        if (outcome.unfinished_models.contains({candidate, c})) {
          add(fmt::format("{}: SVMs of the test", coding.descriptor.name()));
        }
      }
    }
    return all;
  }

  Json Chosen(const ReadyChoices& choices, const std::vector<SeedOutcome>& seeds,
              std::size_t method) const {
    Json all = Json::array();
    for (const SeedOutcome& outcome : seeds) {
      Json channels = Json::array();
      for (const std::size_t r : rows_) {
        channels.push_back(ChosenJson(choices, RowOf(choices.plan(), pair_, r),
                                      outcome.pairs[pair_].rows[r], method, rows_.size() > 1));
      }
      all.push_back(std::move(channels));
    }
    return all;
  }

 private:
  std::size_t pair_;
  std::vector<std::size_t> rows_;
};

// Every channel, and if there are several their fusion.
std::vector<Block> BlocksOf(const Plan& plan, std::size_t pair) {
  std::vector<Block> blocks;
  std::vector<std::size_t> all;
  for (std::size_t r = 0; r < plan.groups[pair].size(); ++r) {
    blocks.emplace_back(plan, pair, RowOf(plan, pair, r).descriptor, std::vector{r});
    all.push_back(r);
  }
  if (all.size() > 1) blocks.emplace_back(plan, pair, kFusion, all);
  return blocks;
}

// One method of a block.
struct Outcome {
  JudgedCell judged;
  std::vector<double> per_class;    // of the first seed
  std::vector<std::string> packed;  // predictions, of every seed
};

// Representation, words, descriptor; then the methods, with their values per class.
using Key = std::tuple<std::string, int, std::string>;
using PerClass = std::map<Key, std::map<std::string, std::vector<double>>>;

Outcome MakeOutcome(const Block& block, std::size_t method, const ReadyChoices& choices,
                    const std::vector<SeedOutcome>& seeds, const SharedImages& images,
                    const Judge& judge, const std::string& dataset, const std::string& metric) {
  const Row& row = block.row;
  Outcome outcome;
  report::Cell& cell = outcome.judged.cell;
  cell.dataset = dataset;
  cell.table = row.methods[method].table;
  // A pyramid is a table of its own, as in the paper.
  cell.encoder = row.variant == "pyramid" ? row.encoder : RepresentationName(row);
  cell.gaussians = row.words;
  cell.descriptor = block.descriptor;
  cell.method = row.methods[method].name;
  cell.metric = metric;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const Matrix scores = block.Scores(seeds[s], method, images.of_seed[s]);
    outcome.judged.seeds.push_back(judge.Score(scores));
    const std::vector<int>& predicted = outcome.judged.seeds.back().predicted;
    outcome.packed.push_back(judge.truth().multi_label
                                 ? PackedRanks(scores)
                                 : PackedClasses(predicted, judge.truth().classes));
    if (s == 0) outcome.per_class = judge.PerClass(scores);
    for (const auto& [name, value] : outcome.judged.seeds.back().metrics) {
      const double part = value / static_cast<double>(seeds.size());
      (name == metric ? cell.value : cell.other[name]) += part;
      if (name == metric) cell.seeds.push_back(value);
    }
  }
  cell.paper = report::PaperValue(cell.table, dataset, cell.encoder, cell.gaussians,
                                  cell.descriptor, cell.method);
  cell.chosen = block.Chosen(choices, seeds, method);
  cell.unconverged = block.Unconverged(choices, seeds, method);
  return outcome;
}

// Per class, of what is best: of the fusion, if there is one.
void AddGains(const std::string& dataset, const std::string& metric,
              const std::vector<std::string>& classes, const PerClass& all,
              report::Results& results) {
  for (const auto& [key, methods] : all) {
    const auto& [encoder, words, descriptor] = key;
    if (descriptor != kFusion && all.contains({encoder, words, kFusion})) continue;
    if (!methods.contains("gmp") || !methods.contains("sum")) continue;
    results.gains.push_back({dataset, encoder, descriptor, "gmp", "sum", words, metric, classes,
                             methods.at("gmp"), methods.at("sum")});
  }
}

// Those of GMP if the gains per class are of GMP too, so that the two speak of the same
// predictions; of several representations the one with the largest value. Without GMP, of the best
// cell.
class BestConfusion {
 public:
  void Offer(const JudgedCell& judged, bool with_gains, const Truth& truth,
             const std::vector<std::string>& classes) {
    const report::Cell& cell = judged.cell;
    const std::pair rank(with_gains, cell.value);
    if (truth.multi_label || (any_ && rank <= rank_)) return;
    rank_ = rank;
    any_ = true;
    const ConfusionCounts counts =
        ConfusionMatrix(judged.seeds.front().predicted, truth.labels, truth.classes);
    best_ = {cell.dataset,
             RepresentationOf(cell),
             cell.descriptor,
             cell.method,
             cell.gaussians,
             classes,
             {}};
    for (Index i = 0; i < counts.rows(); ++i) {
      best_.counts.emplace_back(counts.row(i).begin(), counts.row(i).end());
    }
  }

  void AddTo(report::Results& results) && {
    if (any_) results.confusions.push_back(std::move(best_));
  }

 private:
  report::Confusion best_;
  bool any_ = false;
  std::pair<bool, double> rank_;
};

}  // namespace

void AddOutcomes(const Plan& plan, const Dataset& dataset, const std::vector<SeedOutcome>& seeds,
                 int threads, report::Results& results) {
  const std::string name(Name(dataset.kind));
  const std::string metric = MetricOf(dataset.multi_label);
  const SharedImages images = ImagesOfAll(seeds);
  const Judge judge(TruthOf(dataset, images.images), threads);
  const ReadyChoices choices(plan);
  BestConfusion confusion;
  PerClass per_class;
  std::vector<JudgedCell> cells;
  for (std::size_t pair = 0; pair < plan.groups.size(); ++pair) {
    const bool fused = plan.groups[pair].size() > 1;
    for (const Block& block : BlocksOf(plan, pair)) {
      for (std::size_t m = 0; m < block.row.methods.size(); ++m) {
        Outcome outcome = MakeOutcome(block, m, choices, seeds, images, judge, name, metric);
        const report::Cell& cell = outcome.judged.cell;
        const bool best = block.descriptor == kFusion || !fused;
        confusion.Offer(outcome.judged, cell.method == "gmp" && best, judge.truth(),
                        dataset.classes);
        // Ranks are large: of sets with several labels those of the fusion alone.
        if (!dataset.multi_label || best) {
          results.predictions.push_back({name, cell.table, cell.encoder, cell.descriptor,
                                         cell.method, cell.gaussians, std::move(outcome.packed)});
        }
        per_class[{RepresentationOf(cell), cell.gaussians, cell.descriptor}].emplace(
            cell.method, std::move(outcome.per_class));
        cells.push_back(std::move(outcome.judged));
      }
    }
    for (std::size_t r = 0; r < plan.groups[pair].size(); ++r) {
      AddCurves(name, metric, choices, RowOf(plan, pair, r), seeds.front().pairs[pair].rows[r],
                results);
    }
  }
  AddJudged(judge, std::move(cells), results);
  AddGains(name, metric, dataset.classes, per_class, results);
  for (report::DatasetSummary& summary : results.datasets) {
    if (summary.name == name) summary.labels = PackedTruth(judge.truth());
  }
  std::move(confusion).AddTo(results);
  report::Decide(results);
}

namespace {

// Between the two poolings of every descriptor.
double Deviation(const ImageVectors& vectors) {
  double worst = 0;
  for (const ChannelVectors& channel : vectors.channels) {
    worst = std::max(worst, (channel.values.row(0) - channel.values.row(1)).cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace

report::CheckResult CheckBovGmpIsMax(const ReadyPlan& ready, const Dataset& dataset,
                                     const Run& run) {
  constexpr std::size_t kImages = 50;
  std::vector<Index> images = ImagesOf(dataset, Split::kTrain);
  const std::size_t step = std::max<std::size_t>(1, images.size() / kImages);
  std::vector<Index> some;
  for (std::size_t i = 0; i < images.size() && some.size() < kImages; i += step) {
    some.push_back(images[i]);
  }
  std::vector<double> deviations(some.size(), -1);
  ParallelFor(static_cast<Index>(some.size()), run.threads, [&](Index i) {
    const auto n = static_cast<std::size_t>(i);
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(some[n])];
    const EncodedFile file = EncodeFile(ready.bov, {image.path.string(), image.name});
    // Failures are counted where vectors are made.
    if (file.failure.empty()) deviations[n] = Deviation(file.vectors);
  });
  report::CheckResult check;
  check.dataset = Name(dataset.kind);
  check.what = "GMP with lambda = 0 equals max pooling for hard BOV";
  check.tolerance = 1e-6;
  for (const double deviation : deviations) {
    if (deviation < 0) continue;
    ++check.images;
    check.deviation = std::max(check.deviation, deviation);
  }
  check.holds = check.images > 0 && check.deviation <= check.tolerance;
  return check;
}

}  // namespace alcedo::reproduce
