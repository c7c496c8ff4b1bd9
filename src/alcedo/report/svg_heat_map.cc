#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alcedo/report/report_text.h"
#include "alcedo/report/svg_document.h"
#include "alcedo/report/svg_plot.h"

namespace alcedo {
namespace {

using internal::Anchor;
using internal::Coordinate;
using internal::SvgDocument;

constexpr double kWidth = 760;
constexpr double kMaxLabel = 120;
constexpr std::size_t kFewClasses = 12;  // counts are written into the cells
constexpr double kFewCell = 40;
constexpr double kScaleWidth = 340;  // what a telephone shows without moving

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

// Returns where it ends.
double DrawScale(SvgDocument& svg, double y) {
  constexpr double kLeft = 8, kStep = 54;
  double x = kLeft;
  svg.Text(x, y, "Share of the row");
  y += 20;
  for (const int percent : {1, 5, 10, 25, 50, 100}) {
    static_assert(6 * kStep < kScaleWidth);
    svg.Raw(fmt::format(
        "<rect class=\"heat\" x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill-opacity=\"{}\"/>\n",
        Coordinate(x), Coordinate(y - 11), Coordinate(Opacity(percent / 100.0))));
    svg.Text(x + 18, y, fmt::format("{}%", percent));
    x += kStep;
  }
  return y + 12;
}

// The numbers of a map with few classes, in the page's colour where the cell is nearly full.
void DrawCounts(SvgDocument& svg, const HeatMap& map, std::size_t n, double left, double top,
                double pitch) {
  for (std::size_t r = 0; r < n; ++r) {
    const auto& row = map.counts[r];
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    for (std::size_t c = 0; c < std::min(row.size(), n); ++c) {
      if (row[c] <= 0 || sum <= 0) continue;
      const double share = static_cast<double>(row[c]) / static_cast<double>(sum);
      const std::string text = fmt::format("{}", row[c]);
      if (internal::TextWidth(text, SvgDocument::kFont) > pitch) continue;
      svg.Text(left + (static_cast<double>(c) + 0.5) * pitch,
               top + (static_cast<double>(r) + 0.5) * pitch + 4, text, Anchor::kMiddle,
               Opacity(share) > 0.82 ? "on-dark" : "");
    }
  }
}

}  // namespace

std::string HeatMapSvg(const HeatMap& map) {
  const std::size_t n = std::min(map.classes.size(), map.counts.size());
  const bool few = n <= kFewClasses;
  const double font = few ? SvgDocument::kFont : 10;
  std::vector<std::string> names;
  double label_width = 0;
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back(internal::CleanText(map.classes[i]));
    label_width = std::max(label_width, internal::TextWidth(names.back(), font));
  }
  label_width = std::min(label_width, kMaxLabel);

  const double left = 28 + label_width + 6;
  const double pitch = few ? kFewCell : (kWidth - 8 - left) / static_cast<double>(n);
  const double side = pitch * static_cast<double>(n);
  SvgDocument svg(map.title, map.description, std::max(kScaleWidth, left + side + 8));
  const double top = svg.DrawTitle() + 20 + label_width + 6;
  svg.Text(left + side / 2, top - label_width - 16, map.column_title, Anchor::kMiddle);
  svg.Text(16, top + side / 2, map.row_title, Anchor::kMiddle, "", -90);
  // Every n-th name where there is no room for all.
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((font + 1) / pitch)));
  const std::string_view css = few ? "" : "tiny";
  for (std::size_t i = 0; i < n; i += every) {
    const std::string name = internal::Shorten(names[i], kMaxLabel, font);
    const double middle = (static_cast<double>(i) + 0.5) * pitch;
    svg.Text(left - 5, top + middle + 3, name, Anchor::kEnd, css);
    svg.Text(left + middle + 3, top - 5, name, Anchor::kStart, css, -90);
  }
  svg.Raw(
      fmt::format("<g class=\"heat\" shape-rendering=\"crispEdges\" transform=\"translate({} {}) "
                  "scale({:.4f})\">\n{}</g>\n",
                  Coordinate(left), Coordinate(top), pitch, Cells(map, names)));
  if (few) DrawCounts(svg, map, n, left, top, pitch);
  svg.Raw(fmt::format("<rect class=\"axis\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                      Coordinate(left), Coordinate(top), Coordinate(side), Coordinate(side)));
  return svg.Finish(DrawScale(svg, top + side + 28));
}

}  // namespace alcedo
