#include "alcedo/report/svg_plot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>

#include "alcedo/report/report_testing.h"

namespace alcedo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

pugi::xml_document Parse(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description() << " at " << svg.substr(result.offset, 60);
  return document;
}

// Every plot: well formed, scales, has a text alternative, holds no number that is none.
pugi::xml_document ParsePlot(const std::string& svg) {
  pugi::xml_document document = Parse(svg);
  const pugi::xml_node root = document.child("svg");
  EXPECT_STREQ(root.first_child().name(), "title");
  EXPECT_STRNE(root.child("desc").text().as_string(), "");
  EXPECT_STREQ(root.attribute("width").value(), "100%");
  // Not without bounds: lettering would grow with it.
  const std::string box = root.attribute("viewBox").value();
  EXPECT_EQ(root.attribute("style").value(),
            fmt::format("max-width:{:g}px", 1.25 * std::stod(box.substr(4))));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  return document;
}

std::size_t Count(const pugi::xml_document& document, const char* path) {
  return document.select_nodes(path).size();
}

std::vector<std::string> Labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks) labels.push_back(tick.label);
  return labels;
}

TEST(AxisTicks, AreRound) {
  EXPECT_THAT(Labels(LinearTicks(0, 1, 5)),
              ::testing::ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(Labels(LinearTicks(-13, 24, 6)), ::testing::ElementsAre("−10", "0", "10", "20"));
  EXPECT_THAT(Labels(LogTicks(1, 1000, 8)), ::testing::ElementsAre("1", "10", "100", "1000"));
  EXPECT_THAT(Labels(LogTicks(0.9, 1.1e6, 4)), ::testing::ElementsAre("10⁰", "10²", "10⁴", "10⁶"));
  EXPECT_THAT(Labels(LogTicks(2, 8, 8)), ::testing::ElementsAre("2", "5"));
  EXPECT_EQ(LinearTicks(3, 3, 5).size(), 1u);
}

LineChart SampleChart() {
  LineChart chart;
  chart.title = "Accuracy against lambda";
  chart.description = "It rises and falls.";
  chart.x_title = "lambda";
  chart.y_title = "top-1, %";
  chart.series = {{"SIFT", {{1, 33.4}, {10, 37.2}, {100, 42.9}, {1000, 50.2}}, {}, {}},
                  {"Colour", {{1, 40}, {10, 41}}, {}, {}}};
  chart.references = {{"SIFT sum", 52.7, 6, 0}, {"Colour sum", 31.0, 6, 1}};
  return chart;
}

TEST(LineChart, DrawsEveryPoint) {
  LineChart chart = SampleChart();
  for (const bool log_x : {false, true}) {
    chart.log_x = log_x;
    const auto svg = ParsePlot(LineChartSvg(chart));
    EXPECT_EQ(Count(svg, "//path[@class='mark']/title"), 6u);
    EXPECT_EQ(Count(svg, "//path[starts-with(@class, 'line')]"), 2u);
    EXPECT_EQ(Count(svg, "//text[text()='SIFT']"), 1u);
    // Each reference in the plot and in the legend, by a name and dots of its own.
    for (const char* dots : {"dots d0", "dots d1"}) {
      EXPECT_EQ(svg.select_nodes(fmt::format("//line[@class='{}']", dots).c_str()).size(), 2u);
    }
    EXPECT_EQ(Count(svg, "//text[text()='SIFT sum']"), 1u);
    EXPECT_EQ(Count(svg, "//text[text()='Colour sum']"), 1u);
  }
}

TEST(LineChart, DrawsInTheColoursItIsTold) {
  LineChart chart = SampleChart();
  chart.series[0].color = 4;
  chart.series[0].style = 2;
  const auto svg = ParsePlot(LineChartSvg(chart));
  EXPECT_EQ(Count(svg, "//g[@class='s4']/path[@class='line d2']"), 1u);
  EXPECT_EQ(Count(svg, "//g[@class='s4']/line[@class='line d2']"), 1u);  // in the legend
  EXPECT_EQ(Count(svg, "//g[@class='s1']/path[@class='line d1']"), 1u);
}

TEST(LineChart, PlacesPointsByTheScale) {
  LineChart chart = SampleChart();
  chart.log_x = true;
  const auto svg = ParsePlot(LineChartSvg(chart));
  std::vector<double> x;
  for (const auto& mark : svg.select_nodes("//g[@class='s0']/path[@class='mark'][title]")) {
    const std::string move = mark.node().attribute("transform").value();
    x.push_back(std::stod(move.substr(move.find('(') + 1)));
  }
  ASSERT_EQ(x.size(), 4u);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.05);
  EXPECT_NEAR(x[1] - x[0], x[3] - x[2], 0.05);
  EXPECT_GT(x[1], x[0]);
}

