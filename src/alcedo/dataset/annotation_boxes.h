// The XML annotations of VOC, which Pets uses too.
#pragma once

#include <filesystem>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo::internal {

// The boxes of all objects, none if there is no such file. The file counts pixels from 1 and
// includes both ends. FormatError if it is not such an annotation.
std::vector<Box> ReadBoxesIfThere(const std::filesystem::path& path);

}  // namespace alcedo::internal
