#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "alcedo/experiment/html_parts.h"
#include "alcedo/experiment/report_text.h"
#include "alcedo/experiment/svg_plot.h"

namespace alcedo::internal {
namespace {

std::string Figure(const std::string& svg) { return "<figure>\n" + svg + "</figure>\n"; }

std::string ParameterName(std::string_view parameter) {
  if (parameter == "lambda") return "λ";
  if (parameter == "relative lambda") return "relative λ";
  if (parameter == "power") return "power";
  if (parameter == "c") return "C";
  if (parameter == "sigma") return "σ";
  if (parameter == "gamma") return "γ";
  return std::string(parameter);
}

// What is searched in equal ratios is drawn so, where it spans a decade and can be.
bool LogScale(const std::vector<const Curve*>& curves) {
  const std::string& parameter = curves[0]->parameter;
  if (parameter == "power" || parameter == "gamma") return false;
  double low = 0;
  double high = 0;
  for (const Curve* curve : curves) {
    for (const Curve::Point& point : curve->points) {
      if (!std::isfinite(point.x)) continue;
      if (point.x <= 0) return false;
      low = low == 0 ? point.x : std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  return low > 0 && high >= 10 * low;
}

std::string CurveFigure(const Results& results, const std::vector<const Curve*>& curves) {
  const Curve& first = *curves[0];
  LineChart chart;
  chart.title = fmt::format("Accuracy against {}: {}, {}", ParameterName(first.parameter),
                            Unbroken(EncoderName(first.encoder, first.gaussians), '='),
                            TitleOf(results, first.dataset));
  chart.x_title = ParameterName(first.parameter);
  chart.y_title =
      ShortMetricName(first.metric) == "mAP" ? "validation mAP, %" : "validation top-1, %";
  chart.log_x = LogScale(curves);
  chart.baseline_name = "sum pooling";
  chart.description = fmt::format("On the validation split, by {}.", MetricName(first.metric));
  for (const Curve* curve : curves) {
    LineChart::Series& series = chart.series.emplace_back();
    series.name = DescriptorName(curve->descriptor) + " " + MethodName(curve->method);
    series.baseline = curve->baseline;
    const Curve::Point* best = nullptr;
    for (const Curve::Point& point : curve->points) {
      series.points.push_back({point.x, point.y});
      if (std::isfinite(point.y) && (best == nullptr || point.y > best->y)) best = &point;
    }
    if (best != nullptr) {
      chart.description +=
          fmt::format(" {}: best {} at {}.", series.name, Percent(best->y), Short(best->x));
    }
  }
  return Figure(LineChartSvg(chart));
}

}  // namespace

std::string CurveFigures(const Results& results) {
  const auto key = [](const Curve& c) {
    return std::tie(c.dataset, c.encoder, c.gaussians, c.parameter, c.metric);
  };
  std::vector<const Curve*> left;
  for (const Curve& curve : results.curves) {
    if (!curve.points.empty()) left.push_back(&curve);
  }
  std::string out;
  while (!left.empty()) {
    std::vector<const Curve*> group;
    std::vector<const Curve*> rest;
    for (const Curve* curve : left) {
      (key(*curve) == key(*left[0]) ? group : rest).push_back(curve);
    }
    out += CurveFigure(results, group);
    left = rest;
  }
  return out.empty() ? out : "<div class=\"figures\">\n" + out + "</div>\n";
}

std::string GainFigures(const Results& results) {
  std::string out;
  for (const ClassGains& gains : results.gains) {
    const std::size_t n =
        std::min({gains.classes.size(), gains.method_values.size(), gains.baseline_values.size()});
    if (n == 0) continue;
    BarChart chart;
    const std::string method = MethodName(gains.method);
    const std::string baseline = MethodName(gains.baseline);
    chart.title = fmt::format("{} over {}: {}, {}, {}", method, baseline,
                              Unbroken(EncoderName(gains.encoder, gains.gaussians), '='),
                              DescriptorName(gains.descriptor), TitleOf(results, gains.dataset));
    chart.x_title = "gain in points";
    std::size_t better = 0;
    std::size_t worse = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double gain = gains.method_values[i] - gains.baseline_values[i];
      better += gain > 0;
      worse += gain < 0;
      chart.bars.push_back({gains.classes[i], gain,
                            fmt::format("{} {}, {} {}", method, Percent(gains.method_values[i]),
                                        baseline, Percent(gains.baseline_values[i]))});
    }
    chart.description = fmt::format("Of {} classes {} gain and {} lose.", n, better, worse);
    out += Figure(BarChartSvg(chart));
  }
  return out.empty() ? out : "<div class=\"figures\">\n" + out + "</div>\n";
}

std::string ConfusionFigures(const Results& results) {
  std::string out;
  for (const Confusion& confusion : results.confusions) {
    if (confusion.classes.empty() || confusion.counts.empty()) continue;
    HeatMap map;
    map.title = fmt::format("{}, {}, {}, {}", TitleOf(results, confusion.dataset),
                            EncoderName(confusion.encoder, confusion.gaussians),
                            DescriptorName(confusion.descriptor), MethodName(confusion.method));
    map.description =
        fmt::format("How the images of {} classes were classified.", confusion.classes.size());
    map.row_title = "truth";
    map.column_title = "predicted";
    map.classes = confusion.classes;
    map.counts = confusion.counts;
    out += fmt::format(
        "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><div "
        "class=\"wide\">\n{}</div></div>\n",
        Escape(map.title), Figure(HeatMapSvg(map)));
  }
  return out;
}

}  // namespace alcedo::internal
