#include "alcedo/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "alcedo/report/report_testing.h"

namespace alcedo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

pugi::xml_document Parse(const std::string& html) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(html.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description() << " at " << html.substr(result.offset, 60);
  return document;
}

std::string Text(const pugi::xml_node& node) {
  std::string text = node.value();
  for (const pugi::xml_node& child : node.children()) text += Text(child);
  return text;
}

TEST(HtmlReport, ShowsEveryCell) {
  const Results results = PaperResults("flowers");
  const auto page = Parse(HtmlReport(results));
  std::multiset<std::string> ours;
  std::multiset<std::string> paper;
  for (const auto& node : page.select_nodes("//table[@class='results']//td")) {
    ours.insert(Text(node.node().child("span")));
    const std::string small = Text(node.node().find_child_by_attribute("class", "paper"));
    paper.insert(small.substr(small.find("paper")));
  }
  EXPECT_EQ(ours.size(), results.cells.size());
  for (const Cell& cell : results.cells) {
    const auto a = ours.find(fmt::format("{:.1f}", cell.value));
    const auto b = paper.find(fmt::format("paper {:.1f}", *cell.paper));
    ASSERT_NE(a, ours.end()) << cell.value;
    ASSERT_NE(b, paper.end()) << *cell.paper;
    ours.erase(a);
    paper.erase(b);
  }
  EXPECT_EQ(page.select_nodes("//td[@class='best']").size(), 9u);
  EXPECT_EQ(page.select_nodes("//span[@class='below']").size(), 15u);
}

TEST(HtmlReport, IsAPageThatStandsAlone) {
  Results results = HostileResults();
  const std::string html = HtmlReport(results);
  const auto page = Parse(html);
  EXPECT_EQ(page.select_nodes("//script|//link|//img|//iframe|//object").size(), 0u);
  EXPECT_EQ(page.select_nodes("//@src|//@onload|//@onclick").size(), 0u);
  for (const auto& link : page.select_nodes("//a/@href")) {
    const std::string target = link.attribute().value();
    ASSERT_EQ(target[0], '#');
    EXPECT_TRUE(page.select_node(("//*[@id='" + target.substr(1) + "']").c_str())) << target;
  }
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_EQ(page.select_nodes("//main").size(), 1u);
  EXPECT_EQ(page.select_nodes("//h1").size(), 1u);
  for (const auto& table : page.select_nodes("//table")) {
    EXPECT_GT(table.node().select_nodes(".//th[@scope='col']").size(), 0u);
  }
  EXPECT_EQ(page.select_nodes("//table[@class='results']/caption").size(),
            page.select_nodes("//table[@class='results']").size());
}

TEST(HtmlReport, PrintsNoNumberThatIsNone) {
  const auto page = Parse(HtmlReport(HostileResults()));
  for (const auto& node : page.select_nodes("//td|//svg//text|//svg//title|//figcaption")) {
    const std::string text = Text(node.node());
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
  }
}

TEST(HtmlReport, LeavesOutWhatIsEmpty) {
  const std::string empty = HtmlReport({});
  Parse(empty);
  EXPECT_THAT(empty, Not(HasSubstr("<h2")));
  EXPECT_THAT(empty, Not(HasSubstr("<nav")));
  Results one;
  one.cells.push_back(PaperResults("pets").cells[0]);
  const auto page = Parse(HtmlReport(one));
  EXPECT_EQ(page.select_nodes("//td").size(), 1u + 5);  // and what was chosen for it
  EXPECT_EQ(page.select_nodes("//td[@class='best']").size(), 0u);
}

TEST(HtmlReport, ListsWhatIsConfusedMostOften) {
  Results results;
  results.confusions.push_back(
      {"flowers", "fv", "sift", "gmp", 16, {"a", "b", "c"}, {{5, 1, 4}, {0, 9, 1}, {0, 0, 0}}});
  const auto page = Parse(HtmlReport(results));
  std::vector<std::string> rows;
  for (const auto& row : page.select_nodes("//tbody/tr")) rows.push_back(Text(row.node()));
  EXPECT_THAT(rows, testing::ElementsAre("ac4 of 1040.0%", "ab1 of 1010.0%", "bc1 of 1010.0%"));
}

