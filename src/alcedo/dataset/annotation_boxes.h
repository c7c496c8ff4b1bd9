// The XML annotations of VOC, which Pets uses too.
#pragma once

#include <filesystem>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo::internal {

// The boxes of all objects, none where there is no such file. The file counts pixels from 1 and
// includes both ends. FormatError where it is no such annotation.
std::vector<Box> ReadBoxesIfThere(const std::filesystem::path& path);

}  // namespace alcedo::internal
