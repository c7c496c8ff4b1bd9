// "Having verified experimentally the formal equivalence between GMP and max-pooling in the BOV
// hard-coding case" (section 5.2): verified again, on images of the dataset.
#pragma once

#include "alcedo/report/results.h"
#include "alcedo/reproduce/training_vectors.h"

namespace alcedo {

// GMP with lambda = 0 against max pooling of hard BOV, on up to 50 training images, for all
// descriptors.
report::CheckResult CheckBovGmpIsMax(const ReadyPlan& ready, const Dataset& dataset,
                                     const Run& run);

}  // namespace alcedo
