#include "alcedo/evaluation/mean_precision_resampler.h"

#include "alcedo/base/types.h"

namespace alcedo::internal {

void DrawCounts(Index images, Rng& rng, std::vector<std::int32_t>& counts) {
  counts.assign(images, 0);
  for (Index i = 0; i < images; ++i) ++counts[rng.UniformIndex(images)];
}

MeanPrecisionResampler::MeanPrecisionResampler(const MatrixView& scores,
                                               const TargetMatrix& targets, ApRule rule)
    : rule_(rule) {
  for (Index c = 0; c < scores.cols(); ++c) ranked_.push_back(RankImages(scores, targets, c));
}

double MeanPrecisionResampler::Measure(const std::vector<std::int32_t>& counts,
                                       std::vector<CurvePoint>& scratch) const {
  double sum = 0;
  int classes = 0;
  for (const auto& ranked : ranked_) {
    const double precision = WeightedAveragePrecision(ranked, counts.data(), rule_, scratch);
    if (precision < 0) continue;
    sum += precision;
    ++classes;
  }
  return classes == 0 ? 0 : sum / classes;
}

}  // namespace alcedo::internal
