// What all plots have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alcedo::report {

// A coordinate: at most two digits behind the point, and never in scientific notation.
std::string Coordinate(double value);

// About how wide a text of this size is: the fonts of a reader are not known.
double TextWidth(std::string_view text, double size);

// Lines of words that are no wider than `width`.
std::vector<std::string> Wrap(std::string_view text, double width, double size);

// Cut, with an ellipsis, to about `width`.
std::string Shorten(const std::string& text, double width, double size);

enum class Anchor { kStart, kMiddle, kEnd };

class SvgDocument {
 public:
  static constexpr double kFont = 12;
  static constexpr double kTitleFont = 14;

  SvgDocument(std::string title, std::string description, double width)
      : title_(std::move(title)), description_(std::move(description)), width_(width) {}

  double width() const { return width_; }
  // Draws the title in as many lines as it needs; the plot may begin below the result.
  double DrawTitle();
  // `css` is a class of the style sheet, or empty.
  void Text(double x, double y, std::string_view text, Anchor anchor = Anchor::kStart,
            std::string_view css = "", double rotate = 0);
  void Line(double x1, double y1, double x2, double y2, std::string_view css);
  // Markup that is already escaped.
  void Raw(std::string_view markup) { body_ += markup; }

  std::string Finish(double height) const;

 private:
  std::string title_, description_, body_;
  double width_;
};

// The class of a colour, "s0" to "s18". The first are Okabe and Ito's, safe for the colour-blind;
// the last is that of the text.
inline constexpr std::size_t kColors = 19;
inline constexpr std::size_t kTextColor = kColors - 1;
std::string SeriesClass(std::size_t color);
// The class of a line's dashes, "d0" (none) to "d3"; the dots of references have the same names.
std::string DashClass(std::size_t style);
// Centred on the point.
std::string Marker(std::size_t style, double x, double y);

}  // namespace alcedo::report
