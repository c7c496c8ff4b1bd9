// Gram and kernel matrices of float rows, accumulated in double. A float Gram matrix loses the
// small eigenvalues (its error is 6e-8 of the largest one), and at small lambda these are the
// answer.
#pragma once

#include <vector>

#include "alcedo/base/index.h"

namespace alcedo {

// Rows as doubles, a bounded number of them at a time; reused between calls.
using GramScratch = std::vector<double>;

// gram += rows^T rows, width x width, lower triangle.
void AddGram(const float* rows, Index count, Index width, double* gram, GramScratch& scratch);

// kernel = rows rows^T, count x count, lower triangle.
void KernelMatrix(const float* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch);

}  // namespace alcedo
