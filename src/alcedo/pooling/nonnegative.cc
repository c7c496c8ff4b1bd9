#include "alcedo/pooling/nonnegative.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"
#include "alcedo/linalg/shifted_solver.h"

namespace alcedo {
namespace {

using Mask = std::vector<char>;

// K restricted to the rows of a mask, on vectors that are zero elsewhere.
class MaskedKernel {
 public:
  MaskedKernel(RowOperator& rows, const Mask& mask) : kernel_(rows), mask_(mask) {}
  Index size() const { return kernel_.size(); }
  void Apply(Index count, const double* p, double* y) {
    kernel_.Apply(count, p, y);
    for (Index i = 0; i < count * size(); ++i) {
      if (!mask_[i % size()]) y[i] = 0;
    }
  }

 private:
  KernelOperator kernel_;
  const Mask& mask_;
};

Mask ActiveRows(const Vector& u) {
  Mask active(u.size());
  for (Index n = 0; n < u.size(); ++n) active[n] = u[n] < 1;
  return active;
}

// The step in [0, 1] that minimises the objective along a + step * d, where du = K d. Its
// derivative is increasing and piecewise linear.
double LineSearch(const Vector& a, const Vector& u, const Vector& d, const Vector& du,
                  double lambda) {
  const double linear = lambda * a.dot(du), quadratic = lambda * d.dot(du);
  const auto derivative = [&](double step) {
    double sum = linear + step * quadratic;
    for (Index n = 0; n < u.size(); ++n) {
      const double slack = 1 - u[n] - step * du[n];
      if (slack > 0) sum -= slack * du[n];
    }
    return sum;
  };
  if (derivative(1) <= 0) return 1;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (derivative(middle) <= 0 ? low : high) = middle;
  }
  return high;
}

// solve_active(mask, a): the GMP weights of the rows of the mask, zero elsewhere; `a` holds a
// start. multiply(a, u): u = K a. diagonal: that of K + lambda I.
template <class SolveActive, class Multiply>
NonNegativeResult Newton(const Vector& diagonal, double lambda, const GmpOptions& options,
                         const SolveActive& solve_active, const Multiply& multiply) {
  const double tolerance = options.tolerance;
  const Index size = diagonal.size();
  NonNegativeResult result;
  result.weights.setZero(size);
  if (size == 0) {
    result.converged = true;
    return result;
  }
  // min(weight, gradient) is 0 at the solution; the diagonal gives both the same unit.
  const auto violation = [&](const Vector& w, const Vector& kw) {
    const Vector gradient = kw + lambda * w - Vector::Ones(size);
    return w.cwiseProduct(diagonal).cwiseMin(gradient).norm() /
           std::sqrt(static_cast<double>(size));
  };
  // The objective is strongly convex with modulus lambda, which bounds the error of the weights.
  const auto reached = [&](const Vector& w, double residual, double share) {
    const double error = residual * std::sqrt(static_cast<double>(size)) / lambda;
    return residual <= share * std::max(tolerance, 1e-12) &&
           error <= share * std::max(options.accuracy, 1e-12) * w.norm();
  };
  Vector a = Vector::Zero(size), u = Vector::Zero(size), next(size), next_u(size);
  Mask active(size, 1);
  while (result.iterations < options.max_iterations) {
    ++result.iterations;
    for (Index n = 0; n < size; ++n) next[n] = active[n] ? a[n] : 0;
    solve_active(active, next);
    multiply(next, next_u);
    if (reached(next, violation(next, next_u), 0.1)) break;
    const bool last_one = result.iterations == options.max_iterations;
    const Vector d = next - a, du = next_u - u;
    const double step = LineSearch(a, u, d, du, lambda);
    a += step * d;
    u += step * du;
    const Mask last = active;
    active = ActiveRows(u);
    if (step == 1 && active == last) break;  // the next step would be this one again
    if (last_one) next = a;  // only the point of the line search is known to be better
  }
  result.weights = next.cwiseMax(0);
  multiply(result.weights, u);
  result.residual = violation(result.weights, u);
  result.converged = reached(result.weights, result.residual, 1);
  return result;
}

}  // namespace

NonNegativeResult SolveNonNegative(const Matrix& kernel, double lambda, const GmpOptions& options) {
  ShiftedSolver direct;
  const auto solve_active = [&](const Mask& active, Vector& a) {
    std::vector<Index> rows;
    for (Index n = 0; n < a.size(); ++n) {
      if (active[n]) rows.push_back(n);
    }
    const Index size = static_cast<Index>(rows.size());
    double* matrix = direct.Reset(size);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j <= i; ++j) matrix[i * size + j] = kernel(rows[i], rows[j]);
    }
    direct.Prepare(lambda, options.rank_tolerance);
    Vector x = Vector::Ones(size);
    direct.Solve(x.data());
    a.setZero();
    for (Index i = 0; i < size; ++i) a[rows[i]] = x[i];
  };
  const Vector diagonal = kernel.diagonal().array() + lambda;
  return Newton(diagonal, lambda, options, solve_active,
                [&](const Vector& a, Vector& u) { u.noalias() = kernel * a; });
}

NonNegativeResult SolveNonNegative(RowOperator& rows, double lambda, const GmpOptions& options) {
  std::vector<double> workspace;
  CgOptions cg;
  cg.tolerance = options.tolerance / 10;  // the outer iteration needs the inner one to be better
  cg.accuracy = options.accuracy / 10;
  const auto solve_active = [&](const Mask& active, Vector& a) {
    Vector right(a.size());
    for (Index n = 0; n < a.size(); ++n) right[n] = active[n] ? 1 : 0;
    MaskedKernel kernel(rows, active);
    SolveCg(kernel, right, lambda, cg, a, workspace);
  };
  KernelOperator kernel(rows);
  Vector diagonal(rows.num_rows());
  rows.SquaredNorms(diagonal.data());
  diagonal.array() += lambda;
  return Newton(diagonal, lambda, options, solve_active,
                [&](const Vector& a, Vector& u) { kernel.Apply(1, a.data(), u.data()); });
}

}  // namespace alcedo
