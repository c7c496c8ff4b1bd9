#include "alcedo/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "alcedo/report/decisions.h"
#include "alcedo/report/findings.h"
#include "alcedo/report/methods.h"
#include "alcedo/report/report_lists.h"
#include "alcedo/report/report_testing.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReportText, WritesNumbers) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Percent(84.649), "84.6");
  EXPECT_EQ(Percent(-0.01), "0.0");
  EXPECT_EQ(Percent(kNan), "–");
  EXPECT_EQ(Signed(1.26), "+1.3");
  EXPECT_EQ(Signed(-1.26), "−1.3");
  EXPECT_EQ(Signed(-0.04), "0.0");
  EXPECT_EQ(HalfWidth(83, 85), "±1.0");
  EXPECT_EQ(HalfWidth(1, 1), "");
  EXPECT_EQ(HalfWidth(kNan, 1), "");
  EXPECT_EQ(PValue(0.0004), "< 0.001");
  EXPECT_EQ(PValue(0.0312), "0.031");
  EXPECT_EQ(PValue(0.5), "0.50");
  EXPECT_EQ(Short(0.3), "0.3");
  EXPECT_EQ(Short(100000), "1e5");
  EXPECT_EQ(Short(2.5e-9), "2.5e-9");
  EXPECT_EQ(Short(-12345), "-1.234e4");
  EXPECT_EQ(Short(0), "0");
  EXPECT_EQ(Thousands(-1234567), "-1,234,567");
  EXPECT_EQ(Span(3.21), "3.2 s");
  EXPECT_EQ(Span(200), "3 min 20 s");
  EXPECT_EQ(Span(9999), "2 h 46 min");
}

TEST(ReportText, NamesThings) {
  EXPECT_EQ(MethodName("gmp+p"), "GMP+p");
  EXPECT_EQ(MethodName("gamma-democratic"), "γ-democratic");
  EXPECT_EQ(MethodName("mine+x"), "mine+x");
  EXPECT_EQ(EncoderName("fv", 256), "FV, G = 256");
  EXPECT_EQ(EncoderName("emk", 0), "EMK");
  EXPECT_EQ(EncoderName("fv-pyramid", 256), "FV, G = 256, pyramid");
}

TEST(ReportText, CleansTextFromAnywhere) {
  EXPECT_EQ(CleanText("a\nb\tc"), "a b c");
  EXPECT_EQ(CleanText("café λ 花 😀"), "café λ 花 😀");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(CleanText("\xFF"), bad);
  EXPECT_EQ(CleanText("\xC3"), bad);
  EXPECT_EQ(CleanText("\xC0\xAF"), bad + bad);            // overlong
  EXPECT_EQ(CleanText("\xED\xA0\x80"), bad + bad + bad);  // a surrogate
  EXPECT_EQ(CleanText("\x1b[1m"), bad + "[1m");
  EXPECT_EQ(Escape("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(MarkdownEscape("a|b*<i>"), "a\\|b\\*&lt;i>");
  EXPECT_EQ(MarkdownEscape("p < 0.05 <"), "p < 0.05 &lt;");
}

TEST(TableLayout, OrdersWhateverOrderCellsCameIn) {
  Results results = PaperResults("flowers");
  std::reverse(results.cells.begin(), results.cells.end());
  const std::vector<TableLayout> tables = LayOutTables(results);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0].methods, ElementsAre("sum", "gmp"));
  EXPECT_THAT(tables[1].methods, ElementsAre("sum", "sum+p", "gmp", "gmp+p"));
  ASSERT_EQ(tables[1].rows.size(), 6u);
  EXPECT_EQ(tables[1].rows[0].group, "G = 16");
  EXPECT_EQ(tables[1].rows[5].group, "G = 256");
  EXPECT_EQ(tables[1].rows[5].label, "Fusion");
  EXPECT_EQ(tables[1].rows[5].cells[3]->paper, 84.6);
}

