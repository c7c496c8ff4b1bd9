#include "alcedo/evaluation/average_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using Targets = std::vector<std::int8_t>;
constexpr double kInf = std::numeric_limits<double>::infinity();

// From the definition: every score is a threshold; the interpolated precision at a recall is the
// best one at any threshold that reaches it. `recall` counts in tenths of the positives.
double NaiveAp(const std::vector<double>& scores, const Targets& targets, ApRule rule) {
  long all = 0;
  for (const auto t : targets) all += t == 1;
  if (all == 0) return 0;
  const auto interpolated = [&](double positives_wanted) {
    double best = 0;
    for (const double threshold : scores) {
      long positives = 0, images = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        if (targets[i] == 0 || scores[i] < threshold) continue;
        ++images;
        positives += targets[i] == 1;
      }
      if (images > 0 && static_cast<double>(positives) >= positives_wanted) {
        best = std::max(best, static_cast<double>(positives) / static_cast<double>(images));
      }
    }
    return best;
  };
  double sum = 0;
  if (rule == ApRule::kVoc11) {
    for (long k = 0; k <= 10; ++k) sum += interpolated(std::ceil(double(k * all) / 10)) / 11;
  } else {
    for (long k = 1; k <= all; ++k) sum += interpolated(double(k)) / double(all);
  }
  return sum;
}

TEST(AveragePrecision, WorkedByHand) {
  // + - + - -: precisions 1 at recall 1/2, 2/3 at recall 1.
  const std::vector<double> scores = {5, 4, 3, 2, 1};
  const Targets targets = {1, -1, 1, -1, -1};
  EXPECT_NEAR(AveragePrecision(scores, targets, ApRule::kArea), 0.5 * 1 + 0.5 * 2 / 3, 1e-15);
  // Recalls 0 to 0.5 are six of the eleven.
  EXPECT_NEAR(AveragePrecision(scores, targets, ApRule::kVoc11), (6 + 5 * 2.0 / 3) / 11, 1e-15);
  // - + +: the precision of 1/2 at the first positive is interpolated to 2/3.
  const Targets late = {-1, 1, 1, 0, 0};
  EXPECT_NEAR(AveragePrecision(scores, late, ApRule::kArea), 2.0 / 3, 1e-15);
  EXPECT_NEAR(AveragePrecision(scores, late, ApRule::kVoc11), 2.0 / 3, 1e-15);
}

TEST(AveragePrecision, RecallsAreComparedExactly) {
  // Ten positives: recall 0.3 is reached by the third, whatever 3 * 0.1 is in floating point.
  for (int before = 0; before <= 10; ++before) {
    std::vector<double> scores;
    Targets targets;
    for (int i = 0; i < 10; ++i) {
      if (i == before) {
        for (int n = 0; n < 10; ++n) {
          scores.push_back(-double(scores.size()));
          targets.push_back(-1);
        }
      }
      scores.push_back(-double(scores.size()));
      targets.push_back(1);
    }
    const double tail = before == 10 ? 1 : 0.5;  // 10 of 20 at the end
    EXPECT_NEAR(AveragePrecision(scores, targets, ApRule::kVoc11),
                ((before == 0 ? 0.5 : 1 + before) + (before == 0 ? 10 : 10 - before) * tail) / 11,
                1e-15);
  }
}

TEST(AveragePrecision, EqualsTheDefinitionWhateverTheTies) {
  Rng rng(1);
  for (int round = 0; round < 600; ++round) {
    const Index n = 1 + rng.UniformIndex(40), levels = 1 + rng.UniformIndex(60);
    std::vector<double> scores(n);
    Targets targets(n);
    for (Index i = 0; i < n; ++i) {
      scores[i] = double(rng.UniformIndex(levels)) - 20;
      targets[i] = static_cast<std::int8_t>(rng.UniformIndex(3) - 1);
    }
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[rng.UniformIndex(i + 1)]);
    std::vector<double> scores_moved(n), scores_kept;
    Targets targets_moved(n), targets_kept;
    for (Index i = 0; i < n; ++i) {
      scores_moved[i] = 3 * scores[order[i]] + 7;
      targets_moved[i] = targets[order[i]];
      if (targets[i] == 0) continue;
      scores_kept.push_back(scores[i]);
      targets_kept.push_back(targets[i]);
    }
    for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
      const double ap = AveragePrecision(scores, targets, rule);
      ASSERT_NEAR(ap, NaiveAp(scores, targets, rule), 1e-12);
      // Neither the order of the images nor a rising function of the scores matters.
      ASSERT_EQ(ap, AveragePrecision(scores_moved, targets_moved, rule));
      ASSERT_EQ(ap, AveragePrecision(scores_kept, targets_kept, rule));
    }
  }
}

