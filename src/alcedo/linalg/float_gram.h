// An approximate solver for (Phi Phi^T + shift I) x = b: the Gram matrix and its Cholesky factors
// in float, which take half the time of double. Rounding hides eigenvalues below 6e-8 of the
// largest, so that a solution is only a step: conjugate gradients correct it in double
// (preconditioned_cg.h).
#pragma once

#include <vector>

#include "alcedo/base/index.h"

namespace alcedo {

// Reused for one matrix after the other: memory is kept.
class FloatGram {
 public:
  // Of contiguous rows, count x width. False if a squared norm is beyond the range of float.
  [[nodiscard]] bool Reset(const float* rows, Index count, Index width);

  // Prepares Solve() for a shift > 0. False if rounding has made the matrix indefinite.
  [[nodiscard]] bool Prepare(double shift);

  // In place, approximately, for the shift prepared last.
  void Solve(double* x);

  // The sum of the squared norms of the rows.
  double trace() const { return trace_; }

 private:
  Index n_ = 0;
  double trace_ = 0;
  std::vector<float> matrix_, factor_, side_;
};

}  // namespace alcedo
