// The descriptors to learn from, out of all images.
#pragma once

#include <vector>

#include "alcedo/learn/learn.h"
#include "alcedo/learn/learn_work_folder.h"

namespace alcedo::internal {

// Goes on until the folder's journal has come to the last image. Memory is that of one image per
// thread and of the samples of a group of images, whatever their number.
void SampleImages(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                  const LearnRun& run, WorkFolder& folder);

// The bad images so far. They are always read from the folder, so that a run that was interrupted
// lists what an undisturbed one does.
std::vector<LearnFailure> ReadFailures(const std::vector<LearnInput>& inputs,
                                       const WorkFolder& folder);

}  // namespace alcedo::internal
