// Descriptors of the mirror image (left and right exchanged), from those of the image itself.
#pragma once

#include <span>

#include "alcedo/descriptors/descriptors.h"

namespace alcedo::internal {

// Appends a row for every row, with the same patch: its 4 x 4 cells from right to left, and in
// every cell value i is value `cell[i]` of before.
void AppendMirrored(std::span<const int> cell, Descriptors& descriptors);

}  // namespace alcedo::internal
