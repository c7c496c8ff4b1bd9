// Scores of images by machines that were trained without them: what candidates are judged by.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/problem.h"

namespace alcedo {

// Scores of the held-out images of all folds, fold after fold, for every C of `cs` (options.c is
// not used): one product matrix serves all, and a C starts from the solution of the one before.
std::vector<Matrix> HeldOutScores(const Rows& gram, const Truth& truth,
                                  const std::vector<Fold>& folds, const std::vector<double>& cs,
                                  SvmOptions options);

// The truth of the held-out images, in the order of HeldOutScores().
Truth HeldOutTruth(const Truth& truth, const std::vector<Fold>& folds);

}  // namespace alcedo
