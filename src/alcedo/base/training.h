// What iterative training tells its caller, and how its caller stops it.
#pragma once

#include <functional>

namespace alcedo {

struct TrainingStep {
  int iteration = 0;       // 1 after the first
  int max_iterations = 0;  // at most so many
  double objective = 0;    // mean per sample: log-likelihood, or squared error
  double change = 0;       // relative to the iteration before
};

// Called after every iteration with the model as it is then (what the caller may store to go on
// from later).
template <class Model>
using TrainingObserver = std::function<void(const TrainingStep&, const Model&)>;

struct TrainingReport {
  int iterations = 0;
  double objective = 0;
  bool converged = false;  // the change fell below the tolerance, as opposed to the cap
};

}  // namespace alcedo
