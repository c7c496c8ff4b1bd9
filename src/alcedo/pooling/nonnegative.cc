#include "alcedo/pooling/nonnegative.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/linalg/cg.h"
#include "alcedo/linalg/shifted_solver.h"

namespace alcedo {
namespace {

using Mask = std::vector<char>;
constexpr int kMaxNewtonSteps = 200;

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
// start. multiply(a, u): u = K a.
template <class SolveActive, class Multiply>
NonNegativeResult Newton(Index size, double lambda, double tolerance,
                         const SolveActive& solve_active, const Multiply& multiply) {
  NonNegativeResult result;
  Vector& a = result.weights;
  a.setZero(size);
  if (size == 0) {
    result.converged = true;
    return result;
  }
  Vector u = Vector::Zero(size), next(size), next_u(size);
  Mask active(size, 1);
  while (result.iterations < kMaxNewtonSteps) {
    ++result.iterations;
    next = a;
    for (Index n = 0; n < size; ++n) {
      if (!active[n]) next[n] = 0;
    }
    solve_active(active, next);
    multiply(next, next_u);
    const Vector d = next - a, du = next_u - u;
    const double step = LineSearch(a, u, d, du, lambda);
    a += step * d;
    u += step * du;
    // The weights that belong to these similarities; at the solution they are the ones we have.
    const Vector natural = (Vector::Ones(size) - u).cwiseMax(0) / lambda;
    result.residual = lambda * (natural - a).norm() / std::sqrt(static_cast<double>(size));
    const Mask new_active = ActiveRows(u);
    if (new_active == active || result.residual <= tolerance) {
      a = natural;
      break;
    }
    active = new_active;
  }
  multiply(a, u);
  result.residual =
      a.cwiseMin(u + lambda * a - Vector::Ones(size)).norm() / std::sqrt(static_cast<double>(size));
  result.converged = result.residual <= std::max(10 * tolerance, 1e-12);
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
  return Newton(kernel.rows(), lambda, options.tolerance, solve_active,
                [&](const Vector& a, Vector& u) { u.noalias() = kernel * a; });
}

NonNegativeResult SolveNonNegative(RowOperator& rows, double lambda, const GmpOptions& options) {
  std::vector<double> workspace;
  CgOptions cg;
  cg.tolerance = options.tolerance / 10;  // the outer iteration needs the inner one to be better
  cg.max_iterations = options.max_iterations;
  const auto solve_active = [&](const Mask& active, Vector& a) {
    Vector right(a.size());
    for (Index n = 0; n < a.size(); ++n) right[n] = active[n] ? 1 : 0;
    MaskedKernel kernel(rows, active);
    SolveCg(kernel, right, lambda, cg, a, workspace);
  };
  KernelOperator kernel(rows);
  return Newton(rows.num_rows(), lambda, options.tolerance, solve_active,
                [&](const Vector& a, Vector& u) { kernel.Apply(1, a.data(), u.data()); });
}

}  // namespace alcedo
