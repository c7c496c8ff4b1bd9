// Conjugate gradients in two precisions: iterations in float, corrections in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {

struct RefineScratch {
  Vector trial, residual;
};

// Solve, look in the data at what is left of the right side, solve for that. inverse(v) replaces v
// by an approximate solution for the right side v; residual(x, r) gives what x leaves of the right
// side; target(x) the norm of it that is good enough. Starts with r = the right side; ends with the
// best x and what it leaves, whose norm is returned: x = 0 and r if inverse() gave nothing better.
template <class Inverse, class Residual, class Target>
double Refine(const Inverse& inverse, const Residual& residual, const Target& target, Vector& x,
              Vector& r, RefineScratch& scratch) {
  constexpr int kMaxSteps = 4;
  x.setZero(r.size());
  double norm = cg_internal::Norm(r);
  for (int step = 0; step < kMaxSteps && norm > 0; ++step) {
    scratch.trial = r;
    inverse(scratch.trial);
    scratch.trial += x;
    residual(scratch.trial, scratch.residual);
    const double trial_norm = cg_internal::Norm(scratch.residual);
    // A solution that leaves more than there was is noise, and so is one that is no number: x = 0
    // is better. The first may leave as much, as least squares do if nothing can be explained.
    if (step == 0 ? !(trial_norm <= norm * (1 + 1e-9)) : !(trial_norm < norm)) break;
    x.swap(scratch.trial);
    r.swap(scratch.residual);
    norm = trial_norm;
    if (norm <= target(x)) break;
  }
  return norm;
}

// An operator that can also be applied, faster, in float.
template <class T>
concept MixedOperator =
    LinearOperator<T> && requires(T op, const float* p, float* y) { op.ApplyFloat(p, y); };

struct MixedCgWorkspace {
  std::vector<float> single;
  std::vector<double> doubles;
};

namespace cg_internal {

// Float has seven digits. A residual of this much of the right side is still honest.
inline constexpr double kFloatReduction = 3e-6;
// A round of float iterations that gains less than this is not worth another.
inline constexpr double kLeastGain = 0.1;

// Rounds end when this many iterations brought no smaller residual: float has reached its limit.
inline constexpr int kPatience = 25;
// Shifts and curvatures in this range are safe from over- and underflow in float.
inline bool SafeInFloat(double value) { return value > 1e-20 && value < 1e20; }

struct FloatRound {
  int iterations = 0;
  bool gave_up = false;
};

// One round: d = (A + shift)^-1 r, for r of norm 1, until the residual is `reduction`.
template <MixedOperator A>
FloatRound IterateInFloat(A& a, Index n, float shift, double reduction, int most,
                          const CgOptions& options, bool first, float* d, float* r, float* p,
                          float* q) {
  std::fill_n(d, n, 0.0f);
  std::copy_n(r, n, p);
  float rr = kernels::FloatCurvature(n, r, r).pp, smallest = rr;
  int best = 0;
  FloatRound round;
  Patience patience(options, 1);
  while (std::sqrt(rr) > reduction && round.iterations < most &&
         round.iterations - best < kPatience) {
    a.ApplyFloat(p, q);
    const auto [pp, pq] = kernels::FloatCurvature(n, p, q);
    const float curvature = pq + shift * pp;
    if (!SafeInFloat(curvature)) break;
    const float rr_next = kernels::FloatStep(n, rr / curvature, shift, p, q, d, r);
    if (!std::isfinite(rr_next)) break;
    kernels::FloatDirection(n, rr_next / rr, r, p);
    rr = rr_next;
    ++round.iterations;
    if (rr < smallest) {
      smallest = rr;
      best = round.iterations;
    }
    if (first && patience.IsOver(round.iterations, shift, pq / pp, std::sqrt(rr), reduction)) {
      round.gave_up = true;
      break;
    }
  }
  return round;
}

}  // namespace cg_internal

// Solves (A + shift I) x = b from x = 0 as SolveCg does, to the same tolerances, which are checked
// in double: rounds of float iterations on what is left of b, until double agrees. If float
// gains nothing (badly conditioned, or values outside its range), the rest is done by SolveCg.
template <MixedOperator A>
CgReport SolveMixedCg(A& a, const VectorView& b, double shift, const CgOptions& options,
                      VectorSpan x, MixedCgWorkspace& workspace) {
  using namespace cg_internal;
  const Index n = a.size();
  workspace.single.resize(std::max<std::size_t>(workspace.single.size(), 4 * n));
  workspace.doubles.resize(std::max<std::size_t>(workspace.doubles.size(), 4 * n));
  float* single = workspace.single.data();
  Eigen::Map<Eigen::VectorXf> d(single, n), r_float(single + n, n);
  x.setZero();
  const double b_norm = Norm(b);
  if (!(b_norm > 0)) return {};
  // Without a shift the answer must stay in the range of A, out of which rounding to float would
  // lead.
  if (!SafeInFloat(shift)) return SolveCg(a, b, shift, options, x, workspace.doubles);

  int iterations = 0;
  double r_norm = b_norm;
  r_float = (b / b_norm).cast<float>();
  for (bool first = true; iterations < options.max_iterations; first = false) {
    const double target =
        first ? options.tolerance * b_norm : Target(options, shift, b_norm, Norm(x));
    // A little further than asked for: float only estimates where it is.
    const double reduction = std::max(kFloatReduction, 0.5 * target / r_norm);
    const FloatRound round = IterateInFloat(a, n, static_cast<float>(shift), reduction,
                                            options.max_iterations - iterations, options, first,
                                            single, single + n, single + 2 * n, single + 3 * n);
    iterations += round.iterations;
    if (round.gave_up) {
      return Finish(CgReport::Stop::kMaxIterations, iterations, r_norm, shift, b_norm, Norm(x));
    }
    if (!d.allFinite()) break;
    // The correction, and in double what it leaves.
    Block next(workspace.doubles.data(), n), product(workspace.doubles.data() + n, n);
    next = x + r_norm * d.cast<double>();
    a.Apply(1, next.data(), product.data());
    product = b - product - shift * next;
    const double next_norm = Norm(product);
    if (!(next_norm < r_norm)) break;
    const double gain = next_norm / r_norm;
    x = next;
    r_norm = next_norm;
    if (r_norm <= Target(options, shift, b_norm, Norm(x))) {
      return Finish(CgReport::Stop::kConverged, iterations, r_norm, shift, b_norm, Norm(x));
    }
    if (gain > kLeastGain) break;
    r_float = (product / r_norm).cast<float>();
  }
  CgOptions rest = options;
  rest.max_iterations = std::max(options.max_iterations - iterations, 0);
  CgReport report = SolveCg(a, b, shift, rest, x, workspace.doubles);
  report.iterations += iterations;
  return report;
}

}  // namespace alcedo
