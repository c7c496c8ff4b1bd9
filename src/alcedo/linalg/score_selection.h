// What is done with the scores of one row (score_kernels.h) while they are in cache: the best
// function, all that come near it, their exponentials.
#pragma once

#include <cstdint>

#include "alcedo/base/index.h"
#include "alcedo/linalg/score_kernels.h"

namespace alcedo::kernels {

// The function of the largest upper bound s_k + error norm_k of one row's scores, and whether it is
// for sure the one of the largest score: no other upper bound reaches its lower bound s_k - error
// norm_k. `error` is ScoreError times the norm of the row.
struct BestScore {
  std::int32_t index;
  bool sure;
};
BestScore FindBest(const ScoreFunctions& functions, const float* scores, float error);

// A lower bound of the k-th largest score, or -infinity: at least k functions reach it for sure.
// Found by the 16 largest values of as many classes of functions: so it is the largest lower bound
// s_k - error norm_k for k = 1, near the k-th largest for k up to 8 or so, and lower and lower,
// which makes nothing wrong, for a larger k.
float LowerBoundOfKth(const ScoreFunctions& functions, const float* scores, float error, Index k);

// The functions whose upper bound s_k + error norm_k is at least `bound`, in order, and their
// scores. Both arrays have room for functions.padded + kScorePanel.
struct SelectedScores {
  Index count;
  float largest;       // score
  float largest_norm;  // of the functions
};
SelectedScores SelectByUpperBound(const ScoreFunctions& functions, const float* scores, float error,
                                  float bound, std::int32_t* selected, float* values);

// values[i] = exp(values[i] - subtract) for values that are at most about `subtract`; returns their
// sum. `values` has room for `count` rounded up to 16.
float ExpDifferences(float* values, Index count, float subtract);

// Multiplies by `factor` and keeps, in order and in place, what is then at least `least`, together
// with its name. Both arrays have room for `count` rounded up to 16.
struct Kept {
  Index count;
  float sum;
};
Kept ScaleAndKeep(float* values, std::int32_t* names, Index count, float factor, float least);

}  // namespace alcedo::kernels
