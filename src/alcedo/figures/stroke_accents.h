// Letters with accents, out of a letter and a mark. Internal.
#pragma once

#include <string>
#include <string_view>

namespace alcedo::internal {

// Strokes as those of a glyph, around x = 0. Where it lies is that of the letter: over its top, or
// at its foot.
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