TEST(TableLayout, LosesNoCell) {
  Results results = PaperResults("flowers");
  results.cells.push_back(results.cells[3]);  // twice the same
  std::size_t shown = 0;
  for (const TableLayout& table : LayOutTables(results)) {
    for (const TableRow& row : table.rows) {
      for (const Cell* cell : row.cells) shown += cell != nullptr;
    }
  }
  EXPECT_EQ(shown, results.cells.size());
}

TEST(TableLayout, ShowsGmpBesideWhatGoesBeyondThePaper) {
  Results results = PaperResults("flowers");
  Cell cell = results.cells.back();  // G = 256, fusion
  cell.table = "beyond";
  cell.method = "democratic";
  cell.paper.reset();
  results.cells.push_back(cell);
  const TableLayout table = LayOutTables(results).back();
  EXPECT_THAT(table.methods, ElementsAre("sum", "sum+p", "gmp", "gmp+p", "democratic"));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].cells[2]->paper, 82.2);
  EXPECT_EQ(table.rows[0].cells[4], &results.cells.back());
  EXPECT_FALSE(table.has_paper);
}

TEST(TableLayout, ComparesAsThePaperPrints) {
  Cell cell;
  EXPECT_FALSE(Reaches(cell) || FallsShort(cell));
  cell.paper = 84.6;
  cell.value = 84.56;
  EXPECT_TRUE(Reaches(cell));
  cell.value = 84.54;
  EXPECT_TRUE(FallsShort(cell));
}

TEST(TableLayout, ShowsIntervalsThatLeadNowhereElse) {
  Cell cell;
  cell.value = 50;
  cell.low = 40;
  cell.high = 62;
  EXPECT_EQ(IntervalText(cell), "±11.0");
  cell.value = cell.high = 100;
  cell.low = 67.56;
  EXPECT_EQ(IntervalText(cell), "67.6–100.0");  // not 100 and 16 more
  cell.value = cell.low = 0;
  cell.high = 30;
  EXPECT_EQ(IntervalText(cell), "0.0–30.0");
  cell.high = 0;
  EXPECT_EQ(IntervalText(cell), "");
}

TEST(Chosen, JoinsChannelsAndSeeds) {
  Cell cell;
  EXPECT_TRUE(Chosen(cell).empty());
  cell.chosen = Json::parse(R"([[{"lambda": 1e4, "c": 10}, {"lambda": 1e5, "edge": ["lambda"]}],
                                [{"lambda": 1e4, "c": 10}, {"lambda": 1e4}], 7])");
  const std::vector<ChosenParameter> chosen = Chosen(cell);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].values, "1e4 + 1e5!; 1e4 + 1e4");
  EXPECT_EQ(chosen[1].values, "10 + –");
}

TEST(Findings, CountWhatIsReached) {
  const Results results = PaperResults("flowers");
  std::size_t reached = 0;
  for (const Cell& cell : results.cells) reached += cell.value > *cell.paper;
  ASSERT_EQ(results.cells.size(), 30u);
  const std::vector<std::string> sentences = SummarySentences(results);
  ASSERT_EQ(sentences.size(), 2u);
  // 0.73 below, with intervals that end 0.96 above.
  EXPECT_EQ(sentences[0],
            "15 of the paper's 30 numbers are reached or beaten; the other 15 lie within our "
            "95% interval.");
  // Of the paper: 13.7, 9.1 and 5.0 for sum, 1.4 and -1.3 for sum+p; EMK's loses 1.46 here.
  EXPECT_THAT(
      sentences[1],
      HasSubstr("On 6,149 test images, with late fusion, GMP is 8.8 points above sum pooling "
                "(mean of 3, not tested), in the paper +9.3; GMP is 1.5 points above sum "
                "pooling with"));
}

Comparison Tested(const std::string& encoder, int gaussians, double difference, double low,
                  double high, double p) {
  return {"flowers",  encoder, "fusion", "gmp", "sum", gaussians,   "top1-classes",
          difference, low,     high,     p,     1,     {difference}};
}

