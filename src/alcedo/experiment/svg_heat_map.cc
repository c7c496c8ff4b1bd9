#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alcedo/experiment/report_text.h"
#include "alcedo/experiment/svg_document.h"
#include "alcedo/experiment/svg_plot.h"

namespace alcedo {
namespace {

using internal::Anchor;
using internal::Coordinate;
using internal::SvgDocument;

constexpr double kWidth = 760;
constexpr double kLabelFont = 9;
constexpr double kMaxLabel = 120;
constexpr double kMaxCell = 48;

// Square roots spread the small shares, which are the mistakes: 1% is seen beside 100%. Opacity
// over the page is a scale of one hue, on light pages and on dark ones.
double Opacity(double share) { return std::sqrt(share); }

// One unit is one cell here; only cells that hold something are drawn.
std::string Cells(const HeatMap& map, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t r = 0; r < names.size(); ++r) {
    const auto& row = map.counts[r];
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    for (std::size_t c = 0; c < std::min(row.size(), names.size()); ++c) {
      if (row[c] <= 0 || sum <= 0) continue;
      const double share = static_cast<double>(row[c]) / static_cast<double>(sum);
      out += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"1\" height=\"1\" fill-opacity=\"{}\"><title>{} → {}: {} "
          "of {} ({}%)</title></rect>\n",
          c, r, Coordinate(Opacity(std::min(1.0, share))), internal::Escape(names[r]),
          internal::Escape(names[c]), row[c], sum, internal::Percent(100 * share));
    }
  }
  return out;
}

void DrawScale(SvgDocument& svg, double x, double y) {
  svg.Text(x, y, "Share of the row");
  x += internal::TextWidth("Share of the row", SvgDocument::kFont) + 12;
  for (const int percent : {1, 5, 10, 25, 50, 75, 100}) {
    svg.Raw(fmt::format(
        "<rect class=\"heat\" x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill-opacity=\"{}\"/>\n",
        Coordinate(x), Coordinate(y - 11), Coordinate(Opacity(percent / 100.0))));
    svg.Text(x + 18, y, fmt::format("{}%", percent));
    x += 62;
  }
}

}  // namespace

std::string HeatMapSvg(const HeatMap& map) {
  SvgDocument svg(map.title, map.description, kWidth);
  const std::size_t n = std::min(map.classes.size(), map.counts.size());
  std::vector<std::string> names;
  double label_width = 0;
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back(internal::CleanText(map.classes[i]));
    label_width = std::max(label_width, internal::TextWidth(names.back(), kLabelFont));
  }
  label_width = std::min(label_width, kMaxLabel);

  const double left = 28 + label_width + 6;
  const double top = svg.DrawTitle() + 20 + label_width + 6;
  const double count = std::max(1.0, static_cast<double>(n));
  const double pitch = std::min(kMaxCell, (kWidth - 8 - left) / count);
  const double side = pitch * static_cast<double>(n);
  svg.Text(left + side / 2, top - label_width - 16, map.column_title, Anchor::kMiddle);
  svg.Text(16, top + side / 2, map.row_title, Anchor::kMiddle, "", -90);
  // Every n-th name where there is no room for all.
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((kLabelFont + 1) / pitch)));
  for (std::size_t i = 0; i < n; i += every) {
    const std::string name = internal::Shorten(names[i], kMaxLabel, kLabelFont);
    const double middle = (static_cast<double>(i) + 0.5) * pitch;
    svg.Text(left - 5, top + middle + 3, name, Anchor::kEnd, "tiny");
    svg.Text(left + middle + 3, top - 5, name, Anchor::kStart, "tiny", -90);
  }
  svg.Raw(
      fmt::format("<g class=\"heat\" shape-rendering=\"crispEdges\" transform=\"translate({} {}) "
                  "scale({:.4f})\">\n{}</g>\n",
                  Coordinate(left), Coordinate(top), pitch, Cells(map, names)));
  svg.Raw(fmt::format("<rect class=\"axis\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                      Coordinate(left), Coordinate(top), Coordinate(side), Coordinate(side)));
  DrawScale(svg, left, top + side + 28);
  return svg.Finish(top + side + 40);
}

}  // namespace alcedo
