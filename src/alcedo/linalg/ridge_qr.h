// The ridge regression behind GMP by an orthogonal factorisation of the rows themselves. Their Gram
// and kernel matrices have the squares of the singular values: at a lambda of 1e-12 of the largest
// of them, little that is right is left. The rows still have half of their digits then.
#pragma once

#include "alcedo/base/types.h"
#include "alcedo/linalg/row_operator.h"

namespace alcedo {

struct RidgeQr {
  Vector phi;      // (Phi Phi^T + lambda I)^-1 Phi 1, size D
  Vector weights;  // (Phi^T Phi + lambda I)^-1 1, size N
  // How far rounding errors may have moved each of them: the first-order bound for the exact
  // solution of rows that differ by a few units in the last place of their norm.
  double phi_error = 0;
  double weights_error = 0;
};

// How many bytes SolveRidgeByQr takes.
double RidgeQrBytes(Index num_rows, Index dimension);

// lambda > 0. Factorises (N + D) x N if there are fewer rows than dimensions, else (N + D) x D.
RidgeQr SolveRidgeByQr(const RowOperator& rows, double lambda);

}  // namespace alcedo
