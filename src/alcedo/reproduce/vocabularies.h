// The vocabularies of an experiment: learned once, from the images that are not tested on.
#pragma once

#include <cstdint>

#include "alcedo/dataset/dataset.h"
#include "alcedo/base/run.h"
#include "alcedo/reproduce/image_vectors.h"

namespace alcedo {

// Learns what is not yet in run.work / "vocabularies", and makes the plan ready with it. All
// vocabularies of a descriptor are learned from the same samples, so that they share one PCA.
ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run);

}  // namespace alcedo
