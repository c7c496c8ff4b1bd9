#include "alcedo/report/paper_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace alcedo::report {
namespace {

TEST(PaperTables, HaveEveryCellOnce) {
  std::set<std::tuple<std::string_view, std::string_view, int, std::string_view, std::string_view>>
      keys;
  std::map<std::string_view, double> sums;
  for (const PaperCell& cell : PaperCells()) {
    EXPECT_TRUE(
        keys.insert({cell.table, cell.dataset, cell.gaussians, cell.descriptor, cell.method})
            .second);
    sums[cell.table] += cell.value;
  }
  EXPECT_EQ(keys.size(), 3u * 5 * 2 + 2u * 3 * 5 * 4 + 2);
  // Added up from the paper by another program.
  EXPECT_NEAR(sums["1"], 842.6, 1e-9);
  EXPECT_NEAR(sums["2"], 4601.4, 1e-9);
}

TEST(PaperTables, KnowWhatTheTextQuotes) {
  EXPECT_EQ(PaperValue("2", "cub2011", "fv", 256, "fusion", "sum"), 13.2);
  EXPECT_EQ(PaperValue("2", "cub2011", "fv", 256, "fusion", "gmp"), 30.8);
  EXPECT_EQ(PaperValue("2", "flowers", "fv", 256, "fusion", "sum+p"), 83.5);
  EXPECT_EQ(PaperValue("2", "flowers", "fv", 256, "fusion", "gmp"), 82.2);
  EXPECT_EQ(PaperValue("2", "pets", "fv", 256, "fusion", "gmp"), 56.1);
  EXPECT_EQ(PaperValue("1", "cub2011", "emk", 0, "fusion", "gmp"), 24.8);
  EXPECT_EQ(PaperValue("pyramid", "voc2007", "fv", 256, "fusion", "gmp"), 62.0);
  EXPECT_EQ(PaperValue("pyramid", "voc2007", "fv", 256, "fusion", "sum+p"), 60.2);
  EXPECT_EQ(PaperValue("pyramid", "flowers", "fv", 256, "fusion", "gmp"), std::nullopt);
  EXPECT_EQ(PaperValue("1", "flowers", "fv", 16, "sift", "gmp"), std::nullopt);
  EXPECT_EQ(PaperMetric("voc2007"), "map-voc11");
  EXPECT_EQ(PaperMetric("flowers"), "top1-classes");
  EXPECT_EQ(PaperMetric("folder"), std::nullopt);
  EXPECT_EQ(DatasetTitle("flowers"), "Oxford 102 Flowers");
  EXPECT_EQ(DatasetTitle("mine"), "mine");
}

// The numbers of one line of a LaTeX table: what stands between its "&", without the markup.
std::vector<double> NumbersOf(std::string line) {
  std::vector<double> numbers;
  std::size_t start = line.find('&');
  while (start != std::string::npos) {
    const std::size_t end = line.find('&', start + 1);
    const std::string field = line.substr(start + 1, end - start - 1);
    const std::size_t digit = field.find_first_of("0123456789");
    if (digit != std::string::npos && field.find("multi") == std::string::npos) {
      numbers.push_back(std::stod(field.substr(digit)));
    }
    start = end;
  }
  return numbers;
}

TEST(PaperTables, AreThePaper) {
  const std::filesystem::path file = std::filesystem::path(ALCEDO_SOURCE_DIR) / ".." / "shared" /
                                     "paper" / "generalized-max-pooling.tex";
  std::ifstream tex(file);
  if (!tex) GTEST_SKIP() << file << " is not there";
  std::vector<double> printed;  // of Table 1, then of Table 2, row by row
  bool in_table = false;
  bool has_pyramids = false;
  for (std::string line; std::getline(tex, line);) {
    has_pyramids |= line.find("GMP obtains 62.0\\% compared to 60.2\\% for the power") != line.npos;
    if (line.find("\\begin{table") == 0) in_table = true;
    if (line.find("\\end{table") == 0) in_table = false;
    if (!in_table || line.find('.') == std::string::npos) continue;
    const std::vector<double> row = NumbersOf(line);
    // Rows have a number for each of five datasets and two or four methods; captions have none.
    if (row.size() == 10 || row.size() == 20) printed.insert(printed.end(), row.begin(), row.end());
  }
  EXPECT_TRUE(has_pyramids);
  ASSERT_EQ(printed.size(), 150u);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_EQ(PaperCells()[i].value, printed[i])
        << PaperCells()[i].dataset << ' ' << PaperCells()[i].method;
  }
}

}  // namespace
}  // namespace alcedo::report
