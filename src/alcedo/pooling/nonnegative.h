// Non-negative weights: argmin { 1/2 a^T (K + lambda I) a - 1^T a : a >= 0 }, by Newton's method on
// the equivalent problem without constraints, min 1/2 sum_n max(0, 1 - u_n)^2 + lambda/2 a^T K a
// with u = K a (Chapelle 2007). Each step is GMP on the rows with u_n < 1; an exact line search
// makes the sequence of active sets finite.
#pragma once

#include <functional>

#include "alcedo/base/types.h"
#include "alcedo/linalg/row_operator.h"
#include "alcedo/pooling/gmp.h"

namespace alcedo {

struct NonNegativeResult {
  Vector weights;
  int iterations = 0;
  // ||min(D a, (K + lambda I) a - 1)|| / sqrt(N), with D the diagonal of K + lambda I: zero exactly
  // at the solution.
  double residual = 0;
  bool converged = false;
};

// From the kernel of all rows; both triangles filled. Requires lambda > 0. Of the options,
// tolerance bounds the residual above, accuracy the relative error of the weights that follows
// from it, and max_iterations the Newton steps.
NonNegativeResult SolveNonNegative(const Matrix& kernel, double lambda, const GmpOptions& options);

// Without the kernel: conjugate gradients on the rows. Requires lambda > 0.
NonNegativeResult SolveNonNegative(RowOperator& rows, double lambda, const GmpOptions& options);

}  // namespace alcedo
