#include "alcedo/report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "alcedo/report/report_text.h"
#include "alcedo/report/svg_document.h"

namespace alcedo::report {
namespace {

// "10⁻³"; the whole axis so, or with plain numbers.
std::string PowerOfTen(int exponent, bool plain) {
  if (plain) return fmt::format("{:g}", std::pow(10.0, exponent));
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : fmt::format("{}", exponent)) {
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

}  // namespace

std::vector<Tick> LinearTicks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  if (!(rough > 0) || !std::isfinite(rough)) return {{low, Short(low)}};
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= rough * 0.999) {
      step = factor * decade;
      break;
    }
  }
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-9));
  for (std::int64_t i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    std::string label = fmt::format("{:.{}f}", std::abs(value), digits);
    if (i < 0) label = "−" + label;
    ticks.push_back({value, std::abs(value) >= 1e6 ? Short(value) : label});
  }
  return ticks;
}

std::vector<Tick> LogTicks(double low, double high, int count) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  std::vector<Tick> ticks;
  if (last - first < 1) {
    for (int e = first - 1; e <= last; ++e) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10.0, e);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
          ticks.push_back({value, Short(value)});
        }
      }
    }
    return ticks;
  }
  const int every = std::max(1, (last - first + count) / std::max(1, count));
  const bool plain = first >= -2 && last <= 3;
  for (int e = first; e <= last; e += every) {
    ticks.push_back({std::pow(10.0, e), PowerOfTen(e, plain)});
  }
  return ticks;
}

namespace {

constexpr double kLineWidth = 460;
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
    return log ? LogTicks(std::pow(10, low), std::pow(10, high), count)
               : LinearTicks(low, high, count);
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

std::string LineClass(std::size_t style) { return "line " + DashClass(style); }

std::string DotsClass(const LineChart::Reference& reference) {
  return "dots " + DashClass(reference.style);
}

struct Frame {
  double left = 0, top = 0;
  Axis x, y;

  double X(double value) const { return left + x(value) * (kLineWidth - kRight - left); }
  double Y(double value) const { return top + (1 - y(value)) * kPlotHeight; }
};

void DrawAxes(SvgDocument& svg, const LineChart& chart, const Frame& frame,
              const std::vector<Tick>& y_ticks) {
  const double bottom = frame.top + kPlotHeight;
  for (const Tick& tick : y_ticks) {
    svg.Line(frame.left, frame.Y(tick.value), kLineWidth - kRight, frame.Y(tick.value), "grid");
    svg.Text(frame.left - 6, frame.Y(tick.value) + 4, tick.label, Anchor::kEnd);
  }
  double free_from = 0;
  for (const Tick& tick : frame.x.Ticks(8)) {
    const double x = frame.X(tick.value);
    svg.Line(x, bottom, x, bottom + 4, "axis");
    const double half = TextWidth(tick.label, SvgDocument::kFont) / 2;
    if (x - half < free_from || x + half > kLineWidth) continue;
    free_from = x + half + 6;
    svg.Text(x, bottom + 17, tick.label, Anchor::kMiddle);
  }
  svg.Line(frame.left, bottom, kLineWidth - kRight, bottom, "axis");
  svg.Text((frame.left + kLineWidth - kRight) / 2, bottom + 36, chart.x_title, Anchor::kMiddle);
  const double middle = frame.top + kPlotHeight / 2;
  svg.Text(16, middle, Shorten(chart.y_title, kPlotHeight, SvgDocument::kFont), Anchor::kMiddle, "",
           -90);
}

void DrawSeries(SvgDocument& svg, const LineChart& chart, const Frame& frame, std::size_t index) {
  const LineChart::Series& series = chart.series[index];
  svg.Raw(fmt::format("<g class=\"{}\">\n", SeriesClass(ColorOf(chart, index))));
  std::string line;
  std::string markers;
  for (const LineChart::Point& point : series.points) {
    if (!Drawable(chart, point)) continue;
    const double x = frame.X(point.x);
    const double y = frame.Y(point.y);
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L", Coordinate(x), Coordinate(y));
    markers += Marker(StyleOf(chart, index), x, y) +
               fmt::format("><title>{}: {} at {}</title></path>\n", Escape(series.name),
                           Percent(point.y), Short(point.x));
  }
  if (!line.empty()) {
    svg.Raw(fmt::format("<path class=\"{}\" d=\"{}\"/>\n", LineClass(StyleOf(chart, index)), line));
  }
  svg.Raw(markers + "</g>\n");
}

void DrawReference(SvgDocument& svg, const Frame& frame, const LineChart::Reference& reference) {
  const double y = frame.Y(reference.value);
  svg.Raw(fmt::format("<g class=\"{}\">", SeriesClass(reference.color)));
  svg.Line(frame.left, y, kLineWidth - kRight, y, DotsClass(reference));
  svg.Raw("</g>\n");
}

// Returns where the legend ends.
double DrawLegend(SvgDocument& svg, const LineChart& chart, double left, double top) {
  double x = left;
  double y = top;
  const auto item = [&](const std::string& raw, const std::string& css, auto symbol) {
    const std::string name = Shorten(CleanText(raw), kLineWidth - left - 50, SvgDocument::kFont);
    const double width = 34 + TextWidth(name, SvgDocument::kFont) + 14;
    if (x > left && x + width > kLineWidth) {
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
    item(chart.series[i].name, SeriesClass(ColorOf(chart, i)), [&] {
      svg.Line(x, y, x + 26, y, LineClass(StyleOf(chart, i)));
      svg.Raw(Marker(StyleOf(chart, i), x + 13, y) + "/>");
    });
  }
  for (const LineChart::Reference& reference : chart.references) {
    if (!std::isfinite(reference.value)) continue;
    item(reference.name, SeriesClass(reference.color),
         [&] { svg.Line(x, y, x + 26, y, DotsClass(reference)); });
  }
  return y + 14;
}

constexpr double kBarWidth = 440;
constexpr double kRow = 14;
constexpr double kLabelFont = 11;
constexpr double kValues = 46;  // the column of numbers at the right
constexpr double kMaxBarLabel = 156;

constexpr double kHeatWidth = 760;
constexpr double kMaxHeatLabel = 120;
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
          c, r, Coordinate(Opacity(std::min(1.0, share))), Escape(names[r]), Escape(names[c]),
          row[c], sum, Percent(100 * share));
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

// The numbers of a map with few classes, in the page's colour if the cell is nearly full.
void DrawCounts(SvgDocument& svg, const HeatMap& map, std::size_t n, double left, double top,
                double pitch) {
  for (std::size_t r = 0; r < n; ++r) {
    const auto& row = map.counts[r];
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    for (std::size_t c = 0; c < std::min(row.size(), n); ++c) {
      if (row[c] <= 0 || sum <= 0) continue;
      const double share = static_cast<double>(row[c]) / static_cast<double>(sum);
      const std::string text = fmt::format("{}", row[c]);
      if (TextWidth(text, SvgDocument::kFont) > pitch) continue;
      svg.Text(left + (static_cast<double>(c) + 0.5) * pitch,
               top + (static_cast<double>(r) + 0.5) * pitch + 4, text, Anchor::kMiddle,
               Opacity(share) > 0.82 ? "on-dark" : "");
    }
  }
}

}  // namespace

