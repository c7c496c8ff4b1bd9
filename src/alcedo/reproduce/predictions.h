// What methods said of the test images, small enough for results.json: whoever has the file can do
// every test again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {

// RFC 4648, with padding.
std::string Base64(std::span<const std::uint8_t> bytes);

// And back; FormatError if it is something else.
std::vector<std::uint8_t> FromBase64(std::string_view text);

// One byte for each image and class number below 256, else two, the low one first.
std::string PackedClasses(std::span<const int> classes_of_images, int classes);
// And back; FormatError if there are no such classes.
std::vector<int> UnpackedClasses(std::string_view packed, int classes);

// For every class, the place of every image in the order of its scores, 0 the highest, among equals
// the first image: two bytes each (four beyond 65,536 images), the low one first, class after
// class. Average precision depends on nothing else.
std::string PackedRanks(const MatrixView& scores);

// The truth in the same order: the labels as PackedClasses(), or of sets with several labels one
// byte for each image and class: 1, 0 (difficult) or 255 (not).
std::string PackedTruth(const Truth& truth);

}  // namespace alcedo::reproduce
