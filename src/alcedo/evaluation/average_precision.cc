#include "alcedo/evaluation/average_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/evaluation_internal.h"

namespace alcedo {
namespace internal {
namespace {

double Precision(const CurvePoint& point) {
  return static_cast<double>(point.positives) / static_cast<double>(point.images);
}

}  // namespace

// Both rules go along the curve from its end, with the best precision seen so far: that is the
// interpolated one.
double AreaOfCurve(const std::vector<CurvePoint>& curve, ApRule rule) {
  if (curve.empty()) return 0;
  const std::int64_t all = curve.back().positives;
  double best = 0, sum = 0;
  int level = 10;  // of the recalls 0, 0.1, ..., 1
  for (std::size_t i = curve.size(); i-- > 0;) {
    best = std::max(best, Precision(curve[i]));
    const std::int64_t before = i > 0 ? curve[i - 1].positives : 0;
    if (rule == ApRule::kArea) {
      sum += best * static_cast<double>(curve[i].positives - before);
    } else {
      // Recalls above the one before, whose best precision is therefore this. In integers: the
      // devkit's 0.3 is not 3 / 10 in floating point.
      for (; level > 0 && level * all > 10 * before; --level) sum += best;
    }
  }
  if (rule == ApRule::kArea) return sum / static_cast<double>(all);
  return (sum + best) / 11;  // recall 0: the best of all
}

std::vector<RankedImage> RankImages(const MatrixView& scores, const TargetMatrix& targets,
                                    Index column) {
  std::vector<RankedImage> ranked;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (targets(i, column) == 0) continue;
    ranked.push_back({static_cast<std::int32_t>(i), targets(i, column) > 0, true});
  }
  std::sort(ranked.begin(), ranked.end(), [&](const RankedImage& a, const RankedImage& b) {
    return scores(a.image, column) > scores(b.image, column);
  });
  for (std::size_t i = 1; i < ranked.size(); ++i) {
    ranked[i - 1].last_of_tie =
        scores(ranked[i - 1].image, column) != scores(ranked[i].image, column);
  }
  return ranked;
}

double WeightedAveragePrecision(const std::vector<RankedImage>& ranked, const std::int32_t* weights,
                                ApRule rule, std::vector<CurvePoint>& scratch) {
  scratch.clear();
  std::int64_t images = 0, positives = 0, on_curve = 0;
  for (const RankedImage& one : ranked) {
    const std::int32_t weight = weights[one.image];
    images += weight;
    positives += one.positive ? weight : 0;
    if (one.last_of_tie && positives > on_curve) {
      scratch.push_back({positives, images});
      on_curve = positives;
    }
  }
  return scratch.empty() ? -1 : AreaOfCurve(scratch, rule);
}

void CheckScores(const MatrixView& scores, const TargetMatrix& targets) {
  if (scores.rows() != targets.rows() || scores.cols() != targets.cols()) {
    throw InvalidArgument(fmt::format("targets must be as many as scores, {} x {}, got {} x {}",
                                      scores.rows(), scores.cols(), targets.rows(),
                                      targets.cols()));
  }
  Require(scores.rows() <= std::numeric_limits<std::int32_t>::max(), "the number of images",
          "below 2^31", static_cast<double>(scores.rows()));
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index c = 0; c < scores.cols(); ++c) {
      if (std::isnan(scores(i, c))) {
        throw InvalidArgument(fmt::format("scores: row {}, column {} is NaN", i, c));
      }
      if (std::abs(int{targets(i, c)}) > 1) {
        throw InvalidArgument(fmt::format("targets must be -1, 0 or 1, got {} in row {}, column {}",
                                          int{targets(i, c)}, i, c));
      }
    }
  }
}

}  // namespace internal

Vector AveragePrecisions(const MatrixView& scores, const TargetMatrix& targets, ApRule rule) {
  internal::CheckScores(scores, targets);
  const std::vector<std::int32_t> once(scores.rows(), 1);
  std::vector<internal::CurvePoint> scratch;
  Vector precisions(scores.cols());
  for (Index c = 0; c < scores.cols(); ++c) {
    precisions[c] =
        std::max(0.0, internal::WeightedAveragePrecision(internal::RankImages(scores, targets, c),
                                                         once.data(), rule, scratch));
  }
  return precisions;
}

double AveragePrecision(std::span<const double> scores, std::span<const std::int8_t> targets,
                        ApRule rule) {
  const Eigen::Map<const EigenMatrix> column(scores.data(), static_cast<Index>(scores.size()), 1);
  const Eigen::Map<const TargetMatrix::Plain> wanted(targets.data(),
                                                     static_cast<Index>(targets.size()), 1);
  return AveragePrecisions(column, wanted, rule)[0];
}

double MeanAveragePrecision(const MatrixView& scores, const TargetMatrix& targets, ApRule rule) {
  const Vector precisions = AveragePrecisions(scores, targets, rule);
  double sum = 0;
  int classes = 0;
  for (Index c = 0; c < scores.cols(); ++c) {
    if (scores.rows() == 0 || targets.col(c).maxCoeff() < 1) continue;
    sum += precisions[c];
    ++classes;
  }
  return classes == 0 ? 0 : sum / classes;
}

}  // namespace alcedo