void Compare(Results& results, std::vector<Comparison> comparisons) {
  results.comparisons = std::move(comparisons);
  Decide(results);
}

TEST(Findings, CallUndecidedWhatTheTestImagesDoNotDecide) {
  Results results;
  results.datasets.push_back({"flowers", "", 4, 22, 0, 23, {}, {}});
  for (const std::string method : {"sum", "gmp"}) {
    Cell& cell = results.cells.emplace_back();
    cell.dataset = "flowers";
    cell.table = "2";
    cell.encoder = "fv";
    cell.gaussians = 16;
    cell.descriptor = "fusion";
    cell.method = method;
    cell.metric = "top1-classes";
    cell.value = method == "sum" ? 57.6 : 50;
  }
  Compare(results, {Tested("fv", 16, -7.6, -25.2, 9.9, 0.55)});
  EXPECT_THAT(
      SummarySentences(results),
      ElementsAre("On 23 test images, with late fusion, GMP against sum pooling is undecided: "
                  "−7.6 points (95% interval −25.2 to +9.9, p = 0.55)."));
  // An interval without 0 does not decide it alone, nor does p.
  Compare(results, {Tested("fv", 16, 20.5, 5.0, 36.8, 0.066)});
  EXPECT_THAT(SummarySentences(results)[0], HasSubstr("undecided"));
  Compare(results, {Tested("fv", 16, 20.5, -0.1, 36.8, 0.04)});
  EXPECT_THAT(SummarySentences(results)[0], HasSubstr("undecided"));
  Compare(results, {Tested("fv", 16, -7.6, -15.2, -0.9, 0.012)});
  EXPECT_THAT(
      SummarySentences(results)[0],
      HasSubstr("GMP is 7.6 points below sum pooling (95% interval −15.2 to −0.9, p = 0.012)."));
  // Nor does a p that is small only among five.
  Compare(results, std::vector(5, Tested("fv", 16, -7.6, -15.2, -0.9, 0.012)));
  EXPECT_THAT(
      SummarySentences(results)[0],
      HasSubstr(
          "undecided: −7.6 points (95% interval −15.2 to −0.9, p = 0.012, corrected 0.060)."));
}

TEST(Findings, CountWhatIsDecided) {
  Results results = PaperResults("flowers");
  Compare(results, {Tested("emk", 0, 9, 7, 11, 0.0005), Tested("fv", 16, 8, 6, 10, 0.0005),
                    Tested("fv", 256, 1, -1, 3, 0.3)});
  EXPECT_THAT(
      SummarySentences(results)[1],
      HasSubstr("above sum pooling (mean of 3, above in 2, undecided in 1 of 3), in the paper"));
  for (Comparison& c : results.comparisons) c.p = 0.3;
  Decide(results);
  EXPECT_THAT(SummarySentences(results)[1],
              HasSubstr("GMP against sum pooling is undecided: +8.8 points (mean of 3, none of 3 "
                        "decided), in the paper +9.3"));
}

TEST(ReportText, SaysHowParametersWereChosen) {
  Results results;
  results.datasets.push_back({"flowers", "", 2, 10, 10, 9, {}, {}});
  results.datasets.push_back({"folder", "", 2, 20, 0, 9, {}, {}});
  EXPECT_EQ(ChosenHow(results, "flowers"), "on the validation split");
  EXPECT_EQ(ChosenHow(results, "folder"), "by cross-validation of the training images");
  results.config = {{"folds", 5}};
  EXPECT_EQ(ChosenHow(results, "folder"),
            "by cross-validation with 5 folds of the training images");
  results.datasets[1].train = 3;  // no more folds than images
  EXPECT_EQ(ChosenHow(results, "folder"),
            "by cross-validation with 3 folds of the training images");
}

