// Colour descriptors (Clinchant et al. 2007): mean and standard deviation of R, G, B in 4 x 4
// cells.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/descriptors/descriptors.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"

namespace alcedo {

struct ColorOptions {
  static constexpr Label kLabel{.name = "color", .title = "Colour"};

  friend bool operator==(const ColorOptions&, const ColorOptions&) = default;
};

// 96 values in units of 8-bit samples: cells from top to bottom and left to right, in a cell the
// mean of R, G, B, then the standard deviation of R, G, B. A grey image counts as R = G = B. The
// same patches as dense SIFT (all of them: colour knows no flat patches). The deviation is that of
// the pixels themselves, divided by their number, and exactly 0 if they are all the same.
// grid.mirror appends the rows of the mirror image: the same cells in mirrored order.
// Byte-identical on every number of threads.
Descriptors ExtractColorStatistics(const Image& image, const GridOptions& grid = {},
                                   const ColorOptions& options = {}, int threads = 1);

}  // namespace alcedo
