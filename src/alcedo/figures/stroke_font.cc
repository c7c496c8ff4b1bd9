#include "alcedo/figures/stroke_font.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "alcedo/base/utf8.h"
#include "alcedo/figures/stroke_glyphs.h"

namespace alcedo::internal {
namespace {

constexpr char32_t kMissing = U'?';
constexpr double kCapital = 7, kSmall = 4.8, kTall = 7.2;  // heights of letters
constexpr double kGap = 2.1;            // between the strokes of neighbouring letters, in units
constexpr double kUnitsPerSize = 10.2;  // a font of 10.2 pixels has capitals of 7
constexpr int kArcSteps = 16;

// The code points of UTF-8; a byte that is none stands for a missing character.
std::u32string CodePoints(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    const Utf8Character first = FirstCharacter(text);
    points.push_back(first.size > 0 ? first.code : char32_t{0xfffd});
    text.remove_prefix(std::max<std::size_t>(first.size, 1));
  }
  return points;
}

// Reads the numbers of one glyph.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool AtEnd() const { return text_.empty(); }
  bool Take(char c) {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  double Number() {
    Take(' ');
    double value = 0;
    const auto result = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    text_.remove_prefix(static_cast<std::size_t>(result.ptr - text_.data()));
    return value;
  }

 private:
  std::string_view text_;
};

std::vector<Polyline> StrokesOf(std::string_view strokes) {
  std::vector<Polyline> lines;
  if (strokes.empty()) return lines;
  lines.emplace_back();
  Reader reader(strokes);
  while (!reader.AtEnd()) {
    if (reader.Take(';')) {
      lines.emplace_back();
    } else if (reader.Take('@')) {
      const double x = reader.Number(), y = reader.Number();
      const double rx = reader.Number(), ry = reader.Number();
      const double from = reader.Number(), to = reader.Number();
      for (int k = 0; k <= kArcSteps; ++k) {
        const double angle = (from + (to - from) * k / kArcSteps) * 3.14159265358979323846 / 180;
        lines.back().push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
      }
    } else {
      const double x = reader.Number();
      lines.back().push_back({x, reader.Number()});
    }
  }
  return lines;
}

// A character ready to be drawn.
struct Letter {
  double width = 0;
  std::vector<Polyline> lines;
};

void Move(std::vector<Polyline>& lines, double x, double y) {
  for (Polyline& line : lines) {
    for (Point& p : line) p = {p.x + x, p.y + y};
  }
}

Letter Plain(char32_t point) {
  const StrokeGlyph* glyph = FindGlyph(point);
  if (glyph == nullptr) glyph = FindGlyph(kMissing);
  return {glyph->width, StrokesOf(glyph->strokes)};
}

double HeightOf(char32_t letter) {
  if (letter >= U'A' && letter <= U'Z') return kCapital;
  return letter == U'd' || letter == U'h' || letter == U'l' || letter == U't' ? kTall : kSmall;
}

Letter Accented(const AccentedLetter& accented) {
  Letter letter = Plain(accented.letter);
  const StrokeAccent& accent = accented.accent;
  std::vector<Polyline> mark = StrokesOf(accent.strokes);
  // The stem of a j is its right end.
  double x = accented.letter == U'\u0237' ? letter.width : letter.width / 2, y = 0;
  switch (accent.place) {
    case StrokeAccent::Place::kOver:
      y = HeightOf(accented.letter);
      break;
    case StrokeAccent::Place::kBelow:
      break;
    case StrokeAccent::Place::kFoot:
      x = std::max(x, letter.width - accent.half_width);
      break;
    case StrokeAccent::Place::kBeside:
      x = accented.letter == U'L' ? x + accent.half_width : letter.width + 1.1;
      break;
  }
  // Wide accents of narrow letters need their room.
  const double left = std::max(0.0, accent.half_width - x);
  Move(mark, x + left, y);
  Move(letter.lines, left, 0);
  letter.width = std::max(letter.width, x + accent.half_width) + left;
  letter.lines.insert(letter.lines.end(), mark.begin(), mark.end());
  return letter;
}

Letter LetterOf(char32_t point) {
  const AccentedLetter* accented = FindAccented(point);
  return accented != nullptr ? Accented(*accented) : Plain(point);
}

std::vector<Letter> LettersOf(std::string_view text) {
  std::vector<Letter> letters;
  for (const char32_t point : Composed(CodePoints(text))) letters.push_back(LetterOf(point));
  return letters;
}

double WidthOf(const std::vector<Letter>& letters, double size) {
  if (letters.empty()) return 0;
  double units = -kGap;
  for (const Letter& letter : letters) units += letter.width + kGap;
  return units * size / kUnitsPerSize;
}

}  // namespace

double DrawnWidth(std::string_view text, double size) { return WidthOf(LettersOf(text), size); }

void DrawText(Image& canvas, double x, double y, std::string_view text, const TextStyle& style) {
  std::vector<Letter> letters = LettersOf(text);
  const double scale = style.size / kUnitsPerSize;
  const double width = WidthOf(letters, style.size);
  if (style.anchor == TextAnchor::kMiddle) x -= width / 2;
  if (style.anchor == TextAnchor::kEnd) x -= width;
  const double pen = style.size * (style.bold ? 0.135 : 0.09);
  for (Letter& letter : letters) {
    for (Polyline& line : letter.lines) {
      for (Point& p : line) p = {x + scale * p.x, y - scale * p.y};
    }
    if (!letter.lines.empty()) Stroke(canvas, letter.lines, pen, style.color);
    x += scale * (letter.width + kGap);
  }
}

std::string FitText(const std::string& text, double width, double size) {
  if (DrawnWidth(text, size) <= width) return text;
  // Whole characters: bytes 10xxxxxx continue one.
  const auto starts = [&](std::size_t at) {
    return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
  };
  std::string best = "\u2026";
  for (std::size_t kept = 1; kept < text.size(); ++kept) {
    std::size_t head = (kept + 1) / 2, tail = text.size() - kept / 2;
    while (!starts(head)) --head;
    while (!starts(tail)) ++tail;
    const std::string cut = text.substr(0, head) + "\u2026" + text.substr(tail);
    if (DrawnWidth(cut, size) > width) break;
    best = cut;
  }
  return best;
}

}  // namespace alcedo::internal