TEST(ReportText, SaysWhatIntervalsAndPAre) {
  Results results;
  results.comparisons = {Tested("fv", 16, 20.5, 5.0, 36.8, 0.066)};
  EXPECT_THAT(ComparisonsNote(results), HasSubstr("of one seed, "));
  EXPECT_THAT(ComparisonsNote(results), HasSubstr("sign flips"));
  EXPECT_THAT(ComparisonsNote(results), HasSubstr("two tests"));
  results.comparisons[0].metric = "map-voc11";
  EXPECT_THAT(ComparisonsNote(results), testing::Not(HasSubstr("sign flips")));
  results.comparisons[0].seeds = 2;
  EXPECT_THAT(ComparisonsNote(results), HasSubstr("other test images and other seeds together"));
  EXPECT_THAT(ComparisonsNote(results), testing::Not(HasSubstr("one seed")));
}

TEST(ComparisonsList, HasTheVerdictUnderItsName) {
  Results results;
  Compare(results, {Tested("fv", 16, 2, 1, 3, 0.01), Tested("emk", 0, -4, -5, -3, 0.0001)});
  for (const bool seeds_differ : {false, true}) {
    if (seeds_differ) results.comparisons[1].seeds = 3;
    const List list = ComparisonsList(results);
    std::map<std::string, std::string> first, second;
    for (std::size_t i = 0; i < list.columns.size(); ++i) {
      first[list.columns[i].name] = list.rows[0].at(i);
      second[list.columns[i].name] = list.rows[1].at(i);
    }
    EXPECT_EQ(first.at("Verdict"), "ahead");
    EXPECT_EQ(second.at("Verdict"), "behind");
    EXPECT_EQ(first.at("Corrected p"), "0.010");
    EXPECT_EQ(second.at("p"), "< 0.001");
    EXPECT_EQ(second.at("Difference"), "−4.0");
    EXPECT_EQ(second.contains("Seeds"), seeds_differ);
    if (seeds_differ) {
      EXPECT_EQ(second.at("Seeds"), "3");
    }
  }
}

TEST(ReportText, SaysWhatTheIntervalOfACellIs) {
  Results results = PaperResults("flowers");  // of two seeds, as older versions wrote it
  EXPECT_EQ(IntervalNote(results), "± half of the 95% interval, or the interval");
  results.comparisons = {Tested("fv", 16, 20.5, 5.0, 36.8, 0.066)};
  results.comparisons[0].seeds = 2;
  EXPECT_EQ(IntervalNote(results),
            "± half of the 95% interval over seeds and test images, or the interval");
  results.comparisons.clear();
  for (Cell& cell : results.cells) cell.seeds = {cell.value};
  EXPECT_EQ(IntervalNote(results),
            "± half of the 95% interval over test images, of one seed, or the interval");
}

TEST(Findings, SetDemocraticAgainstGmp) {
  Results results = PaperResults("flowers");
  EXPECT_TRUE(BeyondSentences(results).empty());
  for (const std::string descriptor : {"sift", "fusion"}) {
    Cell cell;
    cell.dataset = "flowers";
    cell.table = "beyond";
    cell.encoder = "fv";
    cell.gaussians = 256;
    cell.descriptor = descriptor;
    cell.method = "democratic";
    cell.metric = "top1-classes";
    cell.value = descriptor == "sift" ? 70 : 90;
    results.cells.push_back(cell);
  }
  Comparison comparison;
  comparison.method = "democratic";
  comparison.baseline = "gmp";
  comparison.difference = -2;
  comparison.low = -3;
  comparison.high = -1;
  comparison.p = 0.01;
  Compare(results, {comparison});
  // GMP: 72.8 + 0.73 and 82.2 + 0.73.
  EXPECT_THAT(
      BeyondSentences(results),
      ElementsAre("Democratic against GMP: +1.8 points on average of 2 cells; of 1 comparison "
                  "it is ahead in 0, behind in 1, and 0 are undecided."));
  results.comparisons[0].high = 1;
  Decide(results);
  EXPECT_THAT(BeyondSentences(results)[0], HasSubstr("behind in 0, and 1 is undecided."));
}

}  // namespace
}  // namespace alcedo::report
