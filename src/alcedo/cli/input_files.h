// The INPUT arguments as a list of files.
#pragma once

#include <vector>

#include "alcedo/cli/array_source.h"
#include "alcedo/cli/paths.h"
#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

struct InputList {
  std::vector<InputFile> files;
  bool several = false;  // a folder, or more than one INPUT: a bad file does not stop the others
};

// Folders become their .npy, .npz and .safetensors files (in any case), sorted by name; hidden ones
// and subfolders are ignored.
// Checks that single --offsets, --blocks and --input-weights files go with a single input file.
InputList ListInputs(const PoolJob& job);

// All that is read where `files` are the inputs. The folders they are in belong to it: pooled
// vectors among the encodings would be taken for encodings the next time.
std::vector<NamedPath> PathsRead(const PoolJob& job, const std::vector<InputFile>& files);

}  // namespace alcedo::cli
