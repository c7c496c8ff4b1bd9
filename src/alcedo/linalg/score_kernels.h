// Many linear functions of many rows, s_nk = b_k + a_k . x_n: what nearest centres and Gaussian
// mixtures come down to. Rows go through in blocks whose scores stay in cache and are reduced at
// once, so that the N x K matrix is never written to memory.
//
// Scores are float, and their error is bounded: rounding moves the score of row x and function k by
// at most ScoreError(width) |[x 1]| |[a_k b_k]| (the usual bound of a sum of `width` products, by
// Cauchy and Schwarz). A caller decides by that bound if it can, and computes the few cases that
// are nearer than that again in double: so decisions do not depend on rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo::kernels {

constexpr Index kScorePanel = 16;   // functions whose coefficients lie side by side
constexpr Index kScoreDepth = 128;  // values of a row that lie side by side
constexpr Index kScoreRows = 48;    // rows of a block at most; a multiple of every tile's height

// No score of a row and a function whose norms have at most this product overflows.
constexpr float kLargestScore = 1e36F;

constexpr Index RoundUp(Index n, Index to) { return (n + to - 1) / to * to; }

// Also counts the roundings that make x and a_k, and those of the bounds themselves.
constexpr float ScoreError(Index width) { return static_cast<float>(width + 12) * 0x1.02p-24F; }

// The functions, in the order in which the inner loop reads them: panels of kScorePanel functions,
// column by column. The last panel is filled up with functions that are -infinity everywhere.
struct ScoreFunctions {
  ScoreFunctions() = default;
  // a: K x width, b: K. A function that is beyond the range of float (norm above 1e30) becomes 0
  // with an error bound that says that nothing is known.
  ScoreFunctions(const Matrix& a, const Vector& b);

  Index size = 0;    // K
  Index padded = 0;  // K in whole panels
  Index width = 0;   // in whole vectors
  std::vector<float> panels;
  std::vector<float> bias;   // b_k
  std::vector<float> norms;  // |[a_k b_k]|, rounded up; 0 for the filling
  float largest_norm = 0;    // of those inside the range of float
};

// A block of rows: (row_j - center_j) scale_j, and after them their squares if asked for. Scales
// should be powers of two, which round nothing.
struct ScoreRows {
  ScoreRows(Index dimension, bool squares);
  void Load(const float* rows, Index count, const float* center, const float* scale);

  Index dimension;
  Index half;  // where the squares begin: the dimension in whole vectors
  Index width;
  Index count = 0;
  std::vector<float> values;  // [part of kScoreDepth values][row][kScoreDepth]
  std::vector<float> norms;   // |[x 1]| of every row, rounded up; infinite or NaN if x is
};

// out[n * functions.padded + k]: all scores of a block.
void Scores(const ScoreFunctions& functions, const ScoreRows& rows, float* out);

// The per-column medians of finite rows (the upper one if their number is even) and the power of
// two next to 1 / value (1 for zero): a centre and a scale that a few far rows do not move.
std::vector<float> ColumnMedians(const Rows& rows);
float InverseScale(double value);

}  // namespace alcedo::kernels
