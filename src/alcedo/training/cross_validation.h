// Scores of images by SVMs that were trained without them: what candidates are judged by.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/train.h"
#include "alcedo/training/training_set.h"

namespace alcedo {

// Scores of the held-out images of all folds, fold after fold, for every candidate (ForPenalties()
// makes one of every C): one product matrix serves all, and a candidate starts from the solution of
// the one before.
std::vector<Matrix> HeldOutScores(const Rows& gram, const Truth& truth,
                                  const std::vector<Fold>& folds,
                                  std::span<const SvmOptions> candidates);

// Called after every fold, never from two threads at once; what it throws ends the work. May be
// empty.
using AfterFold = std::function<void()>;

// Scores as HeldOutScores() has them, for one candidate: folds run in parallel. `report` tells of
// the fold that is furthest from its solution.
Matrix HeldOutSvmScores(const Rows& gram, const Truth& truth, const std::vector<Fold>& folds,
                        const SvmOptions& options, SvmReport* report = nullptr,
                        const AfterFold& after_fold = {});

// The same by ridge regression of the targets 1, -1 (and 0 for images that a class leaves out),
// with the SVM's C and constant feature: minimise 1/2 |w|^2 + C sum_i (y_i - w . x_i)^2. One
// factorisation serves all classes, so that it costs a small part of as many SVMs; candidates are
// screened by it. Nothing if 1 / C is below the rounding of the products.
std::optional<Matrix> HeldOutRidgeScores(const Rows& gram, const Truth& truth,
                                         const std::vector<Fold>& folds, double c, int threads,
                                         const AfterFold& after_fold = {});

// The truth of the held-out images, in the order of HeldOutScores().
Truth HeldOutTruth(const Truth& truth, const std::vector<Fold>& folds);

// The validation split if there is one among these images, else folds; none if there are not
// enough images to hold any back.
std::vector<Fold> TrainFolds(const Dataset& dataset, const std::vector<Index>& images,
                             const TrainOptions& options);

// C, the weights of the channels and the scaling to probabilities, from held-out scores (channel,
// then C) and the truth of those images; and how good they are.
void ChooseByHeldOut(const std::vector<std::vector<Matrix>>& scores, const std::vector<double>& cs,
                     const Truth& truth, const TrainOptions& options, TrainResult& result);

}  // namespace alcedo
