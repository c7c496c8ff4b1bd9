// The descriptors to learn from, out of all images.
#pragma once

#include <vector>

#include "alcedo/learn/learn.h"
#include "alcedo/learn/learn_work_folder.h"

namespace alcedo::internal {

// What is drawn for one vocabulary, and where it is kept.
struct SamplingTask {
  const LearnConfig& config;
  WorkFolder& folder;
};

// Works until the journals of all folders have come to the last image; every image is read and
// decoded once for all tasks. Memory is that of one image per thread and of the samples of a group
// of images, whatever their number.
void SampleImages(const std::vector<Input>& inputs, const std::vector<SamplingTask>& tasks,
                  const LearnRun& run);

// The bad images so far. They are always read from the folder, so that a run that was interrupted
// lists what an undisturbed one does.
std::vector<Failure> ReadFailures(const std::vector<Input>& inputs, const WorkFolder& folder);

}  // namespace alcedo::internal
