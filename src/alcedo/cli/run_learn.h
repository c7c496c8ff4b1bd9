// Runs `alcedo learn`.
#pragma once

#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/learn_arguments.h"

namespace alcedo::cli {

// Learns a vocabulary and writes it. Gives kOk or kSomeSkipped; everything else is thrown.
int RunLearn(const LearnJob& job, const ImageList& images);

}  // namespace alcedo::cli
