// Mean average precision of resampled images. Scores are sorted once; a resample is a count per
// image, and one pass over every class's ranking.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/precision_curve.h"

namespace alcedo::internal {

// How often each of `images` images is drawn, in as many draws.
void DrawCounts(Index images, Rng& rng, std::vector<std::int32_t>& counts);

class MeanPrecisionResampler {
 public:
  // Requires what CheckScores checks.
  MeanPrecisionResampler(const MatrixView& scores, const TargetMatrix& targets, ApRule rule);

  // The mean over the classes that have a positive among the images drawn; 0 where none has.
  double Measure(const std::vector<std::int32_t>& counts, std::vector<CurvePoint>& scratch) const;

 private:
  std::vector<std::vector<RankedImage>> ranked_;  // per class
  ApRule rule_;
};

}  // namespace alcedo::internal
