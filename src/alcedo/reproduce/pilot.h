// Sigma of EMK, chosen on a part of the training images before all of them are encoded with it:
// every sigma costs more than all Fisher Vectors together. A quarter as many random features show
// the same kernel, only less exactly, at a twentieth of the time.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/dataset/dataset.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {

// About so many images, evenly spaced in their classes, and so many random features.
inline constexpr int kPilotImages = 1000;
inline constexpr int kPilotFeatures = 512;

// What a pilot found for one row of the plan: nothing for rows with one coding.
struct PilotResult {
  std::vector<int> codings;   // the best for each family of poolings
  std::vector<Trial> trials;  // by ridge regression, in order
};

// One for each row of the plan. Its files are in run.work / "pilot".
std::vector<PilotResult> RunPilot(const Plan& plan, const Dataset& dataset,
                                  const ReproduceOptions& options, std::uint64_t seed,
                                  const Run& run);

// The plan with the rows' codings as a pilot has chosen them.
Plan AfterPilot(Plan plan, const std::vector<PilotResult>& pilot);

}  // namespace alcedo::reproduce
