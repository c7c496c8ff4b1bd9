#include "alcedo/evaluation/interval.h"

#include <algorithm>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/evaluation_internal.h"
#include "alcedo/evaluation/resample.h"
#include "alcedo/evaluation/seeded_measures.h"
#include "alcedo/evaluation/seeds_and_images.h"

namespace alcedo {

void Check(const BootstrapOptions& options) {
  Require(options.resamples >= 1, "bootstrap.resamples", ">= 1", options.resamples);
  Require(options.level > 0 && options.level < 1, "bootstrap.level", "in (0, 1)", options.level);
  Require(options.threads >= 1, "threads", ">= 1", options.threads);
}

Interval BootstrapTopOne(std::span<const int> predicted, std::span<const int> labels, int classes,
                         bool over_classes, const BootstrapOptions& options) {
  Check(options);
  internal::CheckPredictions(predicted, labels, classes);
  std::vector<int> right(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) right[i] = predicted[i] == labels[i];
  const internal::ValueResampler resampler(right, labels, classes, over_classes);
  return internal::WithFewImages(
      internal::MiddleOf(internal::Resample(options, resampler), options.level),
      internal::CountValues(right, labels, classes, over_classes), options.level,
      internal::WilsonInterval);
}

std::vector<double> MapOfHalves(const MatrixView& scores, const TargetMatrix& targets, ApRule rule,
                                const BootstrapOptions& options) {
  Check(options);
  internal::CheckScores(scores, targets);
  const internal::MeanPrecisionResampler resampler(scores, targets, rule);
  const auto begin = [&] {
    return [&, counts = std::vector<std::int32_t>(),
            scratch = std::vector<internal::CurvePoint>()](Rng& rng) mutable {
      internal::DrawHalf(scores.rows(), rng, counts);
      return resampler.Measure(counts, scratch);
    };
  };
  return internal::ResampleInRuns(options, begin);
}

Interval BootstrapMap(const MatrixView& scores, const TargetMatrix& targets, ApRule rule,
                      const BootstrapOptions& options) {
  const std::vector<double> halves = MapOfHalves(scores, targets, rule, options);
  const double value = MeanAveragePrecision(scores, targets, rule);
  const Interval interval =
      IntervalOfSeeds(SeededMap(std::span(&value, 1), std::span(&halves, 1)), {}, options.level)
          .interval;
  return {std::max(0.0, interval.low), std::min(1.0, interval.high)};
}

}  // namespace alcedo
