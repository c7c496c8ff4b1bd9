#include "alcedo/figures/stroke_font.h"

#include <charconv>
#include <cmath>

#include "alcedo/figures/stroke_glyphs.h"

namespace alcedo::internal {
namespace {

constexpr StrokeGlyph kMissing{0, 3.4, "0 0 0 7 3.4 7 3.4 0 0 0"};
constexpr double kGap = 2.1;            // between the strokes of neighbouring letters, in units
constexpr double kUnitsPerSize = 10.2;  // a font of 10.2 pixels has capitals of 7
constexpr int kArcSteps = 16;

// The code points of UTF-8; a byte that is none stands for itself, as a missing character.
std::u32string CodePoints(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte >> 5 == 6 ? 2 : byte >> 4 == 14 ? 3 : 4;
    char32_t point = length == 1 ? byte : byte & (0xff >> (length + 1));
    bool whole = i + length <= text.size() && (byte < 0x80 || byte >= 0xc0);
    for (std::size_t k = 1; whole && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      whole = next >> 6 == 2;
      point = point << 6 | (next & 0x3f);
    }
    points.push_back(whole ? point : char32_t{0xfffd});
    i += whole ? length : 1;
  }
  return points;
}

const StrokeGlyph& GlyphOf(char32_t point) {
  const StrokeGlyph* glyph = FindGlyph(point);
  return glyph != nullptr ? *glyph : kMissing;
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

std::vector<Polyline> StrokesOf(const StrokeGlyph& glyph) {
  std::vector<Polyline> lines;
  if (glyph.strokes.empty()) return lines;
  lines.emplace_back();
  Reader reader(glyph.strokes);
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

double WidthOf(const std::u32string& points, double size) {
  if (points.empty()) return 0;
  double units = -kGap;
  for (const char32_t point : points) units += GlyphOf(point).width + kGap;
  return units * size / kUnitsPerSize;
}

}  // namespace

double DrawnWidth(std::string_view text, double size) { return WidthOf(CodePoints(text), size); }

void DrawText(Image& canvas, double x, double y, std::string_view text, const TextStyle& style) {
  const std::u32string points = CodePoints(text);
  const double scale = style.size / kUnitsPerSize;
  const double width = WidthOf(points, style.size);
  if (style.anchor == TextAnchor::kMiddle) x -= width / 2;
  if (style.anchor == TextAnchor::kEnd) x -= width;
  const double pen = style.size * (style.bold ? 0.135 : 0.09);
  for (const char32_t point : points) {
    const StrokeGlyph& glyph = GlyphOf(point);
    std::vector<Polyline> lines = StrokesOf(glyph);
    for (Polyline& line : lines) {
      for (Point& p : line) p = {x + scale * p.x, y - scale * p.y};
    }
    if (!lines.empty()) Stroke(canvas, lines, pen, style.color);
    x += scale * (glyph.width + kGap);
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
