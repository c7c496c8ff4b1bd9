// A typeface of strokes, for labels in images: printable ASCII, the letters of Latin-1 and Latin
// Extended-A, and a few signs (lambda, degree, minus, times, ellipsis, quotes). Accents may also be
// combining marks. Any other character is a question mark.
#pragma once

#include <string>
#include <string_view>

#include "alcedo/figures/canvas.h"

namespace alcedo::internal {

enum class TextAnchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 13;  // about that of a font of as many pixels
  Rgb color = kInk;
  TextAnchor anchor = TextAnchor::kStart;
  bool bold = false;
};

// From the left end of the first stroke to the right end of the last.
double DrawnWidth(std::string_view text, double size);

// `y` is the baseline.
void DrawText(Image& canvas, double x, double y, std::string_view text,
              const TextStyle& style = {});

// Cut in the middle, with an ellipsis, to at most `width`: both the beginning and the end of a file
// name matter.
std::string FitText(const std::string& text, double width, double size);

}  // namespace alcedo::internal
