#include "alcedo/reproduce/judge.h"

#include "alcedo/evaluation/accuracy.h"
#include "alcedo/evaluation/average_precision.h"
#include "alcedo/evaluation/paired.h"
#include "alcedo/evaluation/seeded_measures.h"

namespace alcedo::reproduce {
namespace {

constexpr ApRule kRule = ApRule::kVoc11;

SeededMeasure InPercent(SeededMeasure measure) {
  for (double& value : measure.seeds) value *= 100;
  measure.images *= 1e4;
  measure.both *= 1e4;
  return measure;
}

Interval InPercent(const Interval& interval) { return {100 * interval.low, 100 * interval.high}; }

std::vector<std::vector<int>> Predictions(std::span<const Scored> seeds) {
  std::vector<std::vector<int>> predicted;
  for (const Scored& one : seeds) predicted.push_back(one.predicted);
  return predicted;
}

}  // namespace

Judge::Judge(Truth truth, int threads) : truth_(std::move(truth)) { options_.threads = threads; }

Scored Judge::Score(const Matrix& scores) const {
  Scored scored;
  if (truth_.multi_label) {
    scored.metrics = {
        {"map-voc11", 100 * MeanAveragePrecision(scores, truth_.targets, kRule)},
        {"map-area", 100 * MeanAveragePrecision(scores, truth_.targets, ApRule::kArea)}};
    scored.halves = MapOfHalves(scores, truth_.targets, kRule, options_);
  } else {
    scored.predicted = Predict(scores);
    const TopOne top = TopOneAccuracy(scored.predicted, truth_.labels, truth_.classes);
    scored.metrics = {{"top1-classes", 100 * top.over_classes},
                      {"top1-images", 100 * top.over_images}};
  }
  return scored;
}

std::vector<double> Judge::PerClass(const Matrix& scores) const {
  std::vector<double> values;
  if (truth_.multi_label) {
    const Vector precisions = AveragePrecisions(scores, truth_.targets, kRule);
    values.assign(precisions.begin(), precisions.end());
  } else {
    values = PerClassAccuracy(Predict(scores), truth_.labels, truth_.classes);
  }
  for (double& value : values) value *= 100;
  return values;
}

SeededMeasure Judge::MapMeasure(std::span<const Scored> seeds) const {
  std::vector<double> values;
  std::vector<std::vector<double>> halves;
  for (const Scored& one : seeds) {
    values.push_back(one.metrics.at(MetricOf(true)) / 100);
    halves.push_back(one.halves);
  }
  return SeededMap(values, halves);
}

Judged Judge::Value(std::span<const Scored> seeds) const {
  if (truth_.multi_label) return {InPercent(MapMeasure(seeds)), {}, 1, false};
  Judged judged;
  judged.measure = InPercent(SeededTopOne(Predictions(seeds), truth_.labels, truth_.classes, true));
  if (seeds.size() > 1) return judged;
  judged.interval =
      InPercent(BootstrapTopOne(seeds[0].predicted, truth_.labels, truth_.classes, true, options_));
  judged.exact = true;
  return judged;
}

Judged Judge::Difference(std::span<const Scored> method, std::span<const Scored> baseline) const {
  if (truth_.multi_label) {
    std::vector<Scored> differences(method.begin(), method.end());
    for (std::size_t s = 0; s < differences.size(); ++s) {
      differences[s].metrics.at(MetricOf(true)) -= baseline[s].metrics.at(MetricOf(true));
      for (std::size_t i = 0; i < differences[s].halves.size(); ++i) {
        differences[s].halves[i] -= baseline[s].halves[i];
      }
    }
    return {InPercent(MapMeasure(differences)), {}, 1, false};
  }
  Judged judged;
  judged.measure = InPercent(SeededTopOneDifference(Predictions(method), Predictions(baseline),
                                                    truth_.labels, truth_.classes, true));
  if (method.size() > 1) return judged;
  const PairedComparison c = CompareTopOne(method[0].predicted, baseline[0].predicted,
                                           truth_.labels, truth_.classes, true, options_);
  judged.interval = InPercent(c.interval);
  judged.p = c.p;
  judged.exact = true;
  return judged;
}

void JudgeTogether(std::span<Judged> all, int independent) {
  std::vector<SeededMeasure> measures;
  for (const Judged& judged : all) measures.push_back(judged.measure);
  const SeedSpread spread = PoolSeeds(measures, independent);
  for (Judged& judged : all) {
    if (judged.exact) continue;
    const SeededResult result = IntervalOfSeeds(judged.measure, spread);
    judged.interval = result.interval;
    judged.p = result.p;
  }
}

}  // namespace alcedo::reproduce
