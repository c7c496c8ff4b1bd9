// What tells whether two files hold the same picture, whatever they are called. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo {

// ShortContentHash() of the files, in their order; of those that cannot be read (any more) none.
std::vector<std::int64_t> HashImages(const std::vector<const DatasetImage*>& images, int threads);

}  // namespace alcedo
