// Conjugate gradients for (A + shift I) x = b, with A symmetric positive semi-definite and known
// only by its products.
//
// A solver allocates nothing: the caller gives a workspace that can be reused. It ends with the
// true residual, computed from the operator, and says in a report how it went.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// y_k = A p_k for `count` vectors of size() entries that stand one after the other. More than one
// is asked for only to check residuals, and then one pass over the data may serve all.
template <class T>
concept LinearOperator = requires(T op, Index count, const double* p, double* y) {
  { op.size() } -> std::convertible_to<Index>;
  op.Apply(count, p, y);
};

struct CgOptions {
  // Stop when the true residual satisfies both ||b - (A + shift) x|| <= tolerance ||b|| and
  // <= accuracy shift ||x||: since A is semi-definite, the latter bounds the relative error of x.
  double tolerance = 1e-6;
  double accuracy = std::numeric_limits<double>::infinity();
  int max_iterations = 10000;
  // Another solver is waiting: give up, as if max_iterations were reached, once they look too few
  // (cg_internal::Patience). The residual that is then reported is that of the recurrence.
  bool give_up_early = false;
};

struct CgReport {
  enum class Stop { kConverged, kMaxIterations, kStagnated };
  Stop stop = Stop::kConverged;
  int iterations = 0;
  double residual = 0;       // ||b - (A + shift) x|| / ||b||, from the operator
  double residual_norm = 0;  // ||b - (A + shift) x||
  double error_bound = 0;    // residual norm / (shift ||x||); infinity for shift 0
  bool converged() const { return stop == Stop::kConverged; }
};

namespace cg_internal {

using Block = Eigen::Map<EigenVector>;
using ConstBlock = Eigen::Map<const EigenVector>;

// The Euclidean norm; scaled if the plain one under- or overflows.
template <class V>
double Norm(const V& v) {
  const double norm = v.norm();
  return norm > 0 && std::isfinite(norm) ? norm : v.stableNorm();
}

// The residual norm at which x is good enough.
inline double Target(const CgOptions& options, double shift, double b_norm, double x_norm) {
  double target = options.tolerance * b_norm;
  if (shift > 0 && std::isfinite(options.accuracy)) {
    target = std::min(target, options.accuracy * shift * x_norm);
  }
  return target;
}

// Whether max_iterations look too few, if options.give_up_early. Many iterations are judged at
// every eighth of them, by what the last eighth gained. Few are judged after the first one, by the
// classical bound on the rate of convergence with the Rayleigh quotient of b for the largest
// eigenvalue: an eighth of them shows nothing. That bound knows nothing of a few large eigenvalues
// above a tail of small ones, as bursty images have them, and asks for several times too many.
class Patience {
 public:
  // first: the residual norm before any iteration.
  Patience(const CgOptions& options, double first)
      : most_(options.give_up_early ? options.max_iterations : 0),
        step_(most_ / 8),
        last_(std::log(first)) {}

  bool IsOver(int iterations, double shift, double rayleigh_quotient, double now, double target) {
    if (most_ == 0 || !(target > 0) || !(now > target)) return false;
    const double left = std::log(now / target);
    if (step_ < kLeastStep) {
      if (iterations != 1 || !(shift > 0)) return false;
      const double way = last_ - std::log(target) + std::log(2.0);
      const double expected = 0.5 * std::sqrt(1 + rayleigh_quotient / shift) * way;
      // The bound is for the worst spectrum; real ones took about two thirds of it.
      return 0.67 * expected > most_;
    }
    if (iterations % step_ != 0 || iterations >= most_) return false;
    const double gained = last_ - std::log(now);
    last_ = std::log(now);
    // The first eighth is faster than the rest, and the end is faster than the middle.
    if (iterations == step_) return false;
    return left * step_ > kOptimism * std::max(gained, 0.0) * (most_ - iterations);
  }

