#include "alcedo/reproduce/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/evaluation/interval.h"
#include "alcedo/evaluation/paired.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {
namespace {

constexpr const char* kFusion = "fusion";

// One method's scores of the test images, alone or fused.
struct Scored {
  Matrix scores;
  std::vector<int> predicted;  // single-label sets
};

Scored ScoresOf(const SeedOutcome& outcome, std::size_t pair, std::size_t method,
                const std::vector<std::size_t>& rows, bool multi_label) {
  std::vector<Matrix> channels;
  for (const std::size_t r : rows) {
    const Chosen& chosen = outcome.pairs[pair].rows[r].methods[method];
    const double c = rows.size() > 1 ? chosen.fused_c : chosen.trial.c;
    channels.push_back(outcome.test.scores.at({chosen.trial.candidate, c}));
  }
  Scored scored;
  scored.scores = FuseScores(channels);
  if (!multi_label) scored.predicted = Predict(scored.scores);
  return scored;
}

std::map<std::string, double> AllMetrics(const Scored& scored, const Truth& truth) {
  if (truth.multi_label) {
    return {{"map-voc11", 100 * MeanAveragePrecision(scored.scores, truth.targets, ApRule::kVoc11)},
            {"map-area", 100 * MeanAveragePrecision(scored.scores, truth.targets, ApRule::kArea)}};
  }
  const TopOne top = TopOneAccuracy(scored.predicted, truth.labels, truth.classes);
  return {{"top1-classes", 100 * top.over_classes}, {"top1-images", 100 * top.over_images}};
}

// What a cell is compared by, on the test images of one seed.
class Judge {
 public:
  Judge(Truth truth, int threads) : truth_(std::move(truth)) { options_.threads = threads; }

  Interval IntervalOf(const Scored& s) const {
    const Interval interval =
        truth_.multi_label
            ? BootstrapMap(s.scores, truth_.targets, ApRule::kVoc11, options_)
            : BootstrapTopOne(s.predicted, truth_.labels, truth_.classes, true, options_);
    return {100 * interval.low, 100 * interval.high};
  }

  PairedComparison Compare(const Scored& a, const Scored& b) const {
    return truth_.multi_label
               ? CompareMap(a.scores, b.scores, truth_.targets, ApRule::kVoc11, options_)
               : CompareTopOne(a.predicted, b.predicted, truth_.labels, truth_.classes, true,
                               options_);
  }

  std::vector<double> PerClass(const Scored& s) const {
    std::vector<double> values;
    if (truth_.multi_label) {
      const Vector ap = AveragePrecisions(s.scores, truth_.targets, ApRule::kVoc11);
      values.assign(ap.begin(), ap.end());
    } else {
      values = PerClassAccuracy(s.predicted, truth_.labels, truth_.classes);
    }
    for (double& value : values) value *= 100;
    return values;
  }

  const Truth& truth() const { return truth_; }

