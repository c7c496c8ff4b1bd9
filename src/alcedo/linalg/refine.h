// Iterative refinement of a direct solution.
#pragma once

#include "alcedo/base/types.h"
#include "alcedo/linalg/cg.h"

namespace alcedo {

struct RefineScratch {
  Vector trial, residual;
};

// Solve, look in the data at what is left of the right side, solve for that. inverse(v) replaces v
// by an approximate solution for the right side v; residual(x, r) gives what x leaves of the right
// side; target(x) the norm of it that is good enough. Starts with r = the right side; ends with the
// best x and what it leaves, whose norm is returned.
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
    // The first solution counts even if it leaves more than there was: residuals are not errors.
    if (step > 0 && !(trial_norm < norm)) break;
    x.swap(scratch.trial);
    r.swap(scratch.residual);
    norm = trial_norm;
    if (norm <= target(x)) break;
  }
  return norm;
}

}  // namespace alcedo
