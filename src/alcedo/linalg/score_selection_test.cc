#include "alcedo/linalg/score_selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/linalg/targets_testing.h"

namespace alcedo {
namespace {

using kernels::kScorePanel;
using targets_testing::ForEachTarget;

// Functions of given norms; only these and the number matter for a selection.
struct Problem {
  kernels::ScoreFunctions functions;
  std::vector<float> scores;
};

Problem RandomProblem(Index size, double spread, Rng& rng) {
  Problem p;
  p.functions.size = size;
  p.functions.padded = kernels::RoundUp(size, kScorePanel);
  p.functions.norms.assign(p.functions.padded, 0);
  p.scores.assign(p.functions.padded, -std::numeric_limits<float>::infinity());
  for (Index k = 0; k < size; ++k) {
    p.functions.norms[k] = static_cast<float>(rng.Uniform());
    p.scores[k] = static_cast<float>(spread * rng.Normal());
  }
  return p;
}

constexpr float kError = 0.01F;
float Lower(const Problem& p, Index k) { return p.scores[k] - kError * p.functions.norms[k]; }
float Upper(const Problem& p, Index k) { return p.scores[k] + kError * p.functions.norms[k]; }
// Within this a comparison of two bounds may go either way, as the multiply-add rounds once.
bool Near(float a, float b) { return std::abs(a - b) <= 1e-6F * (1 + std::abs(a)); }

TEST(ScoreSelection, BestIsSureExactlyWhereNoOtherComesNear) {
  ForEachTarget([] {
    Rng rng(1);
    int sure = 0, unsure = 0;
    for (int round = 0; round < 500; ++round) {
      const Problem p = RandomProblem(1 + rng.UniformIndex(70), round % 2 == 0 ? 1 : 0.01, rng);
      const Index size = p.functions.size;
      Index best = 0;
      for (Index k = 1; k < size; ++k) {
        if (Upper(p, k) > Upper(p, best)) best = k;
      }
      float runner_up = -std::numeric_limits<float>::infinity();
      for (Index k = 0; k < size; ++k) {
        if (k != best) runner_up = std::max(runner_up, Upper(p, k));
      }
      const auto found = kernels::FindBest(p.functions, p.scores.data(), kError);
      if (!Near(runner_up, Upper(p, best))) {
        ASSERT_EQ(found.index, best);
      }
      if (!Near(runner_up, Lower(p, best))) {
        ASSERT_EQ(found.sure, runner_up < Lower(p, best));
      }
      ++(found.sure ? sure : unsure);
    }
    EXPECT_GT(sure, 50);
    EXPECT_GT(unsure, 50);
  });
}

TEST(ScoreSelection, EqualScoresAreNeverSure) {
  ForEachTarget([] {
    for (const Index size : {2, 16, 17, 40}) {
      Rng rng(2);
      Problem p = RandomProblem(size, 1, rng);
      p.scores[0] = p.scores[size - 1] = 9;
      EXPECT_FALSE(kernels::FindBest(p.functions, p.scores.data(), 0).sure);
      EXPECT_FALSE(kernels::FindBest(p.functions, p.scores.data(), kError).sure);
      p.scores[size - 1] = 9.5;
      EXPECT_TRUE(kernels::FindBest(p.functions, p.scores.data(), kError).sure);
      EXPECT_EQ(kernels::FindBest(p.functions, p.scores.data(), kError).index, size - 1);
    }
  });
}

TEST(ScoreSelection, AtLeastKFunctionsReachTheBoundOfTheKth) {
  ForEachTarget([] {
    Rng rng(3);
    for (int round = 0; round < 300; ++round) {
      const Problem p = RandomProblem(1 + rng.UniformIndex(200), 1, rng);
      const Index k = 1 + rng.UniformIndex(std::min<Index>(p.functions.size, 20));
      const float bound = kernels::LowerBoundOfKth(p.functions, p.scores.data(), kError, k);
      Index reach = 0;
      float largest = -std::numeric_limits<float>::infinity();
      for (Index i = 0; i < p.functions.size; ++i) {
        reach += Lower(p, i) >= bound || Near(Lower(p, i), bound) ? 1 : 0;
        largest = std::max(largest, Lower(p, i));
      }
      ASSERT_GE(reach, k);
      if (k == 1) {
        ASSERT_NEAR(bound, largest, 1e-6);
      }
      // Not so low that all would be looked at.
      if (k <= 5 && p.functions.size > 100) {
        ASSERT_LE(reach, 40);
      }
    }
  });
}

TEST(ScoreSelection, SelectsWhoseUpperBoundReachesInOrder) {
  ForEachTarget([] {
    Rng rng(4);
    for (int round = 0; round < 300; ++round) {
      const Problem p = RandomProblem(1 + rng.UniformIndex(90), 1, rng);
      const auto bound = static_cast<float>(2 * rng.Normal());
      std::vector<std::int32_t> selected(p.functions.padded + kScorePanel);
      std::vector<float> values(p.functions.padded + kScorePanel);
      const auto found = kernels::SelectByUpperBound(p.functions, p.scores.data(), kError, bound,
                                                     selected.data(), values.data());
      Index count = 0;
      float largest = -std::numeric_limits<float>::infinity(), norm = 0;
      for (Index k = 0; k < p.functions.size; ++k) {
        if (Upper(p, k) < bound) continue;
        ASSERT_LT(count, found.count);
        ASSERT_EQ(selected[count], k);
        ASSERT_EQ(values[count], p.scores[k]);
        ++count;
        largest = std::max(largest, p.scores[k]);
        norm = std::max(norm, p.functions.norms[k]);
      }
      ASSERT_EQ(found.count, count);
      ASSERT_EQ(found.largest, largest);
      ASSERT_EQ(found.largest_norm, norm);
    }
  });
}

TEST(ScoreSelection, ExponentialsAndWhatIsKeptOfThem) {
  ForEachTarget([] {
    Rng rng(5);
    for (Index count = 1; count < 70; ++count) {
      std::vector<float> values(kernels::RoundUp(count, 16));
      std::vector<std::int32_t> names(values.size());
      std::vector<double> expected;
      for (Index i = 0; i < count; ++i) {
        values[i] = 1000 - static_cast<float>(30 * rng.Uniform());
        names[i] = static_cast<std::int32_t>(3 * i + 1);
      }
      values[count / 2] = -1e30F;
      double sum = 0;
      for (Index i = 0; i < count; ++i) {
        expected.push_back(std::exp(double{values[i]} - 1000));
        sum += expected.back();
      }
      const float got = kernels::ExpDifferences(values.data(), count, 1000);
      ASSERT_NEAR(got, sum, 1e-6 * (sum + 1e-12));
      for (Index i = 0; i < count; ++i) ASSERT_NEAR(values[i], expected[i], 1e-6 * expected[i]);

      const std::vector<float> all(values.begin(), values.begin() + count);
      const auto [kept, kept_sum] =
          kernels::ScaleAndKeep(values.data(), names.data(), count, 2, 1e-4F);
      Index at = 0;
      double total = 0;
      for (Index i = 0; i < count; ++i) {
        if (2 * all[i] < 1e-4F) continue;
        ASSERT_LT(at, kept);
        ASSERT_EQ(values[at], 2 * all[i]);
        ASSERT_EQ(names[at], 3 * i + 1);
        total += values[at++];
      }
      ASSERT_EQ(kept, at);
      ASSERT_NEAR(kept_sum, total, 1e-6 * (total + 1e-12));
    }
  });
}

}  // namespace
}  // namespace alcedo
