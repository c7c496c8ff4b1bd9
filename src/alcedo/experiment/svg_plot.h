// Plots as standalone SVG. They scale to the width they are given, take the colours of a light or a
// dark page, and carry a title and a description for those who do not see them. Numbers that are
// not finite are left out. Names may hold anything: they are escaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alcedo {

struct LineChart {
  std::string title, description;
  std::string x_title, y_title;
  bool log_x = false;  // points with x <= 0 are then left out
  struct Point {
    double x = 0, y = 0;
  };
  struct Series {
    std::string name;
    std::vector<Point> points;       // in increasing x
    std::optional<double> baseline;  // a dashed horizontal line
  };
  std::vector<Series> series;
  std::string baseline_name;  // what the legend calls the dashed lines
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
};

// Horizontal bars, the largest first; one line each, however many.
std::string BarChartSvg(const BarChart& chart);

struct HeatMap {
  std::string title, description;
  std::string row_title, column_title;
  std::vector<std::string> classes;
  std::vector<std::vector<std::int64_t>> counts;  // rows are shown as shares of their sum
};

std::string HeatMapSvg(const HeatMap& map);

}  // namespace alcedo
