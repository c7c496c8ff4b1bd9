#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/experiment/axis_ticks.h"
#include "alcedo/experiment/report_text.h"
#include "alcedo/experiment/svg_document.h"
#include "alcedo/experiment/svg_plot.h"

namespace alcedo {
namespace {

using internal::Anchor;
using internal::Coordinate;
using internal::SvgDocument;
using internal::Tick;

constexpr double kWidth = 460;
constexpr double kPlotHeight = 230;
constexpr double kRight = 14;

// From values to 0 ... 1.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool log = false;

  double Place(double value) const { return log ? std::log10(value) : value; }
  void Cover(double value) {
    low = std::min(low, Place(value));
    high = std::max(high, Place(value));
  }
  void Pad(double share) {
    if (!(low <= high)) low = 0, high = 1;
    const double width = high > low ? high - low : 1;
    low -= share * width;
    high += share * width;
  }
  double operator()(double value) const { return (Place(value) - low) / (high - low); }
  std::vector<Tick> Ticks(int count) const {
    return log ? internal::LogTicks(std::pow(10, low), std::pow(10, high), count)
               : internal::LinearTicks(low, high, count);
  }
};

bool Drawable(const LineChart& chart, const LineChart::Point& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!chart.log_x || point.x > 0);
}

bool HasBaseline(const LineChart::Series& series) {
  return series.baseline && std::isfinite(*series.baseline);
}

// Where all series are measured against the same, that line belongs to none of them.
std::optional<double> SharedBaseline(const LineChart& chart) {
  std::optional<double> shared;
  for (const LineChart::Series& series : chart.series) {
    if (!HasBaseline(series) || (shared && *shared != *series.baseline)) return std::nullopt;
    shared = series.baseline;
  }
  return shared;
}

struct Frame {
  double left = 0, top = 0;
  Axis x, y;

  double X(double value) const { return left + x(value) * (kWidth - kRight - left); }
  double Y(double value) const { return top + (1 - y(value)) * kPlotHeight; }
};

void DrawAxes(SvgDocument& svg, const LineChart& chart, const Frame& frame,
              const std::vector<Tick>& y_ticks) {
  const double bottom = frame.top + kPlotHeight;
  for (const Tick& tick : y_ticks) {
    svg.Line(frame.left, frame.Y(tick.value), kWidth - kRight, frame.Y(tick.value), "grid");
    svg.Text(frame.left - 6, frame.Y(tick.value) + 4, tick.label, Anchor::kEnd);
  }
  double free_from = 0;
  for (const Tick& tick : frame.x.Ticks(8)) {
    const double x = frame.X(tick.value);
    svg.Line(x, bottom, x, bottom + 4, "axis");
    const double half = internal::TextWidth(tick.label, SvgDocument::kFont) / 2;
    if (x - half < free_from || x + half > kWidth) continue;
    free_from = x + half + 6;
    svg.Text(x, bottom + 17, tick.label, Anchor::kMiddle);
  }
  svg.Line(frame.left, bottom, kWidth - kRight, bottom, "axis");
  svg.Text((frame.left + kWidth - kRight) / 2, bottom + 36, chart.x_title, Anchor::kMiddle);
  const double middle = frame.top + kPlotHeight / 2;
  svg.Text(16, middle, internal::Shorten(chart.y_title, kPlotHeight, SvgDocument::kFont),
           Anchor::kMiddle, "", -90);
}

void DrawSeries(SvgDocument& svg, const LineChart& chart, const Frame& frame, std::size_t index) {
  const LineChart::Series& series = chart.series[index];
  svg.Raw(fmt::format("<g class=\"{}\">\n", internal::SeriesClass(index)));
  if (HasBaseline(series) && !SharedBaseline(chart)) {
    const double y = frame.Y(*series.baseline);
    svg.Line(frame.left, y, kWidth - kRight, y, "dash");
  }
  std::string line;
  std::string markers;
  for (const LineChart::Point& point : series.points) {
    if (!Drawable(chart, point)) continue;
    const double x = frame.X(point.x);
    const double y = frame.Y(point.y);
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L", Coordinate(x), Coordinate(y));
    markers += internal::Marker(index, x, y) +
               fmt::format("><title>{}: {} at {}</title></path>\n", internal::Escape(series.name),
                           internal::Percent(point.y), internal::Short(point.x));
  }
  if (!line.empty()) svg.Raw(fmt::format("<path class=\"line\" d=\"{}\"/>\n", line));
  svg.Raw(markers + "</g>\n");
}

// Returns where the legend ends.
double DrawLegend(SvgDocument& svg, const LineChart& chart, double left, double top) {
  double x = left;
  double y = top;
  const auto item = [&](const std::string& raw, const std::string& css, auto symbol) {
    const std::string name =
        internal::Shorten(internal::CleanText(raw), kWidth - left - 50, SvgDocument::kFont);
    const double width = 34 + internal::TextWidth(name, SvgDocument::kFont) + 14;
    if (x > left && x + width > kWidth) {
      x = left;
      y += 18;
    }
    svg.Raw(css.empty() ? "<g>" : fmt::format("<g class=\"{}\">", css));
    symbol();
    svg.Raw("</g>\n");
    svg.Text(x + 32, y + 4, name);
    x += width;
  };
  bool any_baseline = false;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    any_baseline |= HasBaseline(chart.series[i]);
    item(chart.series[i].name, internal::SeriesClass(i), [&] {
      svg.Line(x, y, x + 26, y, "line");
      svg.Raw(internal::Marker(i, x + 13, y) + "/>");
    });
  }
  if (any_baseline) {
    item(chart.baseline_name, "", [&] { svg.Line(x, y, x + 26, y, "dash"); });
  }
  return y + 14;
}

}  // namespace

std::string LineChartSvg(const LineChart& chart) {
  SvgDocument svg(chart.title, chart.description, kWidth);
  Frame frame;
  frame.x.log = chart.log_x;
  frame.top = svg.DrawTitle();
  for (const LineChart::Series& series : chart.series) {
    for (const LineChart::Point& point : series.points) {
      if (!Drawable(chart, point)) continue;
      frame.x.Cover(point.x);
      frame.y.Cover(point.y);
    }
    if (HasBaseline(series)) frame.y.Cover(*series.baseline);
  }
  frame.x.Pad(0.03);
  frame.y.Pad(0.06);
  const std::vector<Tick> y_ticks = frame.y.Ticks(6);
  double widest = 0;
  for (const Tick& tick : y_ticks) {
    widest = std::max(widest, internal::TextWidth(tick.label, SvgDocument::kFont));
  }
  frame.left = 34 + widest;
  DrawAxes(svg, chart, frame, y_ticks);
  if (const std::optional<double> shared = SharedBaseline(chart)) {
    svg.Line(frame.left, frame.Y(*shared), kWidth - kRight, frame.Y(*shared), "dash");
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) DrawSeries(svg, chart, frame, i);
  return svg.Finish(DrawLegend(svg, chart, frame.left, frame.top + kPlotHeight + 60));
}

}  // namespace alcedo