 private:
  static constexpr int kLeastStep = 4;
  static constexpr double kOptimism = 1.25;
  int most_, step_;
  double last_;  // logarithm of the residual norm when it was judged last
};

inline CgReport Finish(CgReport::Stop stop, int iterations, double residual_norm, double shift,
                       double b_norm, double x_norm) {
  CgReport report;
  report.stop = stop;
  report.iterations = iterations;
  report.residual_norm = residual_norm;
  report.residual = b_norm > 0 ? residual_norm / b_norm : 0;
  report.error_bound = residual_norm == 0        ? 0
                       : shift > 0 && x_norm > 0 ? residual_norm / (shift * x_norm)
                                                 : std::numeric_limits<double>::infinity();
  return report;
}

}  // namespace cg_internal

// Solves (A + shift I) x = b from the x that is given. Each iteration applies A once. For shift = 0
// and x = 0 the limit is the solution of minimum norm, provided b is in the range of A.
template <LinearOperator A>
CgReport SolveCg(A& a, const VectorView& b, double shift, const CgOptions& options, VectorSpan x,
                 std::vector<double>& workspace) {
  using namespace cg_internal;
  const Index n = a.size();
  workspace.resize(std::max<std::size_t>(workspace.size(), 4 * n));
  Block r(workspace.data(), n), p(workspace.data() + n, n), q(workspace.data() + 2 * n, n);
  Block best(workspace.data() + 3 * n, n);
  const double b_norm = Norm(b);
  if (!(b_norm > 0)) {
    x.setZero();
    return {};
  }

  // r = b - (A + shift) x, from the operator.
  const auto true_residual = [&] {
    a.Apply(1, x.data(), q.data());
    r = b - q - shift * x;
    return Norm(r);
  };
  double r_norm = b_norm;
  if ((x.array() != 0).any()) {
    r_norm = true_residual();
  } else {
    r = b;
  }

  int iterations = 0;
  const double first = r_norm;
  Patience patience(options, first);
  double best_norm = std::numeric_limits<double>::infinity();
  best = x;
  while (true) {
    p = r;
    double rr = r_norm * r_norm;
    double target = Target(options, shift, b_norm, Norm(x));
    while (r_norm > target && iterations < options.max_iterations) {
      a.Apply(1, p.data(), q.data());
      const double pp = p.squaredNorm(), pq = p.dot(q);
      const double curvature = pq + shift * pp, quotient = pq / pp;
      if (!(curvature > 0)) break;  // the rest of r is in the null space, or too small to square
      const double step = rr / curvature;
      x += step * p;
      r -= step * (q + shift * p);
      const double rr_next = r.squaredNorm();
      p = r + (rr_next / rr) * p;
      rr = rr_next;
      r_norm = std::sqrt(rr);
      target = Target(options, shift, b_norm, Norm(x));
      ++iterations;
      if (patience.IsOver(iterations, shift, quotient, r_norm, target)) {
        return Finish(CgReport::Stop::kMaxIterations, iterations, r_norm, shift, b_norm, Norm(x));
      }
    }
    // The recurrence drifts from the truth by rounding: believe the operator only. If it
    // disagrees, start again from here; if that no longer helps, this is the limit of the
    // arithmetic, and the best x so far is the answer.
    r_norm = true_residual();
    if (!std::isfinite(r_norm) || r_norm > best_norm) {
      x = best;
      return Finish(CgReport::Stop::kStagnated, iterations,
                    std::isfinite(best_norm) ? best_norm : first, shift, b_norm, Norm(x));
    }
    const double x_norm = Norm(x);
    if (r_norm <= Target(options, shift, b_norm, x_norm)) {
      return Finish(CgReport::Stop::kConverged, iterations, r_norm, shift, b_norm, x_norm);
    }
    if (iterations >= options.max_iterations) {
      return Finish(CgReport::Stop::kMaxIterations, iterations, r_norm, shift, b_norm, x_norm);
    }
    if (!(r_norm < best_norm / 2)) {
      return Finish(CgReport::Stop::kStagnated, iterations, r_norm, shift, b_norm, x_norm);
    }
    best_norm = r_norm;
    best = x;
  }
}

}  // namespace alcedo
