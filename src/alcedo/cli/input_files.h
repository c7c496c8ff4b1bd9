// The INPUT arguments as a list of files.
#pragma once

#include <vector>

#include "alcedo/cli/array_source.h"
#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

struct InputList {
  std::vector<InputFile> files;
  bool several = false;  // a folder, or more than one INPUT: a bad file does not stop the others
};

// Folders become their .npy, .npz and .safetensors files, sorted by name; hidden ones are ignored.
// Checks that nothing that will be written is also an input, and that single --offsets, --blocks
// and
// --input-weights files go with a single input file.
InputList ListInputs(const PoolJob& job);

}  // namespace alcedo::cli
