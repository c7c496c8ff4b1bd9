// The inner loops of the encoders. Compiled once per instruction set and chosen at run time.
// Private to this module.
#pragma once

#include <cstdint>

#include "alcedo/base/index.h"

namespace alcedo::encoding {

// Arguments up to this many half turns are taken in float; that is 1.2e4 radians.
inline constexpr float kMostHalfTurns = 4000;

// out[i][j] = scale cos(pi t) with t = values[i][j] + phases[j], for rows x cols values (row
// strides `stride` and `out_stride`). The absolute error, for scale = 1, is below 2.5e-7: in half
// turns the reduction t - round(t) is exact, and what is left is a polynomial of degree 8. If t
// is more than kMostHalfTurns or not a number, out is NaN, and the result false.
bool ScaledCosines(const float* values, Index rows, Index cols, Index stride, const float* phases,
                   float scale, float* out, Index out_stride);

// A Gaussian mixture as the Fisher Vector needs it.
struct FisherView {
  const float* means;           // G x d
  const float* inverse_sigmas;  // G x d
  const float* u_scales;        // G: 1 / sqrt(w_k)
  const float* v_scales;        // G: 1 / sqrt(2 w_k)
  Index dimension;
};

// Rows and the Gaussians that share them: row n has the entries offsets[n] <= e < offsets[n + 1]
// (without offsets the one entry n), entry e the Gaussian gaussians[e] with posterior
// posteriors[e] (without posteriors, 1).
struct FisherEntries {
  const float* rows;
  Index count;
  const Index* offsets;
  const std::int32_t* gaussians;
  const float* posteriors;
};

// The blocks [u v] of all entries, 2 d values each. `out` starts at entry `offsets[0]` (0 without).
void FisherBlocks(const FisherView& mixture, const FisherEntries& entries, float* out);

// Adds q z to `first` and q (z^2 - 1) to `second`, for z = (x - mean) / sigma, over the rows
// `members`, each with its posterior q (without posteriors, 1). d values each.
void AddFisherMoments(const float* rows, Index dimension, const Index* members, Index count,
                      const float* posteriors, const float* mean, const float* inverse_sigma,
                      double* first, double* second);

}  // namespace alcedo::encoding