TEST(LineChart, LeavesOutWhatCannotBeDrawn) {
  LineChart chart = SampleChart();
  chart.log_x = true;
  chart.series[0].points = {{0, 1}, {-1, 2}, {1, NAN}, {INFINITY, 3}, {1, 5}};
  chart.references[0].value = INFINITY;
  EXPECT_EQ(Count(ParsePlot(LineChartSvg(chart)), "//path[@class='mark']/title"), 3u);
  chart.series = {{"one", {{5, 5}}, {}, {}}};
  ParsePlot(LineChartSvg(chart));
  chart.series.clear();
  ParsePlot(LineChartSvg(chart));
}

TEST(LineChart, HasLabelsThatDoNotOverlap) {
  LineChart chart = SampleChart();
  chart.series[0].points.clear();
  for (int i = -20; i <= 20; ++i) chart.series[0].points.push_back({std::pow(10.0, i), 1.0 * i});
  chart.log_x = true;
  const auto svg = ParsePlot(LineChartSvg(chart));
  double end = 0;
  std::size_t labels = 0;
  for (const auto& node : svg.select_nodes("//text[starts-with(text(), '10')]")) {
    if (std::string(node.node().attribute("text-anchor").value()) != "middle") continue;
    ++labels;
    const double x = node.node().attribute("x").as_double();
    EXPECT_GT(x - 16, end);
    end = x + 16;
  }
  EXPECT_GE(labels, 4u);
}

TEST(BarChart, SortsAndKeepsEveryBarReadable) {
  BarChart chart;
  chart.title = "Gains";
  chart.description = "Of 102 classes.";
  for (int i = 0; i < 102; ++i)
    chart.bars.push_back({"class " + std::to_string(i), 1.0 * ((i * 37) % 41 - 12), "x"});
  chart.bars.push_back({"none", NAN, ""});
  const auto svg = ParsePlot(BarChartSvg(chart));
  EXPECT_EQ(Count(svg, "//rect"), 102u);
  double last = -20;
  for (const auto& rect : svg.select_nodes("//rect")) {
    const double y = rect.node().attribute("y").as_double();
    EXPECT_GE(y - last, 13);  // of 10 or 11 units of text
    EXPECT_GE(rect.node().attribute("width").as_double(), 0);
    last = y;
  }
  EXPECT_STREQ(svg.select_node("//g[title]/title").node().text().as_string(), "class 31: +28.0, x");
  EXPECT_EQ(Count(svg, "//g[@class='s1']"), 30u);  // those that lose
  chart.color = 3;
  chart.negative_color = 6;
  const auto other = ParsePlot(BarChartSvg(chart));
  EXPECT_EQ(Count(other, "//g[@class='s6']"), 30u);
  EXPECT_EQ(Count(other, "//g[@class='s3']"), 72u);
  ParsePlot(BarChartSvg({"t", "d", "x", {}}));
  ParsePlot(BarChartSvg({"t", "d", "x", {{"zero", 0, ""}}}));
}

