// What datasets keep in .mat files (MATLAB 5 to 7, of either byte order, compressed or not).
//
// Memory: the file, of at most 64 MiB, and 16 MiB for what is read out of it, whatever the file
// says about sizes. Of a compressed variable at most 16 MiB are inflated.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo::internal {

// The vector `variable`, of at most 2^20 real numbers, whose values must be integers in
// [low, high]. FormatError names the value.
std::vector<int> ReadMatIntegers(const std::filesystem::path& path, const std::string& variable,
                                 int low, int high);

// The struct `bbox` with the numbers left, top, right and bottom: pixels from 1, both ends
// included.
Box ReadMatBox(const std::filesystem::path& path);

// The same of a file in memory; errors call it `file`.
std::vector<int> ParseMatIntegers(std::string_view bytes, const std::string& file,
                                  const std::string& variable, int low, int high);
Box ParseMatBox(std::string_view bytes, const std::string& file);

}  // namespace alcedo::internal
