// Distances between rows and centres, and sums of rows per centre: what k-means and mixtures do
// beside scores (score_kernels.h). Rows are contiguous float, arithmetic is double unless said
// otherwise.
#pragma once

#include <cstdint>

#include "alcedo/base/index.h"

namespace alcedo::kernels {

// out[i] = |x - c|^2 for the centres c = which[i]: exact but for the rounding of double.
void SquaredDistances(const float* x, const float* centers, Index width, const std::int32_t* which,
                      Index count, double* out);

// out[i] = sum_j (x_j - c_j)^2 f_j for the centres c and the factors f of which[i].
void ScaledSquaredDistances(const float* x, const float* centers, const double* factors,
                            Index width, const std::int32_t* which, Index count, double* out);

// distances[i] = min(distances[i], |row_i - x|^2), in float. Differences come before squares, so
// that equal rows have distance 0.
void LowerDistances(const float* rows, Index count, Index width, const float* x, float* distances);

// Adds every row to the sum of its centre, sums[assigned[i]] += row_i, and its squared distance to
// that centre to the sum that is returned.
double AddToCenters(const float* rows, Index count, Index width, const std::int32_t* assigned,
                    const float* centers, double* sums);

// first += sum_i w_i t_i and second += sum_i w_i t_i^2 with t_i = row_i - center, element by
// element. In float, added to the doubles after every 64 rows at the latest: relative to the sum of
// the magnitudes the error is below 64 x 2^-24, and seldom above 1e-6.
struct WeightedRow {
  std::int32_t row;
  float weight;
};
void AddMoments(const float* rows, Index width, const WeightedRow* entries, Index count,
                const float* center, double* first, double* second);

}  // namespace alcedo::kernels
