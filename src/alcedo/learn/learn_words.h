// The words of a vocabulary from samples, in iterations that survive an interruption.
#pragma once

#include "alcedo/base/sample_source.h"
#include "alcedo/learn/learn.h"
#include "alcedo/learn/learn_work_folder.h"

namespace alcedo::internal {

// Sets words and rotations, and of the training record median_distance, objective, iterations and
// converged. `samples` are projected already.
void LearnWords(const SampleSource& samples, const LearnRun& run, const WorkFolder& folder,
                Vocabulary& vocabulary);

}  // namespace alcedo::internal
