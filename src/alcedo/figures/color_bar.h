// A scale with its numbers, to stand below a map. Internal.
#pragma once

#include "alcedo/figures/color_scale.h"
#include "alcedo/image/image.h"

namespace alcedo::internal {

inline constexpr int kColorBarHeight = 30;

// From (x, y) to the right; kColorBarHeight pixels tall with its numbers: the ends, zero if the
// scale diverges, and what fits between them. Zero has a mark across the whole bar.
void DrawColorBar(Image& canvas, int x, int y, int width, const ColorScale& scale);

}  // namespace alcedo::internal