TEST(HtmlReport, GivesEveryMethodOneColour) {
  Results results;
  for (const char* parameter : {"c", "power"}) {
    for (const char* descriptor : {"sift", "color"}) {
      const double sum = descriptor == std::string("sift") ? 50 : 60;
      // Against the power there are fewer methods, and in another order.
      for (const char* method : {"gmp+p", "sum+p", "gmp", "sum"}) {
        if (parameter == std::string("power") && !std::string(method).ends_with("+p")) continue;
        results.curves.push_back({"folder",
                                  "fv",
                                  descriptor,
                                  method,
                                  16,
                                  parameter,
                                  "top1-classes",
                                  {{0.1, 1}, {0.5, 2}},
                                  sum});
      }
    }
  }
  const auto page = Parse(HtmlReport(results));
  std::map<std::string, std::set<std::string>> colors, lines;
  for (const auto& node : page.select_nodes("//figure//g/path[@class='mark']/title")) {
    const std::string name = Text(node.node());  // "SIFT GMP+p: 1.0 at 0.1"
    const std::size_t space = name.find(' '), colon = name.find(':');
    const pugi::xml_node group = node.node().parent().parent();
    colors[name.substr(space + 1, colon - space - 1)].insert(group.attribute("class").value());
    lines[name.substr(0, space)].insert(group.child("path").attribute("class").value());
  }
  ASSERT_EQ(colors.size(), 4u);
  std::set<std::string> all;
  for (const auto& [method, classes] : colors) {
    EXPECT_EQ(classes.size(), 1u) << method;
    all.insert(classes.begin(), classes.end());
  }
  EXPECT_EQ(all.size(), 4u);
  EXPECT_EQ(lines["SIFT"], std::set<std::string>{"line d0"});
  EXPECT_EQ(lines["Colour"], std::set<std::string>{"line d1"});
  // A reference per descriptor, not per method, with its value.
  EXPECT_EQ(page.select_nodes("//figure//text[text()='SIFT sum pooling, 50.0']").size(), 2u);
  EXPECT_EQ(page.select_nodes("//figure//text[text()='Colour sum pooling, 60.0']").size(), 2u);
}

TEST(HtmlReport, NamesWhatItShows) {
  Results results = PaperResults("flowers");
  EXPECT_THAT(HtmlReport(results), HasSubstr(">The paper’s tables</h2>"));
  for (Cell& cell : results.cells) cell.dataset = "folder", cell.paper.reset();
  results.datasets = {{"folder", "folder photos", 4, 22, 0, 23, {}, {}}};
  results.config = {{"folds", 4}};
  results.curves.push_back(
      {"folder", "fv", "sift", "gmp", 16, "c", "top1-classes", {{1, 1}, {10, 2}}, 1.5});
  results.gains.push_back(
      {"folder", "fv", "fusion", "gmp", "sum", 16, "top1-classes", {"a"}, {1}, {2}});
  results.confusions.push_back({"folder", "fv", "fusion", "gmp", 16, {"a"}, {{1}}});
  const std::string html = HtmlReport(results);
  EXPECT_THAT(html, HasSubstr(">Results</h2>"));
  EXPECT_THAT(html, Not(HasSubstr("paper’s")));
  EXPECT_THAT(html, HasSubstr("Chosen by cross-validation with 4 folds"));
  EXPECT_THAT(html, HasSubstr("cross-validated top-1"));
  EXPECT_THAT(html, Not(HasSubstr("validation split")));
  EXPECT_THAT(html, HasSubstr("folder photos: GMP, FV, G = 16, Fusion; the gains per class are of "
                              "the same predictions."));
  results.confusions[0].descriptor = "sift";
  EXPECT_THAT(HtmlReport(results), Not(HasSubstr("same predictions")));
}

TEST(HtmlReport, HoldsManyDatasets) {
  Results results;
  for (const char* dataset : {"voc2007", "cub2010", "cub2011", "pets", "flowers"}) {
    const Results more = PaperResults(dataset);
    results.cells.insert(results.cells.end(), more.cells.begin(), more.cells.end());
  }
  const auto page = Parse(HtmlReport(results));
  EXPECT_EQ(page.select_nodes("//table[@class='results']").size(), 11u);
  EXPECT_EQ(page.select_nodes("//table[@class='results']//td").size(), 152u);
}

}  // namespace
}  // namespace alcedo::report
