// Conjugate gradients for many shifts in one Krylov space.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"

namespace alcedo {

// The recurrences of one further shift. The residual of every shifted system is a multiple zeta of
// the residual r of the seed system (Jegerlehner 1996); we keep the ratio of successive zetas,
// which does not underflow.
struct CgShift {
  double delta = 0;  // shift minus the seed's
  double ratio = 1;  // zeta_k / zeta_(k-1)
  double zeta = 1;
  bool active = true;
  int iterations = 0;
};

struct ShiftedCgWorkspace {
  std::vector<double> vectors, rest;
  std::vector<CgShift> shifts;
  std::vector<CgReport> reports;
};

// Solves (A + shifts[l] I) x_l = b for every l from x = 0; row l of `x` is the solution. One
// product with A per iteration serves all: the Krylov space does not depend on the shift. The
// smallest shift is the seed; larger ones converge earlier and are left alone from then on.
// Requires shifts >= 0. Reports are in workspace.reports; their iterations count what that shift
// took part in.
template <LinearOperator A>
void SolveShiftedCg(A& a, const VectorView& b, std::span<const double> shifts,
                    const CgOptions& options, Eigen::Map<EigenMatrix> x,
                    ShiftedCgWorkspace& workspace) {
  using namespace cg_internal;
  const Index n = a.size();
  const Index count = static_cast<Index>(shifts.size());
  workspace.reports.assign(count, CgReport{});
  x.setZero();
  const double b_norm = Norm(b);
  if (count == 0 || !(b_norm > 0)) return;

  const Index seed_row = std::min_element(shifts.begin(), shifts.end()) - shifts.begin();
  const double seed = shifts[seed_row];
  workspace.shifts.assign(count, CgShift{});
  for (Index l = 0; l < count; ++l) workspace.shifts[l].delta = shifts[l] - seed;
  // r, q, the seed's direction, one direction per shift.
  workspace.vectors.resize(std::max<std::size_t>(workspace.vectors.size(), (3 + count) * n));
  double* base = workspace.vectors.data();
  Block r(base, n), q(base + n, n), p(base + 2 * n, n);
  const auto direction = [&](Index l) { return Block(base + (3 + l) * n, n); };
  r = b;
  p = b;
  for (Index l = 0; l < count; ++l) direction(l) = b;

  Patience patience(options, b_norm);
  double rr = b_norm * b_norm;
  double last_step = 1, last_beta = 0;
  Index active = count;
  CgReport::Stop end = CgReport::Stop::kMaxIterations;  // of those that do not converge
  for (int k = 0; k < options.max_iterations && active > 0; ++k) {
    a.Apply(1, p.data(), q.data());
    const double pp = p.squaredNorm(), pq = p.dot(q);
    const double curvature = pq + seed * pp, quotient = pq / pp;
    if (!(curvature > 0)) {
      end = CgReport::Stop::kStagnated;
      break;
    }
    const double step = rr / curvature;
    r -= step * (q + seed * p);
    const double rr_next = r.squaredNorm();
    const double beta = rr_next / rr;
    for (Index l = 0; l < count; ++l) {
      CgShift& s = workspace.shifts[l];
      if (!s.active) continue;
      const double inverse = 1 + s.delta * step + step * last_beta / last_step * (1 - s.ratio);
      s.ratio = 1 / inverse;
      s.zeta *= s.ratio;
      auto d = direction(l);
      auto solution = x.row(l).transpose();
      solution += (step * s.ratio) * d;
      d = s.zeta * r + (beta * s.ratio * s.ratio) * d;
      s.iterations = k + 1;
      const double r_norm = std::abs(s.zeta) * std::sqrt(rr_next);
      if (r_norm <= Target(options, shifts[l], b_norm, Norm(solution))) {
        s.active = false;
        --active;
      }
    }
    p = r + beta * p;
    rr = rr_next;
    last_step = step;
    last_beta = beta;
    const double target = Target(options, seed, b_norm, Norm(x.row(seed_row)));
    if (active > 0 && patience.IsOver(k + 1, seed, quotient, std::sqrt(rr), target)) break;
  }

  // True residuals of all, in one pass over the data; the directions are free to hold the products.
  a.Apply(count, x.data(), direction(0).data());
  for (Index l = 0; l < count; ++l) {
    auto solution = x.row(l).transpose();
    double r_norm = (b - direction(l) - shifts[l] * solution).norm();
    if (!std::isfinite(r_norm)) {  // values too far apart for the recurrences: begin again, alone
      solution.setZero();
      r_norm = b_norm;
      workspace.shifts[l].active = false;
    }
    const bool good = r_norm <= Target(options, shifts[l], b_norm, Norm(solution));
    workspace.reports[l] =
        Finish(good ? CgReport::Stop::kConverged : end, workspace.shifts[l].iterations, r_norm,
               shifts[l], b_norm, Norm(solution));
  }
  // If rounding kept a shift from what its recurrence promised, finish it alone.
  for (Index l = 0; l < count; ++l) {
    CgReport& report = workspace.reports[l];
    CgOptions rest = options;
    rest.max_iterations = options.max_iterations - report.iterations;
    if (report.converged() || workspace.shifts[l].active || rest.max_iterations <= 0) continue;
    const int before = report.iterations;
    report = SolveCg(a, b, shifts[l], rest, Block(x.data() + l * n, n), workspace.rest);
    report.iterations += before;
  }
}

}  // namespace alcedo
