#include "alcedo/report/svg_document.h"

#include <fmt/format.h>

#include <cmath>

#include "alcedo/report/report_text.h"

namespace alcedo::report {
namespace {

constexpr std::size_t kDashes = 4;
constexpr std::size_t kMarkers = 7;
constexpr double kLargest = 1.25;  // of the sizes below, in CSS pixels

// System colours follow the page that shows the plot, light or dark, also inside an <img>.
constexpr std::string_view kStyle =
    ".alcedo-plot{width:100%;height:auto;color-scheme:light dark;background:Canvas;"
    "color:CanvasText;font:12px system-ui,sans-serif}"
    ".alcedo-plot text{fill:currentColor}"
    ".alcedo-plot .title{font-size:14px;font-weight:600}"
    ".alcedo-plot .small{font-size:10px}"
    ".alcedo-plot .bar-label{font-size:11px}"
    ".alcedo-plot .tiny{font-size:10px}"
    ".alcedo-plot .on-dark{fill:Canvas}"
    ".alcedo-plot .axis{stroke:currentColor;fill:none}"
    ".alcedo-plot .grid{stroke:currentColor;stroke-opacity:.14}"
    ".alcedo-plot .line{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linejoin:round}"
    ".alcedo-plot .line.d1{stroke-dasharray:7 4}.alcedo-plot .line.d2{stroke-dasharray:11 4 2 4}"
    ".alcedo-plot .line.d3{stroke-dasharray:3 3}"
    ".alcedo-plot .dots{fill:none;stroke:currentColor;stroke-width:1.25;stroke-dasharray:1.5 3}"
    ".alcedo-plot .dots.d1{stroke-dasharray:6 3 1.5 3}"
    ".alcedo-plot .dots.d2{stroke-dasharray:6 3 1.5 3 1.5 3}"
    ".alcedo-plot .dots.d3{stroke-dasharray:1.5 6}"
    ".alcedo-plot .mark{fill:currentColor;stroke:none}"
    ".alcedo-plot .heat{fill:#0072b2}"
    ".alcedo-plot .s0{color:#0072b2}.alcedo-plot .s1{color:#d55e00}"
    ".alcedo-plot .s2{color:#009e73}.alcedo-plot .s3{color:#cc79a7}"
    ".alcedo-plot .s4{color:#e69f00}.alcedo-plot .s5{color:#56b4e9}"
    ".alcedo-plot .s6{color:#767676}.alcedo-plot .s7{color:#7a5c00}"
    ".alcedo-plot .s8{color:#882255}.alcedo-plot .s9{color:#4b3fb0}"
    ".alcedo-plot .s10{color:#005500}.alcedo-plot .s11{color:#8f1d00}"
    ".alcedo-plot .s12{color:#8a9900}.alcedo-plot .s13{color:#005a5a}"
    ".alcedo-plot .s14{color:#ee0044}.alcedo-plot .s15{color:#c000f0}"
    ".alcedo-plot .s16{color:#080028}.alcedo-plot .s17{color:#f818b0}"
    "@media (prefers-color-scheme:dark){.alcedo-plot .s0{color:#3d9fe0}"
    ".alcedo-plot .s5{color:#a3dcff}.alcedo-plot .s6{color:#9a9a9a}"
    ".alcedo-plot .s7{color:#8a7433}.alcedo-plot .s8{color:#bb2f74}"
    ".alcedo-plot .s9{color:#6f62f5}.alcedo-plot .s10{color:#6cc24a}"
    ".alcedo-plot .s11{color:#ffab99}.alcedo-plot .s12{color:#e2e86a}"
    ".alcedo-plot .s13{color:#4fe6d2}.alcedo-plot .s14{color:#f0324f}"
    ".alcedo-plot .s15{color:#d268ff}.alcedo-plot .s16{color:#00f800}"
    ".alcedo-plot .s17{color:#e8f8c8}"
    ".alcedo-plot .heat{fill:#56b4e9}}";

}  // namespace

std::string Coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

double TextWidth(std::string_view text, double size) {
  return 0.56 * size * static_cast<double>(Width(text));
}

std::vector<std::string> Wrap(std::string_view text, double width, double size) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.empty() && TextWidth(lines.back() + " " + word, size) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(Shorten(word, width, size));
    }
  }
  return lines;
}

