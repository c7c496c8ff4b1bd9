// From scores of the test images to what a report shows.
#pragma once

#include <set>

#include "alcedo/report/results.h"
#include "alcedo/reproduce/test_scores.h"
#include "alcedo/reproduce/training_vectors.h"

namespace alcedo::reproduce {

// One dataset with one seed.
struct SeedOutcome {
  std::vector<PairSelection> pairs;  // of plan.groups
  TestScores test;
  // Solves that did not converge.
  UnfinishedCounts training_unfinished, test_unfinished;
  std::set<ModelKey> unfinished_models;
};

// Cells, curves, comparisons, gains and confusions of one dataset, from all its seeds, on the test
// images that all of them could read. Intervals and p of several seeds are over seeds and test
// images (evaluation/seeds_and_images.h), of one over test images only. Gains per class, confusions
// and curves are of the first seed. Decides all comparisons of `results` again.
void AddOutcomes(const Plan& plan, const Dataset& dataset, const std::vector<SeedOutcome>& seeds,
                 int threads, report::Results& results);

// "Having verified experimentally the formal equivalence between GMP and max-pooling in the BOV
// hard-coding case" (section 5.2): verified again, on images of the dataset.
//
// GMP with lambda = 0 against max pooling of hard BOV, on up to 50 training images, for all
// descriptors.
report::CheckResult CheckBovGmpIsMax(const ReadyPlan& ready, const Dataset& dataset,
                                     const Run& run);

}  // namespace alcedo::reproduce
