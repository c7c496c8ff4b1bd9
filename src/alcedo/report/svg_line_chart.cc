#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

std::size_t ColorOf(const LineChart& chart, std::size_t i) {
  return chart.series[i].color.value_or(i);
}

std::size_t StyleOf(const LineChart& chart, std::size_t i) {
  return chart.series[i].style.value_or(i);
}

std::string LineClass(std::size_t style) { return "line " + internal::DashClass(style); }

std::string DotsClass(const LineChart::Reference& reference) {
  return "dots " + internal::DashClass(reference.style);
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
  svg.Raw(fmt::format("<g class=\"{}\">\n", internal::SeriesClass(ColorOf(chart, index))));
  std::string line;
  std::string markers;
  for (const LineChart::Point& point : series.points) {
    if (!Drawable(chart, point)) continue;
    const double x = frame.X(point.x);
    const double y = frame.Y(point.y);
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L", Coordinate(x), Coordinate(y));
    markers += internal::Marker(StyleOf(chart, index), x, y) +
               fmt::format("><title>{}: {} at {}</title></path>\n", internal::Escape(series.name),
                           internal::Percent(point.y), internal::Short(point.x));
  }
  if (!line.empty()) {
    svg.Raw(fmt::format("<path class=\"{}\" d=\"{}\"/>\n", LineClass(StyleOf(chart, index)), line));
  }
  svg.Raw(markers + "</g>\n");
}

void DrawReference(SvgDocument& svg, const Frame& frame, const LineChart::Reference& reference) {
  const double y = frame.Y(reference.value);
  svg.Raw(fmt::format("<g class=\"{}\">", internal::SeriesClass(reference.color)));
  svg.Line(frame.left, y, kWidth - kRight, y, DotsClass(reference));
  svg.Raw("</g>\n");
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
    svg.Raw(fmt::format("<g class=\"{}\">", css));
    symbol();
    svg.Raw("</g>\n");
    svg.Text(x + 32, y + 4, name);
    x += width;
  };
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    item(chart.series[i].name, internal::SeriesClass(ColorOf(chart, i)), [&] {
      svg.Line(x, y, x + 26, y, LineClass(StyleOf(chart, i)));
      svg.Raw(internal::Marker(StyleOf(chart, i), x + 13, y) + "/>");
    });
  }
  for (const LineChart::Reference& reference : chart.references) {
    if (!std::isfinite(reference.value)) continue;
    item(reference.name, internal::SeriesClass(reference.color),
         [&] { svg.Line(x, y, x + 26, y, DotsClass(reference)); });
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
  }
  for (const LineChart::Reference& reference : chart.references) {
    if (std::isfinite(reference.value)) frame.y.Cover(reference.value);
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
  for (const LineChart::Reference& reference : chart.references) {
    if (std::isfinite(reference.value)) DrawReference(svg, frame, reference);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) DrawSeries(svg, chart, frame, i);
  return svg.Finish(DrawLegend(svg, chart, frame.left, frame.top + kPlotHeight + 60));
}

}  // namespace alcedo
