// What iterative training tells its caller, and how it is run.
#pragma once

#include <functional>

#include "alcedo/base/ranks.h"

namespace alcedo {

struct TrainingStep {
  int iteration = 0;       // 1 after the first
  int max_iterations = 0;  // at most so many
  double objective = 0;    // mean per sample: log-likelihood, or squared error
  double change = 0;       // relative to the iteration before
};

// Called after every iteration with the model as it is then, which the caller may store to resume
// from later.
template <class Model>
using TrainingObserver = std::function<void(const TrainingStep&, const Model&)>;

struct TrainingReport {
  int iterations = 0;
  double objective = 0;
  bool converged = false;  // the change fell below the tolerance, as opposed to the cap
};

// How a model is fitted, besides samples, options and random numbers.
template <class Model>
struct FitContext {
  int threads = 1;
  TrainingReport* report = nullptr;
  TrainingObserver<Model> observer = nullptr;
  // To resume from an observed model, which takes the place of the start that the fit would make,
  // and the number of its iteration. With an equal generator the end is that of an uninterrupted
  // fit.
  const Model* start = nullptr;
  int start_iteration = 0;
  // Several processes that fit one model together. They must agree on everything but their samples
  // and threads: options, the state of the generator, start. All get the same model and report.
  Ranks ranks = {};
};

}  // namespace alcedo
