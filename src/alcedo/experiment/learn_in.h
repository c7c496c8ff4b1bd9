// Learning a vocabulary as a step of something larger.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "alcedo/dataset/dataset.h"
#include "alcedo/experiment/experiment_run.h"
#include "alcedo/pipeline/learn.h"

namespace alcedo {

// From these images of the dataset, with the work folder `folder`, which stays. Progress is told of
// as stages of `what`, such as "sift vocabulary".
Vocabulary LearnIn(const std::filesystem::path& folder, const std::string& what,
                   const Dataset& dataset, std::span<const Index> images, const LearnConfig& config,
                   const ExperimentRun& run);

// How pictures are described by experiments and by `train`.
DescribeOptions DescribeWith(DescriptorKind descriptor, bool root_sift, int patch, int scales);

}  // namespace alcedo
