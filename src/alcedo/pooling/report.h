// What a solver did, in numbers. A solver that stopped early says so here, never by an exception.
#pragma once

#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/index.h"

namespace alcedo {

struct SolveReport {
  // Which solver ran: "cg", "direct", "cg+direct" (some blocks each), "sinkhorn", "newton".
  std::string solver;
  // The lambda of Eq. 5 and the same relative to the mean squared row norm, trace(K) / N. Both 0
  // for solvers without a lambda.
  double lambda = 0;
  double lambda_relative = 0;
  // Iterations; of a problem that was solved block by block, the most of any block.
  int iterations = 0;
  // The true residual ||b - A x|| / ||b||, computed from the data and not from a recurrence.
  double residual = 0;
  // An upper bound of the relative error ||x - x*|| / ||x||; infinity if none is known
  // (lambda = 0). It covers what the solver left undone and the rounding errors of the residual. If
  // rows cancel, what is left of them has an error of 1e-16 of what cancelled, and that much is
  // allowed to a solver that converged.
  double error_bound = 0;
  bool converged = true;
  // If it did not converge: why, as one sentence, and what can be done about it. Empty otherwise.
  std::string reason;
  Hint hint;
};

}  // namespace alcedo
