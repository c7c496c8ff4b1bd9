// The strokes of the typeface. Internal.
#pragma once

#include <string_view>

namespace alcedo::internal {

// Capitals are 7 units tall, small letters 4.8, and the baseline is 0. Strokes are separated by
// semicolons: points "x y", and "@x y rx ry from to", an arc of an ellipse around (x, y) between
// two angles in degrees, counter-clockwise where the second is larger.
struct StrokeGlyph {
  char32_t character;
  double width;  // without the space around it
  std::string_view strokes;
};

// Nothing where there is none.
const StrokeGlyph* FindGlyph(char32_t character);

}  // namespace alcedo::internal