std::string LineChartSvg(const LineChart& chart) {
  SvgDocument svg(chart.title, chart.description, kLineWidth);
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
    widest = std::max(widest, TextWidth(tick.label, SvgDocument::kFont));
  }
  frame.left = 34 + widest;
  DrawAxes(svg, chart, frame, y_ticks);
  for (const LineChart::Reference& reference : chart.references) {
    if (std::isfinite(reference.value)) DrawReference(svg, frame, reference);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) DrawSeries(svg, chart, frame, i);
  return svg.Finish(DrawLegend(svg, chart, frame.left, frame.top + kPlotHeight + 60));
}

std::string BarChartSvg(const BarChart& chart) {
  SvgDocument svg(chart.title, chart.description, kBarWidth);
  std::vector<BarChart::Bar> bars;
  double low = 0;
  double high = 0;
  double label_width = 0;
  for (const BarChart::Bar& bar : chart.bars) {
    if (!std::isfinite(bar.value)) continue;
    bars.push_back(bar);
    bars.back().label = CleanText(bar.label);
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
    label_width = std::max(label_width, TextWidth(bars.back().label, kLabelFont));
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  label_width = std::min(label_width, kMaxBarLabel);
  if (low == high) high = 1;

  const double left = 8 + label_width + 8;
  const double right = kBarWidth - kValues - 8;
  const double top = svg.DrawTitle() + 18;
  const double bottom = top + kRow * static_cast<double>(bars.size()) + 4;
  const auto place = [&](double value) {
    return left + (value - low) / (high - low) * (right - left);
  };
  for (const Tick& tick : LinearTicks(low, high, 6)) {
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
    svg.Raw(fmt::format("<g><title>{}: {}{}{}</title>\n", Escape(bar.label), Signed(bar.value),
                        bar.detail.empty() ? "" : ", ", Escape(bar.detail)));
    svg.Text(left - 6, y + 10.5, Shorten(bar.label, kMaxBarLabel, kLabelFont), Anchor::kEnd,
             "bar-label");
    svg.Raw(fmt::format(
        "<g class=\"{}\"><rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/></g>",
        SeriesClass(bar.value < 0 ? chart.negative_color : chart.color), Coordinate(from),
        Coordinate(y + 2), Coordinate(to - from)));
    svg.Text(kBarWidth - 8, y + 10.5, Signed(bar.value), Anchor::kEnd, "bar-label");
    svg.Raw("</g>\n");
  }
  svg.Text((left + right) / 2, bottom + 30, chart.x_title, Anchor::kMiddle);
  return svg.Finish(bottom + 40);
}

std::string HeatMapSvg(const HeatMap& map) {
  const std::size_t n = std::min(map.classes.size(), map.counts.size());
  const bool few = n <= kFewClasses;
  const double font = few ? SvgDocument::kFont : 10;
  std::vector<std::string> names;
  double label_width = 0;
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back(CleanText(map.classes[i]));
    label_width = std::max(label_width, TextWidth(names.back(), font));
  }
  label_width = std::min(label_width, kMaxHeatLabel);

  const double left = 28 + label_width + 6;
  const double pitch = few ? kFewCell : (kHeatWidth - 8 - left) / static_cast<double>(n);
  const double side = pitch * static_cast<double>(n);
  SvgDocument svg(map.title, map.description, std::max(kScaleWidth, left + side + 8));
  const double top = svg.DrawTitle() + 20 + label_width + 6;
  svg.Text(left + side / 2, top - label_width - 16, map.column_title, Anchor::kMiddle);
  svg.Text(16, top + side / 2, map.row_title, Anchor::kMiddle, "", -90);
  // Every n-th name if there is no room for all.
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((font + 1) / pitch)));
  const std::string_view css = few ? "" : "tiny";
  for (std::size_t i = 0; i < n; i += every) {
    const std::string name = Shorten(names[i], kMaxHeatLabel, font);
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

}  // namespace alcedo::report
