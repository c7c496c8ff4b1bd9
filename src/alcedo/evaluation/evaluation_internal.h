// What the measures share: checks, and the precision-recall curve of weighted images. The curve has
// one definition for the plain measure and for resamples, in which an image counts as often as it
// was drawn.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/evaluation/average_precision.h"

namespace alcedo::internal {

// InvalidArgument that names the row, unless all are in [0, classes).
void CheckClasses(std::span<const int> values, int classes, std::string_view what);

// The same for both, and that they are equally many.
void CheckPredictions(std::span<const int> predicted, std::span<const int> labels, int classes);

// The points of the curve that matter: thresholds that add a positive. Between them precision
// falls.
struct CurvePoint {
  std::int64_t positives;  // at or above the threshold
  std::int64_t images;     // the same, with the negatives
};

// The measure of a curve in order of falling scores. Empty is 0.
double AreaOfCurve(const std::vector<CurvePoint>& curve, ApRule rule);

// One class's images in order of falling scores, those that are left out taken out.
struct RankedImage {
  std::int32_t image;
  bool positive;
  bool last_of_tie;  // the next image has a lower score
};
std::vector<RankedImage> RankImages(const MatrixView& scores, const TargetMatrix& targets,
                                    Index column);

// The average precision if image i counts weights[i] times. `scratch` is overwritten. The sign
// of the result tells whether there is a positive: -1 without one.
double WeightedAveragePrecision(const std::vector<RankedImage>& ranked, const std::int32_t* weights,
                                ApRule rule, std::vector<CurvePoint>& scratch);

// InvalidArgument unless shapes agree, targets are -1, 0 or 1, and no score is NaN.
void CheckScores(const MatrixView& scores, const TargetMatrix& targets);

}  // namespace alcedo::internal
