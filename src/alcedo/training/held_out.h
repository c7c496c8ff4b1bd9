// Scores of images by SVMs that were trained without them: what candidates are judged by.
#pragma once

#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/problem.h"

namespace alcedo {

// Scores of the held-out images of all folds, fold after fold, for every candidate (ForPenalties()
// makes one of every C): one product matrix serves all, and a candidate starts from the solution of
// the one before.
std::vector<Matrix> HeldOutScores(const Rows& gram, const Truth& truth,
                                  const std::vector<Fold>& folds,
                                  std::span<const SvmOptions> candidates);

// The truth of the held-out images, in the order of HeldOutScores().
Truth HeldOutTruth(const Truth& truth, const std::vector<Fold>& folds);

}  // namespace alcedo
