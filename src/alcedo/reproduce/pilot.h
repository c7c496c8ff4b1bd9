// Sigma of EMK, and about which lambda, chosen on a part of the training images before all of them
// are encoded: every sigma costs more than all Fisher Vectors together, and a small lambda costs
// more than all others. A quarter as many random features show the same kernel, only less exactly,
// at a twentieth of the time.
//
// Less exactly means: kernel values that should be near zero are noise, which is most of them if
// sigma is small. A pilot therefore thinks too little of small sigmas: on Flowers it found no
// difference between 0.3 and 0.6 for GMP of colour, and 2,048 features were 6 points better with
// 0.3. So GMP has the smallest sigma that comes within a standard error of the best. Sum pooling,
// which is cheap, has all of these: all images decide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alcedo/dataset/dataset.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/reproduce.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {

// About so many images, evenly spaced in their classes, and so many random features.
inline constexpr int kPilotImages = 1000;
inline constexpr int kPilotFeatures = 512;

struct PilotResults {
  // By ridge regression, for each row of the plan in order: nothing for rows with one coding.
  std::vector<std::vector<Trial>> trials;
  Index held_out = 0;  // images that they were judged on
};

// Its files are in run.work / "pilot".
PilotResults RunPilot(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                      std::uint64_t seed, const ReproduceRun& run);

// The plan with what a pilot has left to search: of sum pooling every sigma that was as good as the
// best; of every other family one sigma, and with it the best choice and its neighbours (the next
// lambdas).
Plan AfterPilot(Plan plan, const PilotResults& pilot);

// If the best of a method is at the end of the lambdas that a pilot has left, adds the next one to
// what these rows search; false if there is nothing to add.
bool GoBeyond(Plan& plan, std::span<const int> rows, const PairSelection& selection);

}  // namespace alcedo::reproduce
