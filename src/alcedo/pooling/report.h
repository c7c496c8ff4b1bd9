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
  // An upper bound of the relative error ||x - x*|| / ||x|| that follows from it; infinity if
  // none is known (lambda = 0). It covers what the solver left undone, not the rounding of the sums
  // themselves: if rows of very different size cancel, that is 1e-16 of what cancelled.
  double error_bound = 0;
  bool converged = true;
  // If it did not converge: why, as one sentence, and what can be done about it. Empty otherwise.
  std::string reason;
  Hint hint;
};

}  // namespace alcedo
