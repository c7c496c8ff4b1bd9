// Learning a vocabulary as a step of something larger.
#pragma once

#include <span>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/learn/learn.h"

namespace alcedo {

// The images of a dataset with these numbers.
std::vector<Input> InputsOf(const Dataset& dataset, std::span<const Index> images);

// Several vocabularies in one reading of the images. `run` is that of the larger step.
std::vector<LearnResult> LearnIn(const Dataset& dataset, std::span<const Index> images,
                                 const std::vector<LearnTask>& tasks, const Run& run);

}  // namespace alcedo
