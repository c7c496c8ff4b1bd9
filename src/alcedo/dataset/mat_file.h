// What datasets keep in .mat files (MATLAB 5 to 7).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo::internal {

// The vector `variable`, whose values must be integers in [low, high]: what is missing at the end
// of a damaged file reads as zeros, so that a range without 0 finds it. FormatError names the
// value.
std::vector<int> ReadMatIntegers(const std::filesystem::path& path, const std::string& variable,
                                 int low, int high);

// The struct `bbox` with the numbers left, top, right and bottom: pixels from 1, both ends
// included.
Box ReadMatBox(const std::filesystem::path& path);

}  // namespace alcedo::internal