std::string Shorten(const std::string& text, double width, double size) {
  if (TextWidth(text, size) <= width) return text;
  std::string cut = text;
  while (!cut.empty() && TextWidth(cut, size) > width - size) {
    // Whole characters: bytes 10xxxxxx continue one.
    while (cut.size() > 1 && (cut.back() & 0xC0) == 0x80) cut.pop_back();
    cut.pop_back();
  }
  cut.erase(cut.find_last_not_of(' ') + 1);
  return cut + "…";
}

double SvgDocument::DrawTitle() {
  double y = 4;
  // Bold letters are wider.
  for (const std::string& line : Wrap(CleanText(title_), (width_ - 16) / 1.15, kTitleFont)) {
    y += 16;
    Text(8, y, line, Anchor::kStart, "title");
  }
  return y + 12;
}

void SvgDocument::Text(double x, double y, std::string_view text, Anchor anchor,
                       std::string_view css, double rotate) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"", Coordinate(x), Coordinate(y));
  if (anchor == Anchor::kMiddle) body_ += " text-anchor=\"middle\"";
  if (anchor == Anchor::kEnd) body_ += " text-anchor=\"end\"";
  if (!css.empty()) body_ += fmt::format(" class=\"{}\"", css);
  if (rotate != 0) {
    body_ += fmt::format(" transform=\"rotate({} {} {})\"", Coordinate(rotate), Coordinate(x),
                         Coordinate(y));
  }
  body_ += fmt::format(">{}</text>\n", Escape(text));
}

void SvgDocument::Line(double x1, double y1, double x2, double y2, std::string_view css) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                       Coordinate(x1), Coordinate(y1), Coordinate(x2), Coordinate(y2), css);
}

std::string SvgDocument::Finish(double height) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"alcedo-plot\" role=\"img\" "
      "width=\"100%\" style=\"max-width:{}px\" viewBox=\"0 0 {} "
      "{}\">\n<title>{}</title>\n<desc>{}</desc>\n"
      "<style>{}</style>\n{}</svg>\n",
      Coordinate(kLargest * width_), Coordinate(width_), Coordinate(height), Escape(title_),
      Escape(description_), kStyle, body_);
}

std::string SeriesClass(std::size_t color) { return fmt::format("s{}", color % kColors); }

std::string DashClass(std::size_t style) { return fmt::format("d{}", style % kDashes); }

std::string Marker(std::size_t style, double x, double y) {
  const auto path = [&](std::string_view shape) {
    return fmt::format("<path class=\"mark\" transform=\"translate({} {})\" d=\"{}\"",
                       Coordinate(x), Coordinate(y), shape);
  };
  switch (style % kMarkers) {
    case 0:
      return path("M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z");
    case 1:
      return path("M-3.2-3.2h6.4v6.4h-6.4z");
    case 2:
      return path("M0-4.4L4.2 3.2H-4.2z");
    case 3:
      return path("M0-4.6L4.6 0L0 4.6L-4.6 0z");
    case 4:
      return path("M0 4.4L4.2-3.2H-4.2z");
    case 5:
      return path("M-1.3-4.2h2.6v2.9h2.9v2.6h-2.9v2.9h-2.6v-2.9h-2.9v-2.6h2.9z");
    default:
      return path("M-4-2.2L-2.2-4L0-1.8L2.2-4L4-2.2L1.8 0L4 2.2L2.2 4L0 1.8L-2.2 4L-4 2.2L-1.8 0z");
  }
}

}  // namespace alcedo::report
