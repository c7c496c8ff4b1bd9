#include "alcedo/evaluation/interval.h"

#include <vector>

#include "alcedo/evaluation/check_labels.h"
#include "alcedo/evaluation/few_images.h"
#include "alcedo/evaluation/mean_precision_resampler.h"
#include "alcedo/evaluation/resample.h"

namespace alcedo {

Interval BootstrapTopOne(std::span<const int> predicted, std::span<const int> labels, int classes,
                         bool over_classes, const BootstrapOptions& options) {
  internal::CheckBootstrap(options);
  internal::CheckPredictions(predicted, labels, classes);
  std::vector<int> right(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) right[i] = predicted[i] == labels[i];
  const internal::ValueResampler resampler(right, labels, classes, over_classes);
  return internal::WithFewImages(
      internal::MiddleOf(internal::Resample(options, resampler), options.level),
      internal::CountValues(right, labels, classes, over_classes), options.level,
      internal::WilsonInterval);
}

Interval BootstrapMap(const MatrixView& scores, const TargetMatrix& targets, ApRule rule,
                      const BootstrapOptions& options) {
  internal::CheckBootstrap(options);
  internal::CheckScores(scores, targets);
  const internal::MeanPrecisionResampler resampler(scores, targets, rule);
  const auto begin = [&] {
    return [&, counts = std::vector<std::int32_t>(),
            scratch = std::vector<internal::CurvePoint>()](Rng& rng) mutable {
      internal::DrawCounts(scores.rows(), rng, counts);
      return resampler.Measure(counts, scratch);
    };
  };
  return internal::MiddleOf(internal::ResampleInRuns(options, begin), options.level);
}

}  // namespace alcedo
