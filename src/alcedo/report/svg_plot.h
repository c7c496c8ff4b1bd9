// Plots as standalone SVG. They scale to the width they are given, up to a size at which lettering
// is about as large as a page's own; they take the colours of a light or a dark page, and carry a
// title and a description for those who do not see them. Numbers that are not finite are left out.
// Names may hold anything: they are escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alcedo::report {

struct Tick {
  double value = 0;
  std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `count` of them, at least
// two if low < high allows it.
std::vector<Tick> LinearTicks(double low, double high, int count);

// Powers of ten within [low, high], each n-th so that there are no more than `count`; if there
// would be fewer than two, the values 1, 2 and 5 of each decade. Requires 0 < low <= high.
std::vector<Tick> LogTicks(double low, double high, int count);

struct LineChart {
  std::string title, description;
  std::string x_title, y_title;
  bool log_x = false;  // points with x <= 0 are then left out
  struct Point {
    double x = 0, y = 0;
  };
  struct Series {
    std::string name;
    std::vector<Point> points;  // in increasing x
    // Numbers, so that what is the same in several plots looks the same; the series' own place
    // if there are none.
    std::optional<std::size_t> color;
    std::optional<std::size_t> style;  // of line and marker
  };
  std::vector<Series> series;
  // A horizontal line to compare with, thin and dotted, with its own entry in the legend.
  struct Reference {
    std::string name;
    double value = 0;
    std::size_t color = 0, style = 0;
  };
  std::vector<Reference> references;
};

// The legend stands below the plot, where it covers nothing.
std::string LineChartSvg(const LineChart& chart);

struct BarChart {
  std::string title, description;
  std::string x_title;
  struct Bar {
    std::string label;
    double value = 0;
    std::string detail;  // shown by hovering
  };
  std::vector<Bar> bars;
  std::size_t color = 0, negative_color = 1;  // of bars above and below 0
};

// Horizontal bars, the largest first; one line each, however many.
std::string BarChartSvg(const BarChart& chart);

struct HeatMap {
  std::string title, description;
  std::string row_title, column_title;
  std::vector<std::string> classes;
  std::vector<std::vector<std::int64_t>> counts;  // rows are shown as shares of their sum
};

// With the counts in the cells if there are at most twelve classes.
std::string HeatMapSvg(const HeatMap& map);

}  // namespace alcedo::report
