#include "alcedo/experiment/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <pugixml.hpp>
#include <set>

#include "alcedo/experiment/report_testing.h"

namespace alcedo {
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
}  // namespace alcedo
