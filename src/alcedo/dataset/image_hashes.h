// What the image files of a dataset hold, in short.
#pragma once

#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"

namespace alcedo {

// ContentHash() of every image, in order; "" for files that cannot be read.
using ImageHashes = std::vector<std::string>;
ImageHashes HashImages(const Dataset& dataset, const Run& run);

}  // namespace alcedo
