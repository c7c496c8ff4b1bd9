// The strokes of the typeface: its characters, and the letters that are made of a letter and an
// accent. Internal.
#pragma once

#include <string>
#include <string_view>

namespace alcedo::internal {

// Capitals are 7 units tall, small letters 4.8, and the baseline is 0. Strokes are separated by
// semicolons: points "x y", and "@x y rx ry from to", an arc of an ellipse around (x, y) between
// two angles in degrees, counter-clockwise if the second is larger.
struct StrokeGlyph {
  char32_t character;
  double width;  // without the space around it
  std::string_view strokes;
};

// Null if there is none.
const StrokeGlyph* FindGlyph(char32_t character);

// Strokes as those of a glyph, around x = 0. It is placed by the letter: over its top, or at its
// foot.
struct StrokeAccent {
  enum class Place { kOver, kBelow, kFoot, kBeside };
  Place place;
  double half_width;
  std::string_view strokes;
};

struct AccentedLetter {
  char32_t character;
  char32_t letter;
  const StrokeAccent& accent;
};

// The letters of Latin-1 and Latin Extended-A that have an accent; nothing for others.
const AccentedLetter* FindAccented(char32_t character);

// Letters followed by combining marks (as some systems write file names) as one character; marks
// that make none with their letter are left out.
std::u32string Composed(const std::u32string& points);

}  // namespace alcedo::internal
