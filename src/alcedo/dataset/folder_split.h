// A split of named files by chance.
#pragma once

#include <string>
#include <vector>

#include "alcedo/dataset/read_dataset.h"

namespace alcedo::internal {

// The names' order by chance: from the seed and each name alone, so that a file more or less moves
// no other file, and neither the order of a directory nor the platform matters.
std::vector<std::string> ShuffleNames(std::vector<std::string> names, std::uint64_t seed);

// How many of a class's images to test on and to train on. One of each at least, where there are
// two; a single image is trained on. The rest is left out.
struct SplitCounts {
  std::size_t test, train;
};
SplitCounts CountSplit(std::size_t images, const FolderSplitOptions& options);

// InvalidArgument where an option is out of its range.
void CheckSplitOptions(const FolderSplitOptions& options);

}  // namespace alcedo::internal
