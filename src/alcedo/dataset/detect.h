// Where a dataset is.
#pragma once

#include <filesystem>
#include <utility>

#include "alcedo/dataset/dataset.h"

namespace alcedo::internal {

using Place = std::pair<DatasetKind, std::filesystem::path>;

// The dataset that a user means with `root`: see DetectDataset. With a kind other than kAuto only
// that kind is looked for, and where it is not found the root itself is the place: its reader will
// say what is missing.
Place LocateDataset(const std::filesystem::path& root, DatasetKind kind);

}  // namespace alcedo::internal
