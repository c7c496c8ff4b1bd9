// Ridge regression in 113 bits, as the paper writes it: for lambdas so small that long double
// cannot say what is right. Plain loops over a table of numbers.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "oracle.h"

namespace alcedo::laws {

__extension__ typedef __float128 Quad;
using Quads = std::vector<Quad>;

// Gaussian elimination with partial pivoting of the n x n matrix a, for all columns of b (n x m).
inline Quads Eliminate(Quads a, Quads b, Index n, Index m) {
  const auto magnitude = [](Quad x) { return x < 0 ? -x : x; };
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (magnitude(a[i * n + k]) > magnitude(a[pivot * n + k])) pivot = i;
    }
    for (Index j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    for (Index j = 0; j < m; ++j) std::swap(b[k * m + j], b[pivot * m + j]);
    for (Index i = k + 1; i < n; ++i) {
      const Quad factor = a[i * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (Index j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (Index j = 0; j < m; ++j) b[i * m + j] -= factor * b[k * m + j];
    }
  }
  for (Index k = n - 1; k >= 0; --k) {
    for (Index c = 0; c < m; ++c) {
      for (Index j = k + 1; j < n; ++j) b[k * m + c] -= a[k * n + j] * b[j * m + c];
      b[k * m + c] /= a[k * n + k];
    }
  }
  return b;
}

// A A^T + lambda I for the rows of a.
inline Quads ShiftedGram(const Table& a, double lambda) {
  Quads gram(a.rows * a.rows);
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      Quad sum = i == j ? lambda : 0;
      for (Index k = 0; k < a.cols; ++k) sum += static_cast<Quad>(a(i, k)) * a(j, k);
      gram[i * a.rows + j] = gram[j * a.rows + i] = sum;
    }
  }
  return gram;
}

// The norm of (A A^T + lambda I)^-1 is at most this.
inline Real InverseNorm(const Quads& gram, Index size) {
  Quads identity(size * size, 0);
  for (Index i = 0; i < size; ++i) identity[i * size + i] = 1;
  Real squares = 0;
  for (const Quad& x : Eliminate(gram, identity, size, size)) {
    squares += static_cast<Real>(x) * static_cast<Real>(x);
  }
  return std::sqrt(squares);
}

struct QuadRidge {
  Reals phi;      // Eq. 6
  Reals weights;  // Eq. 10
  // Of the rows: by how much more than itself a relative rounding error of the rows may move phi
  // and the weights, to first order.
  double phi_condition = 0;
  double weights_condition = 0;
};

// lambda > 0. phi by Eq. 6 and the weights by Eq. 10: the one computed from the other would cancel.
inline QuadRidge SolveInQuad(const Table& rows, double lambda) {
  const Index n = rows.rows, d = rows.cols;
  const Quads primal = ShiftedGram(Transposed(rows), lambda), dual = ShiftedGram(rows, lambda);
  Quads sum(d, 0);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) sum[j] += rows(i, j);
  }
  const Quads phi = Eliminate(primal, sum, d, 1), weights = Eliminate(dual, Quads(n, 1), n, 1);

  QuadRidge result{Reals(phi.begin(), phi.end()), Reals(weights.begin(), weights.end())};
  // In the smaller space, the smallest eigenvalue is that of the rows.
  const Real inverse = n < d ? InverseNorm(dual, n) : InverseNorm(primal, d);
  const Real trace = Trace(rows), phi_norm = Norm(result.phi), weights_norm = Norm(result.weights);
  if (phi_norm > 0) {
    const Real both = std::hypot(phi_norm, std::sqrt(static_cast<Real>(lambda)) * weights_norm);
    result.phi_condition = static_cast<double>(std::sqrt(trace * inverse) * (1 + both / phi_norm));
  }
  if (weights_norm > 0) {
    result.weights_condition = static_cast<double>(
        trace * inverse +
        (std::sqrt(static_cast<Real>(n)) + std::sqrt(trace) * phi_norm) / (lambda * weights_norm));
  }
  return result;
}

}  // namespace alcedo::laws
