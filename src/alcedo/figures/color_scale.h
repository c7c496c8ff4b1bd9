// From numbers to colours that look as far apart as the numbers are.
//
// Distances are those of OKLab (Ottosson 2020), a space made so that equal distances look equal.
//
//   sequential  through ten colours of viridis (van der Walt and Smith, CC0), dark violet to
//               yellow, straight lines in OKLab, at constant speed. Lightness grows all the way.
//   diverging   blue for negative, near white for zero, red for positive: two straight lines in
//               OKLab of the same length and the same lightness at the ends.
#pragma once

#include <array>
#include <span>

#include "alcedo/image/image.h"

namespace alcedo {

// sRGB, 0 to 1.
using Rgb = std::array<double, 3>;

// t in [0, 1]; what lies outside is taken for the end. NaN is taken for 0.
Rgb SequentialColor(double t);
// t in [-1, 1], zero in the middle; as above.
Rgb DivergingColor(double t);

// Which of the two, and the values at its ends.
struct ColorScale {
  bool diverging = false;  // then low = -high
  double low = 0, high = 1;

  Rgb operator()(double value) const;
};

// Diverging if a value is negative by more than a 256th of the largest magnitude, a step that
// could be seen; symmetric then, so that zero has the colour of the middle. Otherwise sequential,
// from zero to the largest value. Values that are all zero, or none at all, have the scale 0 to 1.
ColorScale ScaleFor(std::span<const float> values);

}  // namespace alcedo

namespace alcedo::internal {

inline constexpr int kColorBarHeight = 30;

// A scale with its numbers, to stand below a map: from (x, y) to the right; kColorBarHeight pixels
// tall with its numbers: the ends, zero if the scale diverges, and what fits between them. Zero has
// a mark across the whole bar.
void DrawColorBar(Image& canvas, int x, int y, int width, const ColorScale& scale);

}  // namespace alcedo::internal
