// What a training run chooses by images that its SVMs have not seen.
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/problem.h"
#include "alcedo/training/train.h"

namespace alcedo {

// The validation split if there is one among these images, else folds; none if there are not
// enough images to hold any back.
std::vector<Fold> TrainFolds(const Dataset& dataset, const std::vector<Index>& images,
                             const TrainOptions& options);

// C, the weights of the channels and the scaling to probabilities, from held-out scores (channel,
// then C) and the truth of those images; and how good they are.
void ChooseByHeldOut(const std::vector<std::vector<Matrix>>& scores, const std::vector<double>& cs,
                     const Truth& truth, const TrainOptions& options, TrainResult& result);

}  // namespace alcedo