TEST(AveragePrecision, PerfectRankingsHaveOne) {
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    for (int positives = 1; positives < 30; ++positives) {
      std::vector<double> scores;
      Targets targets;
      for (int i = 0; i < 40; ++i) {
        scores.push_back(-i);
        targets.push_back(i < positives ? 1 : -1);
      }
      EXPECT_NEAR(AveragePrecision(scores, targets, rule), 1, 1e-15);
    }
  }
}

TEST(AveragePrecision, EdgesAreDefined) {
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    const auto ap = [&](const std::vector<double>& scores, const Targets& targets) {
      return AveragePrecision(scores, targets, rule);
    };
    EXPECT_EQ(ap({}, {}), 0);
    EXPECT_EQ(ap({1}, {-1}), 0);
    EXPECT_EQ(ap({1}, {0}), 0);
    EXPECT_EQ(ap({1}, {1}), 1);
    EXPECT_EQ(ap({1, 2}, {0, 0}), 0);
    EXPECT_EQ(ap({kInf, -kInf}, {1, -1}), 1);
    // All equal: one threshold, whose precision is the share of positives.
    EXPECT_NEAR(ap({3, 3, 3, 3}, {1, -1, -1, -1}), 0.25, 1e-15);
  }
}

TEST(AveragePrecision, RefusesWhatItCannotUse) {
  const double nan = std::nan("");
  const auto ap = [](const std::vector<double>& scores, const Targets& targets) {
    return test::MessageOf([&] { AveragePrecision(scores, targets, ApRule::kArea); });
  };
  EXPECT_EQ(ap({1, 2, nan}, {1, 1, 0}), "scores: row 2, column 0 is NaN");
  EXPECT_EQ(ap({1, 2}, {1}), "targets must be as many as scores, 2 x 1, got 1 x 1");
  EXPECT_EQ(ap({1, 2}, {1, 2}), "targets must be -1, 0 or 1, got 2 in row 1, column 0");
  EXPECT_EQ(ap({1, 2}, {1, -128}), "targets must be -1, 0 or 1, got -128 in row 1, column 0");
}

TEST(MeanAveragePrecision, IsTheMeanOverClassesWithPositives) {
  Rng rng(2);
  Matrix scores(30, 4);
  TargetMatrix targets(30, 4);
  for (Index i = 0; i < scores.size(); ++i) {
    scores.data()[i] = rng.Normal();
    targets.data()[i] = static_cast<std::int8_t>(rng.UniformIndex(3) - 1);
  }
  targets.col(2).setConstant(-1);
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    double sum = 0;
    const Vector all = AveragePrecisions(scores, targets, rule);
    for (Index c = 0; c < 4; ++c) {
      std::vector<double> column(30);
      Targets wanted(30);
      for (Index i = 0; i < 30; ++i) column[i] = scores(i, c), wanted[i] = targets(i, c);
      const double ap = NaiveAp(column, wanted, rule);
      EXPECT_NEAR(all[c], ap, 1e-14);
      sum += ap;
    }
    EXPECT_NEAR(MeanAveragePrecision(scores, targets, rule), sum / 3, 1e-14);
  }
  EXPECT_EQ(MeanAveragePrecision(Matrix(0, 3), TargetMatrix(0, 3), ApRule::kArea), 0);
  EXPECT_EQ(MeanAveragePrecision(Matrix(3, 0), TargetMatrix(3, 0), ApRule::kArea), 0);
}

}  // namespace
}  // namespace alcedo
