// Mistakes that are better said at once than after hours of reading images.
#pragma once

#include <vector>

#include "alcedo/learn/learn.h"

namespace alcedo::internal {

// Throws InvalidArgument on anything that a stage of learning would refuse whatever the images are.
void CheckLearnArguments(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                         const LearnRun& run);

}  // namespace alcedo::internal
