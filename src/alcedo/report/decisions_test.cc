#include "alcedo/report/decisions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/report/report_testing.h"

namespace alcedo::report {
namespace {

Comparison Tested(double difference, double low, double high, double p,
                  std::vector<double> differences) {
  Comparison c;
  c.dataset = "flowers";
  c.difference = difference;
  c.low = low;
  c.high = high;
  c.p = p;
  c.seeds = static_cast<int>(differences.size());
  c.differences = std::move(differences);
  return c;
}

Verdict VerdictOf(const Comparison& comparison) {
  Results results;
  results.comparisons = {comparison};
  Decide(results);
  EXPECT_EQ(results.comparisons[0].corrected_p, std::isnan(comparison.p) ? 1 : comparison.p);
  return results.comparisons[0].verdict;
}

TEST(Decide, WantsPTheIntervalAndEverySeed) {
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, 0.01, {2})), Verdict::kAhead);
  EXPECT_EQ(VerdictOf(Tested(-2, -3, -1, 0.01, {-2})), Verdict::kBehind);
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, 0.05, {2})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(2, -0.1, 3, 0.01, {2})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(-2, -3, 0, 0.01, {-2})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, 0.01, {1, 3})), Verdict::kAhead);
  EXPECT_EQ(VerdictOf(Tested(-2, -3, -1, 0.01, {-1, -3})), Verdict::kBehind);
  // Seeds that disagree do not decide, nor does one that sees no difference.
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, 0.01, {-1, 5})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, 0.01, {0, 4})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(-2, -3, -1, 0.01, {-5, -2, 1})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(2, 1, 3, std::nan(""), {2})), Verdict::kUndecided);
  EXPECT_EQ(VerdictOf(Tested(2, std::nan(""), 3, 0.01, {2})), Verdict::kUndecided);
}

TEST(Decide, CorrectsForTheComparisonsOfADataset) {
  Results results;
  // Two of 0.02: together 0.04. With a third one of 0.03, 0.06.
  results.comparisons = {Tested(2, 1, 3, 0.02, {2}), Tested(2, 1, 3, 0.02, {2})};
  Decide(results);
  EXPECT_EQ(results.comparisons[1].corrected_p, 0.04);
  EXPECT_EQ(results.comparisons[1].verdict, Verdict::kAhead);
  results.comparisons.push_back(Tested(2, 1, 3, 0.03, {2}));
  Decide(results);
  EXPECT_NEAR(results.comparisons[1].corrected_p, 0.06, 1e-15);
  EXPECT_EQ(results.comparisons[1].verdict, Verdict::kUndecided);
  // Another dataset's comparisons are another page.
  results.comparisons[2].dataset = "pets";
  Decide(results);
  EXPECT_EQ(results.comparisons[1].verdict, Verdict::kAhead);
  EXPECT_EQ(results.comparisons[2].corrected_p, 0.03);
}

TEST(Decide, StandsNumbersThatAreNone) {
  Results results = HostileResults();
  Decide(results);
  for (const Comparison& c : results.comparisons) {
    EXPECT_EQ(c.corrected_p, 1);
    EXPECT_EQ(c.verdict, Verdict::kUndecided);
  }
}

}  // namespace
}  // namespace alcedo::report