 private:
  Truth truth_;
  BootstrapOptions options_;
};

// The pairs of methods that are worth a test, the better known one last.
const std::vector<std::pair<std::string, std::string>>& ComparedMethods() {
  static const std::vector<std::pair<std::string, std::string>> pairs{
      {"gmp", "sum"},
      {"gmp", "sum+p"},
      {"gmp+p", "sum+p"},
      {"gmp", "democratic"},
      {"gmp+p", "democratic+p"},
      {"gmp", "gamma-democratic"},
      {"gmp+p", "gamma-democratic+p"},
      {"gmp", "max"}};
  return pairs;
}

const Row& RowOf(const Plan& plan, std::size_t pair, std::size_t r) {
  return plan.rows[static_cast<std::size_t>(plan.groups[pair][r])];
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

  Scored Method(const SeedOutcome& outcome, std::size_t method, bool multi_label) const {
    return ScoresOf(outcome, pair_, method, rows_, multi_label);
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

// Encoder and whether with a pyramid, words, descriptor; then the methods, of the first seed.
using Key = std::tuple<std::string, int, std::string>;
using ScoredMethods = std::map<Key, std::map<std::string, Scored>>;

void AddComparisons(const std::string& dataset, const std::string& metric,
                    const std::vector<std::string>& classes, const Judge& judge,
                    const ScoredMethods& all, report::Results& results) {
  for (const auto& [key, scored] : all) {
    const auto& [encoder, words, descriptor] = key;
    for (const auto& [method, baseline] : ComparedMethods()) {
      if (!scored.contains(method) || !scored.contains(baseline)) continue;
      const PairedComparison c = judge.Compare(scored.at(method), scored.at(baseline));
      results.comparisons.push_back({dataset, encoder, descriptor, method, baseline, words, metric,
                                     100 * c.difference, 100 * c.interval.low,
                                     100 * c.interval.high, c.p});
    }
    // Per class of what is best: of the fusion, if there is one.
    const bool fused = all.contains({encoder, words, kFusion});
    if (descriptor != kFusion && fused) continue;
    if (scored.contains("gmp") && scored.contains("sum")) {
      results.gains.push_back({dataset, encoder, descriptor, "gmp", "sum", words, metric, classes,
                               judge.PerClass(scored.at("gmp")), judge.PerClass(scored.at("sum"))});
    }
  }
}

// The cell of one method, and what its first seed gave.
struct Outcome {
  report::Cell cell;
  Scored first;
};

Outcome MakeOutcome(const Block& block, std::size_t method, const ReadyChoices& choices,
                    const std::vector<SeedOutcome>& seeds, const std::vector<Judge>& judges,
                    const std::string& dataset, const std::string& metric) {
  const Row& row = block.row;
  Outcome outcome;
  report::Cell& cell = outcome.cell;
  cell.dataset = dataset;
  cell.table = row.methods[method].table;
  cell.encoder = row.encoder;
  cell.gaussians = row.words;
  cell.descriptor = block.descriptor;
  cell.method = row.methods[method].name;
  cell.metric = metric;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const Truth& truth = judges[s].truth();
    Scored one = block.Method(seeds[s], method, truth.multi_label);
    auto metrics = AllMetrics(one, truth);
    cell.seeds.push_back(metrics.at(metric));
    cell.value += metrics.at(metric) / static_cast<double>(seeds.size());
    metrics.erase(metric);
    for (const auto& [other, value] : metrics) {
      cell.other[other] += value / static_cast<double>(seeds.size());
    }
    if (s == 0) outcome.first = std::move(one);
  }
  const Interval interval = judges.front().IntervalOf(outcome.first);
  cell.low = std::max(0.0, interval.low + cell.value - cell.seeds.front());
  cell.high = std::min(100.0, interval.high + cell.value - cell.seeds.front());
  cell.paper = report::PaperValue(cell.table, dataset, cell.encoder, cell.gaussians,
                                  cell.descriptor, cell.method);
  cell.chosen = block.Chosen(choices, seeds, method);
  return outcome;
}

// Those of GMP if the gains per class are of GMP too, so that the two speak of the same
// predictions; of several representations the one with the largest value. Without GMP, of the best
// cell.
class BestConfusion {
 public:
  void Offer(const Outcome& outcome, bool with_gains, const Row& row, const Truth& truth,
             const std::vector<std::string>& classes) {
    const std::pair rank(with_gains, outcome.cell.value);
    if (truth.multi_label || (any_ && rank <= rank_)) return;
    rank_ = rank;
    any_ = true;
    const ConfusionCounts counts =
        ConfusionMatrix(outcome.first.predicted, truth.labels, truth.classes);
    const report::Cell& cell = outcome.cell;
    best_ = {cell.dataset,
             RepresentationName(row),
             cell.descriptor,
             cell.method,
             row.words,
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
  std::vector<Judge> judges;
  for (const SeedOutcome& outcome : seeds) {
    judges.emplace_back(TruthOf(dataset, outcome.test.images), threads);
  }
  const ReadyChoices choices(plan);
  BestConfusion confusion;
  ScoredMethods all;
  for (std::size_t pair = 0; pair < plan.groups.size(); ++pair) {
    const bool fused = plan.groups[pair].size() > 1;
    for (const Block& block : BlocksOf(plan, pair)) {
      const Row& row = block.row;
      auto& scored = all[{RepresentationName(row), row.words, block.descriptor}];
      for (std::size_t m = 0; m < row.methods.size(); ++m) {
        Outcome outcome = MakeOutcome(block, m, choices, seeds, judges, name, metric);
        const bool with_gains =
            outcome.cell.method == "gmp" && (block.descriptor == kFusion || !fused);
        confusion.Offer(outcome, with_gains, row, judges.front().truth(), dataset.classes);
        scored.emplace(outcome.cell.method, std::move(outcome.first));
        results.cells.push_back(std::move(outcome.cell));
      }
    }
    for (std::size_t r = 0; r < plan.groups[pair].size(); ++r) {
      AddCurves(name, metric, choices, RowOf(plan, pair, r), seeds.front().pairs[pair].rows[r],
                results);
    }
  }
  AddComparisons(name, metric, dataset.classes, judges.front(), all, results);
  std::move(confusion).AddTo(results);
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
