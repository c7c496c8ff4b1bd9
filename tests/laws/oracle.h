// Naive formulas to compare with, in long double. Nothing here knows Encodings, blocks or Eigen's
// solvers: a table of numbers, Gaussian elimination, and one-sided Jacobi rotations.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo::laws {

using Real = long double;
using Reals = std::vector<Real>;

struct Table {
  Index rows = 0, cols = 0;
  Reals values;
  Table() = default;
  Table(Index r, Index c) : rows(r), cols(c), values(r * c, Real{0}) {}
  Real& operator()(Index i, Index j) { return values[i * cols + j]; }
  Real operator()(Index i, Index j) const { return values[i * cols + j]; }
  const Real* Row(Index i) const { return values.data() + i * cols; }
};

inline Real Dot(const Real* a, const Real* b, Index size) {
  Real sum = 0;
  for (Index i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}
inline Real Norm(const Reals& v) { return std::sqrt(Dot(v.data(), v.data(), v.size())); }

inline Table Transposed(const Table& a) {
  Table t(a.cols, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) t(j, i) = a(i, j);
  return t;
}

// A A^T: of the encodings the kernel K, of their transpose the paper's Phi Phi^T.
inline Table Gram(const Table& a) {
  Table g(a.rows, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j <= i; ++j) g(i, j) = g(j, i) = Dot(a.Row(i), a.Row(j), a.cols);
  return g;
}

inline Reals Times(const Table& a, const Reals& x) {
  Reals y(a.rows);
  for (Index i = 0; i < a.rows; ++i) y[i] = Dot(a.Row(i), x.data(), a.cols);
  return y;
}

inline Real Trace(const Table& rows) {
  return Dot(rows.values.data(), rows.values.data(), rows.values.size());
}

// Gaussian elimination with partial pivoting.
inline Reals SolveLinear(Table a, Reals b) {
  const Index n = a.rows;
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (Index j = k; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    std::swap(b[k], b[pivot]);
    for (Index i = k + 1; i < n; ++i) {
      const Real factor = a(i, k) / a(k, k);
      if (factor == 0) continue;
      for (Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (Index k = n - 1; k >= 0; --k) {
    for (Index j = k + 1; j < n; ++j) b[k] -= a(k, j) * b[j];
    b[k] /= a(k, k);
  }
  return b;
}

// Eq. 6 and Eq. 10 as they stand, for lambda > 0.
inline Reals RidgePhi(const Table& rows, Real lambda) {
  const Table columns = Transposed(rows);
  Table a = Gram(columns);
  for (Index i = 0; i < a.rows; ++i) a(i, i) += lambda;
  return SolveLinear(std::move(a), Times(columns, Reals(rows.rows, 1)));
}
inline Reals RidgeWeights(const Table& kernel, Real lambda) {
  Table a = kernel;
  for (Index i = 0; i < a.rows; ++i) a(i, i) += lambda;
  return SolveLinear(std::move(a), Reals(kernel.rows, 1));
}

// A = sum_i sigma_i u_i v_i^T, by rotating the rows of A against each other until they are
// orthogonal: what is left of row i is sigma_i v_i, and the rotations collect the u_i.
struct Svd {
  Table u, v;  // one singular vector per row; rows of v are 0 where sigma is
  Reals sigma;
  Real largest() const { return sigma.empty() ? 0 : *std::max_element(sigma.begin(), sigma.end()); }
};
inline Svd JacobiSvd(const Table& a) {
  if (a.rows > a.cols) {
    Svd t = JacobiSvd(Transposed(a));
    std::swap(t.u, t.v);
    return t;
  }
  const Index n = a.rows;
  Svd s{Table(n, n), a, Reals(n)};
  for (Index i = 0; i < n; ++i) s.u(i, i) = 1;
  const auto rotate = [](Table& t, Index p, Index q, Real c, Real d) {
    for (Index k = 0; k < t.cols; ++k) {
      const Real x = t(p, k), y = t(q, k);
      t(p, k) = c * x - d * y;
      t(q, k) = d * x + c * y;
    }
  };
  const Real tiny = 1e-36L * Trace(a);  // rows this small are the rounding of zeros
  bool again = true;
  for (int sweep = 0; again && sweep < 100; ++sweep) {
    again = false;
    for (Index p = 0; p < n; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const Real* x = s.v.Row(p);
        const Real* y = s.v.Row(q);
        const Real xx = Dot(x, x, a.cols), yy = Dot(y, y, a.cols), xy = Dot(x, y, a.cols);
        if (xx <= tiny || yy <= tiny || std::abs(xy) <= 1e-17L * std::sqrt(xx * yy)) continue;
        again = true;
        const Real zeta = (yy - xx) / (2 * xy);
        const Real t = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const Real c = 1 / std::sqrt(1 + t * t);
        rotate(s.v, p, q, c, c * t);
        rotate(s.u, p, q, c, c * t);
      }
  }
  for (Index i = 0; i < n; ++i) {
    s.sigma[i] = std::sqrt(Dot(s.v.Row(i), s.v.Row(i), a.cols));
    for (Index k = 0; k < a.cols; ++k) s.v(i, k) = s.sigma[i] > 0 ? s.v(i, k) / s.sigma[i] : 0;
  }
  return s;
}

// The pseudo-inverse of A (N x D) times ones, Eq. 4; with power 2 the weights, K^+ 1 = (A A^T)^+ 1.
// Singular values below 1e-12 of the largest are zero: callers make sure none is near that.
inline Reals PseudoInverseOnes(const Svd& svd, int power) {
  const Table& target = power == 1 ? svd.v : svd.u;
  Reals x(target.cols, 0);
  for (Index i = 0; i < static_cast<Index>(svd.sigma.size()); ++i) {
    if (svd.sigma[i] <= 1e-12L * svd.largest()) continue;
    Real ones = 0;
    for (Index n = 0; n < svd.u.cols; ++n) ones += svd.u(i, n);
    const Real weight = ones / (power == 1 ? svd.sigma[i] : svd.sigma[i] * svd.sigma[i]);
    for (Index k = 0; k < target.cols; ++k) x[k] += weight * target(i, k);
  }
  return x;
}

// A random orthogonal matrix is made by mirrors: x - 2 v (v.x) / (v.v) for every row x of a.
inline void Mirror(Table& a, const Reals& v) {
  const Real length = Dot(v.data(), v.data(), v.size());
  for (Index i = 0; i < a.rows; ++i) {
    const Real f = 2 * Dot(a.Row(i), v.data(), a.cols) / length;
    for (Index k = 0; k < a.cols; ++k) a(i, k) -= f * v[k];
  }
}

// ||got - want|| / ||want||, where differences up to `floor` are the rounding of cancelled sums.
// Not a number where got is not, so that no comparison with it holds.
inline double RelativeError(const Vector& got, const Reals& want, Real floor = 0) {
  if (got.size() != static_cast<Index>(want.size())) return std::nan("");
  Real difference = 0;
  for (Index i = 0; i < got.size(); ++i) difference += (got[i] - want[i]) * (got[i] - want[i]);
  difference = std::sqrt(difference);
  if (std::isnan(difference)) return std::nan("");
  if (difference <= floor) return 0;
  return static_cast<double>(difference / Norm(want));
}

}  // namespace alcedo::laws
