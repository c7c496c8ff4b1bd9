// Conjugate gradients for (A + shift I) x = b with an approximate solver for the same system.
#pragma once

#include <algorithm>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"

namespace alcedo {

// Solves from x = 0. inverse(v) replaces v by an approximate solution for the right side v, and
// must be close to symmetric and positive definite: a Cholesky factor in float is. Ends with the
// true residual, as SolveCg does, but never begins again from it: with a good inverse a handful of
// iterations is enough, and if that is not so, options.max_iterations says when to give up.
template <LinearOperator A, class Inverse>
CgReport SolvePreconditionedCg(A& a, const VectorView& b, double shift, const Inverse& inverse,
                               const CgOptions& options, VectorSpan x,
                               std::vector<double>& workspace) {
  using namespace cg_internal;
  const Index n = a.size();
  workspace.resize(std::max<std::size_t>(workspace.size(), 4 * n));
  Block r(workspace.data(), n), p(workspace.data() + n, n), q(workspace.data() + 2 * n, n);
  Block z(workspace.data() + 3 * n, n);
  x.setZero();
  const double b_norm = Norm(b);
  if (!(b_norm > 0)) return {};
  r = b;
  double r_norm = b_norm, rz = 0;
  int iterations = 0;
  while (iterations < options.max_iterations) {
    z = r;
    inverse(z.data());
    const double rz_next = r.dot(z);
    if (!(rz_next > 0) || !std::isfinite(rz_next)) break;
    if (iterations == 0) {
      p = z;
    } else {
      p = z + (rz_next / rz) * p;
    }
    rz = rz_next;
    a.Apply(1, p.data(), q.data());
    q += shift * p;
    const double curvature = p.dot(q);
    if (!(curvature > 0) || !std::isfinite(curvature)) break;
    const double step = rz / curvature;
    x += step * p;
    r -= step * q;
    ++iterations;
    // Half of what is asked for: the recurrence drifts from the truth by rounding.
    r_norm = Norm(r);
    if (r_norm <= 0.5 * Target(options, shift, b_norm, Norm(x))) break;
  }
  if (iterations != 1) {  // after the first, r is the operator's own
    a.Apply(1, x.data(), q.data());
    r = b - q - shift * x;
    r_norm = Norm(r);
  }
  const double x_norm = Norm(x);
  const bool good = r_norm <= Target(options, shift, b_norm, x_norm);
  const CgReport::Stop stop = good ? CgReport::Stop::kConverged
                              : iterations < options.max_iterations
                                  ? CgReport::Stop::kStagnated
                                  : CgReport::Stop::kMaxIterations;
  return Finish(stop, iterations, r_norm, shift, b_norm, x_norm);
}

}  // namespace alcedo
