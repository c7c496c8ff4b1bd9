#include "alcedo/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "alcedo/report/decisions.h"
#include "alcedo/report/report_testing.h"
#include "alcedo/report/report_text.h"

namespace alcedo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TextReport, AlignsPaperAndOurs) {
  const std::string text = TextReport(PaperResults("flowers"), false);
  // G = 256, fusion: the paper, and 0.73 below and above in turns.
  EXPECT_THAT(text, HasSubstr("77.2 / 77.9 ±1.0"));
  EXPECT_THAT(text, HasSubstr("83.5 / 82.8 ±1.0 <"));
  EXPECT_THAT(text, HasSubstr("84.6 / 83.9 ±1.0*<"));
  EXPECT_THAT(text, HasSubstr("paper / ours"));
  std::size_t rows = 0;
  std::size_t slash = 0;
  for (const std::string& line : Lines(text)) {
    if (line.find('/') == std::string::npos || line[0] != ' ') continue;
    ++rows;
    EXPECT_LE(Width(line), 100u) << line;
    if (rows == 1 || rows == 4) slash = line.find('/');  // the first row of a table
    EXPECT_EQ(line.find('/'), slash) << line;
  }
  EXPECT_EQ(rows, 9u);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(TextReport, IsBoldOnlyWhereAsked) {
  const std::string text = TextReport(PaperResults("voc2007"), true);
  EXPECT_THAT(text, HasSubstr("\x1b[1m"));
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
      continue;
    }
    i = text.find('m', i);
  }
  // The escapes take no room: what is bold may only end in more blanks.
  const auto bold = Lines(plain);
  const auto other = Lines(TextReport(PaperResults("voc2007"), false));
  ASSERT_EQ(bold.size(), other.size());
  for (std::size_t i = 0; i < bold.size(); ++i) EXPECT_EQ(bold[i].find(other[i]), 0u);
}

TEST(TextReport, SplitsWideTables) {
  Results results = PaperResults("flowers");
  for (int i = 0; i < 12; ++i) {
    Cell cell = results.cells[0];
    cell.table = "beyond";
    cell.paper.reset();
    cell.method = "a-rather-long-method-" + std::to_string(i);
    results.cells.push_back(cell);
  }
  const std::string text = TextReport(results, false);
  for (const std::string& line : Lines(text)) {
    if (line.starts_with("  ")) {
      EXPECT_LE(Width(line), 100u) << line;
    }
  }
  EXPECT_THAT(text, HasSubstr("a-rather-long-method-11"));
}

TEST(TextReport, SaysWhatFailed) {
  Results results;
  results.checks.push_back({"flowers", "GMP equals max for hard BOV", 0.25, 1e-4, 6149, false});
  results.comparisons.push_back({"flowers", "fv", "sift", "gmp", "sum", 16, "m", 4.4, 3.1, 5.6, 0});
  Decide(results);
  const std::string text = TextReport(results, false);
  EXPECT_THAT(text, HasSubstr("FAILS: GMP equals max for hard BOV (Oxford 102 Flowers; deviation "
                              "0.25, tolerance 1e-4, 6,149 images)"));
  EXPECT_THAT(text, HasSubstr("GMP against sum +4.4 points [+3.1, +5.6], p < 0.001\n"));
  results.comparisons[0].p = 0.066;
  Decide(results);
  EXPECT_THAT(TextReport(results, false), HasSubstr("[+3.1, +5.6], p = 0.066, undecided\n"));
  results.comparisons.push_back(results.comparisons[0]);
  Decide(results);
  EXPECT_THAT(TextReport(results, false), HasSubstr("p = 0.066, corrected 0.13, undecided\n"));
  EXPECT_THAT(text, HasSubstr("not complete"));
}