TEST(HeatMap, ShowsSharesOfRows) {
  HeatMap map{"t", "d", "truth", "predicted", {"a", "b"}, {{1, 3}, {0, 0}}};
  const auto svg = ParsePlot(HeatMapSvg(map));
  const auto cells = svg.select_nodes("//g[@class='heat']/rect");
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_STREQ(cells[0].node().child("title").text().as_string(), "a → a: 1 of 4 (25.0%)");
  EXPECT_EQ(cells[0].node().attribute("fill-opacity").as_double(), 0.5);
  // Its counts stand in the cells.
  EXPECT_EQ(Count(svg, "//text[text()='1' or text()='3']"), 2u);
  ParsePlot(HeatMapSvg({"t", "d", "", "", {}, {}}));
  ParsePlot(HeatMapSvg({"t", "d", "", "", {"a", "b", "c"}, {{1}, {1, 2, 3, 4}}}));
}

TEST(HeatMap, SkipsNamesWhereThereIsNoRoom) {
  HeatMap map{"t", "d", "truth", "predicted", {}, {}};
  for (int i = 0; i < 102; ++i) {
    map.classes.push_back("class " + std::to_string(i));
    map.counts.emplace_back(102, 1);
  }
  const auto svg = ParsePlot(HeatMapSvg(map));
  EXPECT_EQ(Count(svg, "//g[@class='heat']/rect"), 102u * 102);
  double last = 0;
  for (const auto& label : svg.select_nodes("//text[@class='tiny'][@text-anchor='end']")) {
    EXPECT_GE(label.node().attribute("y").as_double() - last, 9);
    last = label.node().attribute("y").as_double();
  }
  EXPECT_GT(last, 0);
  EXPECT_EQ(Count(svg, "//text[text()='1']"), 0u);
}

TEST(HeatMap, IsNoWiderThanItsClassesNeed) {
  const auto width = [](std::size_t classes) {
    HeatMap map{"t", "d", "truth", "predicted", {}, {}};
    for (std::size_t i = 0; i < classes; ++i) {
      map.classes.push_back("a name as others");
      map.counts.emplace_back(classes, 1);
    }
    const auto svg = ParsePlot(HeatMapSvg(map));
    const std::string box = svg.child("svg").attribute("viewBox").value();
    const double all = std::stod(box.substr(4));
    // Whatever is drawn lies within it, the scale too.
    for (const auto& node : svg.select_nodes("//text[not(@transform)]|//rect[@class='heat']")) {
      EXPECT_LT(node.node().attribute("x").as_double(), all);
    }
    double scale = 0;
    for (const auto& node : svg.select_nodes("//text[contains(text(), '%')]")) {
      scale = std::max(scale, node.node().attribute("x").as_double());
    }
    EXPECT_LT(scale, 340) << "a telephone shows no more";
    return all;
  };
  EXPECT_LE(width(4), 368);
  EXPECT_LE(width(12), 700);
  EXPECT_LE(width(102), 760);
}

TEST(Plots, EscapeHostileNames) {
  const std::string& h = kHostile;
  LineChart lines{h, h, h, h, false, {{h, {{1, 2}, {2, 3}}, {}, {}}}, {{h, 2.5, 0, 0}}};
  EXPECT_THAT(LineChartSvg(lines), Not(HasSubstr("<script")));
  ParsePlot(LineChartSvg(lines));
  ParsePlot(BarChartSvg({h, h, h, {{h, -1, h}}}));
  ParsePlot(HeatMapSvg({h, h, h, h, {h}, {{1}}}));
  const std::string longest(400, 'w');
  ParsePlot(BarChartSvg({longest, "d", "x", {{longest, 1, ""}}}));
  ParsePlot(HeatMapSvg({longest, "d", "x", "y", {longest}, {{1}}}));
}

}  // namespace
}  // namespace alcedo::report
