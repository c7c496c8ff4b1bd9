#include "alcedo/vocabulary/gaussian_mixture_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "alcedo/base/types.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {

using kernels::kScoreRows;

MixtureTables::MixtureTables(const GaussianMixture& mixture) : mixture_(mixture) {
  CheckGaussianMixture(mixture);
  const Index size = mixture.size(), dimension = mixture.dimension();
  const Matrix variances = mixture.variances.cast<double>();
  inverse_variances_ = variances.cwiseInverse();
  const double log_two_pi = std::log(2 * std::numbers::pi);
  constants_ = mixture.weights.array().log() - variances.array().log().rowwise().sum() / 2 -
               log_two_pi * static_cast<double>(dimension) / 2;
  negligible_range_ = static_cast<float>(std::log(static_cast<double>(size)) + 16);

  // Around the middle of the means and in units of the usual deviation scores are small, and so are
  // their errors.
  center_ = kernels::ColumnMedians(mixture.means);
  scale_.resize(dimension);
  const Index half = kernels::RoundUp(dimension, kernels::kScorePanel);
  Matrix a = Matrix::Zero(size, 2 * half);
  Vector b = mixture.weights.array().log();
  offset_ = -log_two_pi * static_cast<double>(dimension) / 2;
  for (Index j = 0; j < dimension; ++j) {
    const double log_deviation = variances.col(j).array().log().mean() / 2;
    scale_[j] = kernels::InverseScale(std::exp(log_deviation));
    const double scale = scale_[j];
    offset_ += std::log(scale);
    for (Index k = 0; k < size; ++k) {
      const double variance = variances(k, j) * scale * scale;
      const double mean = (static_cast<double>(mixture.means(k, j)) - center_[j]) * scale;
      a(k, j) = mean / variance;
      a(k, half + j) = -1 / (2 * variance);
      b[k] -= std::log(variance) / 2 + mean * mean / (2 * variance);
    }
  }
  functions_ = kernels::ScoreFunctions(a, b);
  coarse_ = kernels::CoarseFunctions(functions_);
}

MixtureTables::Work::Work(const MixtureTables& tables, Precision of_scores)
    : precision(of_scores),
      error_factor(precision == Precision::kCoarse ? kernels::CoarseError(tables.functions_.width)
                                                   : kernels::ScoreError(tables.functions_.width)),
      rows(tables.mixture_.dimension(), true),
      coarse(precision == Precision::kCoarse ? tables.functions_.width : 0),
      scores(kScoreRows * tables.functions_.padded),
      selected(tables.functions_.padded + kernels::kScorePanel),
      values(tables.functions_.padded + kernels::kScorePanel),
      exact(tables.functions_.padded) {}

void MixtureTables::Load(const float* rows, Index count, Index first_row, Work& work) const {
  work.rows.Load(rows, count, center_.data(), scale_.data());
  for (Index r = 0; r < count; ++r) {
    if (Usable(work, r)) continue;
    RequireFinite(rows + r * mixture_.dimension(), 1, mixture_.dimension(), first_row + r, "rows");
  }
  if (work.precision == Precision::kCoarse) {
    kernels::CoarseScores(functions_, coarse_, work.rows, work.coarse, work.scores.data());
  } else {
    kernels::Scores(functions_, work.rows, work.scores.data());
  }
}

void MixtureTables::ExactJoint(const float* row, const std::int32_t* which, Index count,
                               double* out) const {
  kernels::ScaledSquaredDistances(row, mixture_.means.data(), inverse_variances_.data(),
                                  mixture_.dimension(), which, count, out);
  for (Index i = 0; i < count; ++i) out[i] = constants_[which[i]] - out[i] / 2;
}

kernels::SelectedScores MixtureTables::Candidates(Index r, float range, Work& work) const {
  if (!Usable(work, r)) {
    std::iota(work.selected.begin(), work.selected.begin() + mixture_.size(), 0);
    return {mixture_.size(), 0, std::numeric_limits<float>::infinity()};
  }
  const float* scores = work.scores.data() + r * functions_.padded;
  const float error = ErrorFactor(work, r);
  const float lowest = -std::numeric_limits<float>::max();
  const float bound =
      std::max(kernels::LowerBoundOfKth(functions_, scores, error, 1) - range, lowest);
  return kernels::SelectByUpperBound(functions_, scores, error, bound, work.selected.data(),
                                     work.values.data());
}

std::int32_t MixtureTables::MostLikely(const float* row, Index r, Work& work) const {
  if (Usable(work, r)) {
    const auto best = kernels::FindBest(functions_, work.scores.data() + r * functions_.padded,
                                        ErrorFactor(work, r));
    if (best.sure) return best.index;
  }
  const Index count = Candidates(r, 0, work).count;
  ExactJoint(row, work.selected.data(), count, work.exact.data());
  const auto begin = work.exact.begin();
  return work.selected[std::max_element(begin, begin + count) - begin];
}

MixtureTables::Selection MixtureTables::Select(const float* row, Index r, float range,
                                               Work& work) const {
  const auto [count, largest, norm] = Candidates(r, range, work);
  if (ErrorFactor(work, r) * norm <= kJointTolerance) return {count, largest, offset_};
  // In double, and relative to the largest: the values themselves can be beyond float.
  ExactJoint(row, work.selected.data(), count, work.exact.data());
  const double most = *std::max_element(work.exact.begin(), work.exact.begin() + count);
  for (Index i = 0; i < count; ++i) {
    work.values[i] = static_cast<float>(std::max(work.exact[i] - most, -1e30));
  }
  return {count, 0, most};
}

MixtureTables::Posterior MixtureTables::ToPosteriors(const Selection& selection, float threshold,
                                                     Work& work) const {
  float* values = work.values.data();
  const float sum = kernels::ExpDifferences(values, selection.count, selection.largest);
  const double log_likelihood = selection.offset + static_cast<double>(selection.largest) +
                                std::log(static_cast<double>(sum));
  // The largest is 1 before it is divided by the sum.
  const float least = std::min(threshold, 1 / sum);
  const auto [count, kept] =
      kernels::ScaleAndKeep(values, work.selected.data(), selection.count, 1 / sum, least);
  const float factor = 1 / kept;
  for (Index i = 0; i < count; ++i) values[i] *= factor;
  return {count, kept, log_likelihood};
}

}  // namespace alcedo
