// Sigma of EMK, and about which lambda, chosen on a part of the training images before all of them
// are encoded: every sigma costs more than all Fisher Vectors together, and a small lambda costs
// more than all others. A quarter as many random features show the same kernel, only less exactly,
// at a twentieth of the time.
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

// What a pilot tried by ridge regression for each row of the plan, in order: nothing for rows with
// one coding. Its files are in run.work / "pilot".
std::vector<std::vector<Trial>> RunPilot(const Plan& plan, const Dataset& dataset,
                                         const ReproduceOptions& options, std::uint64_t seed,
                                         const Run& run);

// The plan with what a pilot has left to search: for each family of poolings its best coding, and
// of that the best choice and its neighbours (the next lambdas).
Plan AfterPilot(Plan plan, const std::vector<std::vector<Trial>>& pilot);

}  // namespace alcedo::reproduce
