// The work folder of a training run.
//
//   train.json           what the folder belongs to
//   sift.safetensors     a vocabulary (beside it the work folder of learning one)
//   sift/                the vectors of the training images: a feature store
#pragma once

#include <span>
#include <string>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/training/train_options.h"

namespace alcedo {

// Makes the folder, or resumes from it. InvalidArgument if it is of other options, other images
// or another version, or holds something else.
void ClaimTrainFolder(const Dataset& dataset, std::span<const Index> images,
                      const TrainOptions& options, const std::string& version, const Run& run);

}  // namespace alcedo
