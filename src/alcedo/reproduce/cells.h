// From scores of the test images to what a report shows.
#pragma once

#include "alcedo/report/results.h"
#include "alcedo/reproduce/test_scores.h"

namespace alcedo {

// One dataset with one seed.
struct SeedOutcome {
  std::vector<PairSelection> pairs;  // of plan.groups
  TestScores test;
};

// Cells, curves, comparisons, gains and confusions of one dataset, from all its seeds. Intervals
// and comparisons have the test images as their chance; of several seeds they are those of the
// first, around the mean.
void AddOutcomes(const Plan& plan, const Dataset& dataset, const std::vector<SeedOutcome>& seeds,
                 int threads, report::Results& results);

}  // namespace alcedo
