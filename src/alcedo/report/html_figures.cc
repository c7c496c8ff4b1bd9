#include "alcedo/report/html_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "alcedo/report/methods.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/svg_document.h"
#include "alcedo/report/svg_plot.h"

namespace alcedo::report {
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

// Parameters that are searched in equal ratios, if they are positive and span a decade.
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

// What a descriptor's curves are measured against, once; its own value stands in the legend.
void AddReference(const Curve& curve, LineChart& chart) {
  const LineChart::Reference reference{
      fmt::format("{} sum pooling, {}", DescriptorName(curve.descriptor), Percent(*curve.baseline)),
      *curve.baseline, MethodColor("sum"), DescriptorStyle(curve.descriptor)};
  for (const LineChart::Reference& other : chart.references) {
    if (other.name == reference.name) return;
  }
  chart.references.push_back(reference);
}

std::string CurveFigure(const Results& results, const std::vector<const Curve*>& curves) {
  const Curve& first = *curves[0];
  LineChart chart;
  chart.title = fmt::format("Accuracy against {}: {}, {}", ParameterName(first.parameter),
                            Unbroken(EncoderName(first.encoder, first.gaussians), '='),
                            TitleOf(results, first.dataset));
  chart.x_title = ParameterName(first.parameter);
  const std::string how = ChosenHow(results, first.dataset);
  chart.y_title = fmt::format("{} {}, %", how.starts_with("on") ? "validation" : "cross-validated",
                              ShortMetricName(first.metric) == "mAP" ? "mAP" : "top-1");
  chart.log_x = LogScale(curves);
  chart.description = fmt::format("Measured {}: {}.", how, MetricName(first.metric));
  for (const Curve* curve : curves) {
    LineChart::Series& series = chart.series.emplace_back();
    series.name = DescriptorName(curve->descriptor) + " " + MethodName(curve->method);
    series.color = MethodColor(curve->method);
    series.style = DescriptorStyle(curve->descriptor);
    if (curve->baseline) AddReference(*curve, chart);
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

// How wide a confusion must be for its lettering; if that is too wide it scrolls.
std::string_view WidthClass(std::size_t classes) {
  if (classes <= 6) return "narrow";
  return classes <= 12 ? "middling" : "wide";
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
    chart.color = MethodColor(gains.method);
    chart.negative_color = MethodColor(gains.baseline);
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
    chart.description =
        fmt::format("Of {} {} gain and {} lose.", Plural(n, "class", "classes"), better, worse);
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
    map.description = fmt::format("How the images of {} were classified.",
                                  Plural(confusion.classes.size(), "class", "classes"));
    map.row_title = "truth";
    map.column_title = "predicted";
    map.classes = confusion.classes;
    map.counts = confusion.counts;
    out += fmt::format(
        "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><div "
        "class=\"{}\">\n{}</div></div>\n",
        Escape(map.title), WidthClass(map.classes.size()), Figure(HeatMapSvg(map)));
  }
  return out;
}

}  // namespace alcedo::report