TEST(TextReport, StandsEmptyResultsOneCellAndManyDatasets) {
  Results results;
  results.complete = true;
  EXPECT_EQ(TextReport(results, true), "");
  results.cells.push_back(PaperResults("pets").cells[0]);
  EXPECT_THAT(TextReport(results, false), HasSubstr("21.7 / 22.4 ±1.0"));
  for (const char* dataset : {"voc2007", "cub2010", "cub2011", "flowers"}) {
    const Results more = PaperResults(dataset);
    results.cells.insert(results.cells.end(), more.cells.begin(), more.cells.end());
  }
  const std::string text = TextReport(results, false);
  EXPECT_THAT(text, HasSubstr("Table 2: Fisher Vectors. Caltech-UCSD Birds 2011"));
  EXPECT_THAT(text, HasSubstr("Spatial pyramids. PASCAL VOC 2007"));
}

TEST(TextReport, PrintsNothingHostile) {
  const std::string text = TextReport(HostileResults(), false);
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  EXPECT_THAT(text, Not(HasSubstr("\xFF")));
}

TEST(MarkdownReport, HasEveryPart) {
  const std::string text = MarkdownReport(PaperResults("flowers"));
  EXPECT_THAT(text, HasSubstr("# Results\n15 of the paper's 30 numbers"));
  EXPECT_THAT(text, HasSubstr("## Table 1: Efficient Match Kernels\n"));
  EXPECT_THAT(text, HasSubstr("## Table 2: Fisher Vectors\n"));
  EXPECT_THAT(text, HasSubstr("| G = 256, Fusion | 77.9 ±1.0 / 75.9 (77.2) | 82.8 ±1.0 / 80.8 "
                              "(83.5 ↓) | 82.9 ±1.0 / 80.9 (82.2) | **83.9** ±1.0 / 81.9 (84.6 ↓) "
                              "|\n"));
  EXPECT_THAT(text, HasSubstr("mean over classes, ± half of the 95% interval, or the interval / "
                              "top-1 accuracy in %, mean over images; the paper in brackets"));
  EXPECT_THAT(text, HasSubstr("## Chosen parameters\nChosen on the validation split; "));
  EXPECT_THAT(text, HasSubstr("| 1e4! | 0.3 |"));
  EXPECT_THAT(text, HasSubstr("Alcedo 1.2.3. Seeds: 1, 2."));
  EXPECT_THAT(text, Not(HasSubstr("Beyond")));
  EXPECT_THAT(text, Not(HasSubstr("## Checks")));
}

TEST(MarkdownReport, KeepsHostileNamesInTheirCells) {
  const std::string text = MarkdownReport(HostileResults());
  const std::string tables = text.substr(0, text.find("## Configuration"));
  EXPECT_THAT(tables, Not(HasSubstr("<script>")));
  EXPECT_THAT(tables, Not(HasSubstr("nan")));
  std::size_t columns = 0;
  for (const std::string& line : Lines(tables)) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (line.empty() || line[0] != '|')
      columns = 0;
    else if (columns == 0)
      columns = bars;
    EXPECT_TRUE(columns == 0 || bars == columns) << line;
  }
  EXPECT_EQ(MarkdownReport({}).find("# Results\n"), 0u);
}

// tests/docs/report_page writes them again: report_page X.json X.md.
TEST(MarkdownReport, ThePagesOfTheDocumentationAreUpToDate) {
  const std::filesystem::path folder = std::filesystem::path(ALCEDO_SOURCE_DIR) / "docs/results";
  int pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::filesystem::path file = entry.path();
    // The others are of scripts/bench, scripts/campaign and the benchmark of the PyTorch layer.
    const std::set<std::string> others = {"bench.json", "campaign.json", "torch.json"};
    if (file.extension() != ".json" || others.contains(file.filename())) continue;
    std::ifstream json(file);
    const Results results = ResultsFromJson(Json::parse(json), file.string());
    std::ifstream page(file.replace_extension(".md"));
    std::stringstream text;
    text << page.rdbuf();
    EXPECT_EQ(MarkdownReport(results), text.str()) << file;
    ++pages;
  }
  EXPECT_GE(pages, 3);
}

}  // namespace
}  // namespace alcedo::report
