#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/report/axis_ticks.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/svg_document.h"
#include "alcedo/report/svg_plot.h"

namespace alcedo {
namespace {

using internal::Anchor;
using internal::Coordinate;
using internal::SvgDocument;
using internal::Tick;

constexpr double kWidth = 440;
constexpr double kRow = 14;
constexpr double kLabelFont = 11;
constexpr double kValues = 46;  // the column of numbers at the right
constexpr double kMaxLabel = 156;

}  // namespace

std::string BarChartSvg(const BarChart& chart) {
  SvgDocument svg(chart.title, chart.description, kWidth);
  std::vector<BarChart::Bar> bars;
  double low = 0;
  double high = 0;
  double label_width = 0;
  for (const BarChart::Bar& bar : chart.bars) {
    if (!std::isfinite(bar.value)) continue;
    bars.push_back(bar);
    bars.back().label = internal::CleanText(bar.label);
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
    label_width = std::max(label_width, internal::TextWidth(bars.back().label, kLabelFont));
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  label_width = std::min(label_width, kMaxLabel);
  if (low == high) high = 1;

  const double left = 8 + label_width + 8;
  const double right = kWidth - kValues - 8;
  const double top = svg.DrawTitle() + 18;
  const double bottom = top + kRow * static_cast<double>(bars.size()) + 4;
  const auto place = [&](double value) {
    return left + (value - low) / (high - low) * (right - left);
  };
  for (const Tick& tick : internal::LinearTicks(low, high, 6)) {
    const double x = place(tick.value);
    svg.Line(x, top - 4, x, bottom, tick.value == 0 ? "axis" : "grid");
    svg.Text(x, top - 9, tick.label, Anchor::kMiddle, "small");
    svg.Text(x, bottom + 12, tick.label, Anchor::kMiddle, "small");
  }
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const BarChart::Bar& bar = bars[i];
    const double y = top + kRow * static_cast<double>(i);
    const double from = place(std::min(0.0, bar.value));
    const double to = place(std::max(0.0, bar.value));
    svg.Raw(fmt::format("<g><title>{}: {}{}{}</title>\n", internal::Escape(bar.label),
                        internal::Signed(bar.value), bar.detail.empty() ? "" : ", ",
                        internal::Escape(bar.detail)));
    svg.Text(left - 6, y + 10.5, internal::Shorten(bar.label, kMaxLabel, kLabelFont), Anchor::kEnd,
             "bar-label");
    svg.Raw(fmt::format(
        "<g class=\"{}\"><rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/></g>",
        internal::SeriesClass(bar.value < 0 ? chart.negative_color : chart.color), Coordinate(from),
        Coordinate(y + 2), Coordinate(to - from)));
    svg.Text(kWidth - 8, y + 10.5, internal::Signed(bar.value), Anchor::kEnd, "bar-label");
    svg.Raw("</g>\n");
  }
  svg.Text((left + right) / 2, bottom + 30, chart.x_title, Anchor::kMiddle);
  return svg.Finish(bottom + 40);
}

}  // namespace alcedo
