// Scores (score_kernels.h) in 16-bit integers, twice as fast and two hundred times less exact:
// enough to find the best function of a row, as the few rows in which others come close are looked
// at again.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "alcedo/linalg/score_kernels.h"

namespace alcedo::kernels {

// Coefficients and rows are rounded to multiples of a step that is 1 / kCoarseSteps of their norm.
// No sum of products can then leave 32 bits: it is at most the product of the norms.
constexpr float kCoarseSteps = 32000;

// As ScoreError(). An error of half a step in each of `width` values is at most sqrt(width) / 2
// steps in norm: for both factors sqrt(width) / kCoarseSteps of the product of the norms, and a
// little for the product of the errors.
inline float CoarseError(Index width) {
  const float part = std::sqrt(static_cast<float>(width)) / kCoarseSteps;
  return 1.01F * (part + part * part / 4) + ScoreError(width);
}

struct CoarseFunctions {
  CoarseFunctions() = default;
  explicit CoarseFunctions(const ScoreFunctions& functions);

  std::vector<std::int16_t> panels;  // [panel][pair of columns][function][2]
  std::vector<float> steps;          // padded
};

struct CoarseRows {
  explicit CoarseRows(Index width);

  std::vector<std::int16_t> values;  // [part of kCoarseDepth values][row][kCoarseDepth]
  std::vector<float> steps;
};

// As Scores(), with errors of up to CoarseError(). `work` is overwritten.
void CoarseScores(const ScoreFunctions& functions, const CoarseFunctions& coarse,
                  const ScoreRows& rows, CoarseRows& work, float* out);

}  // namespace alcedo::kernels
