#include "alcedo/learn/learn_sampling.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo::internal {
namespace {

TEST(SampleQuota, IsWhatDealingTheSamplesOutOneByOneGives) {
  for (Index images = 1; images <= 24; ++images) {
    for (Index samples = 1; samples <= 50; ++samples) {
      // Sample s goes to the first image whose share of all, (i + 1) / images, covers it.
      std::vector<Index> dealt(images, 0);
      for (Index s = 1; s <= samples; ++s) {
        Index i = 0;
        while ((i + 1) * samples < s * images) ++i;
        ++dealt[i];
      }
      for (Index i = 0; i < images; ++i) {
        ASSERT_EQ(SampleQuota(i, images, samples), dealt[i])
            << i << " " << images << " " << samples;
      }
    }
  }
}

TEST(SampleQuota, OfMillionsDoesNotOverflow) {
  const Index images = 2000000000, samples = 2000000001;
  EXPECT_EQ(SampleQuota(0, images, samples), 1);
  EXPECT_EQ(SampleQuota(images - 1, images, samples), 2);
}

// Row r is (r, 0), and all zero for every third r.
Rows SomeZero(Index count) {
  Rows rows = Rows::Zero(count, 2);
  for (Index r = 0; r < count; ++r) rows(r, 0) = r % 3 == 0 ? 0.0f : static_cast<float>(r);
  return rows;
}

TEST(DrawRows, AreDistinctInOrderAndNotZero) {
  const Rows rows = SomeZero(60);
  for (Index quota = 0; quota <= 45; ++quota) {
    Rng rng(static_cast<std::uint64_t>(quota));
    const std::vector<Index> drawn = DrawRows(rows, quota, rng);
    ASSERT_EQ(static_cast<Index>(drawn.size()), std::min<Index>(quota, 40));
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      ASSERT_NE(drawn[i] % 3, 0);
      ASSERT_TRUE(i == 0 || drawn[i - 1] < drawn[i]);
    }
  }
}

TEST(DrawRows, AreAllEquallyLikely) {
  const Rows rows = SomeZero(15);
  std::vector<int> counts(15, 0);
  Rng rng(3);
  for (int trial = 0; trial < 20000; ++trial) {
    for (const Index r : DrawRows(rows, 4, rng)) ++counts[r];
  }
  // 20000 draws with probability 4/10 each: a standard deviation of 70.
  for (Index r = 0; r < 15; ++r) EXPECT_NEAR(counts[r], r % 3 == 0 ? 0 : 8000, 350) << r;
}

TEST(DrawRows, OfNothingAreNone) {
  Rng rng(1);
  EXPECT_TRUE(DrawRows(Rows(0, 5), 3, rng).empty());
  EXPECT_TRUE(DrawRows(Rows::Zero(4, 5), 3, rng).empty());
  EXPECT_TRUE(DrawRows(Rows::Constant(4, 5, -0.0f), 3, rng).empty());
}

TEST(Subsample, IsEvenlySpaced) {
  Rows rows(10, 1);
  for (Index r = 0; r < 10; ++r) rows(r, 0) = static_cast<float>(r);
  const SampleSource source(rows);
  EXPECT_EQ(Subsample(source, 10), rows);
  EXPECT_EQ(Subsample(source, 99), rows);
  EXPECT_EQ(Subsample(source, 4), (Rows(4, 1) << 0, 2, 5, 7).finished());
  EXPECT_EQ(Subsample(source, 0).rows(), 0);
}

}  // namespace
}  // namespace alcedo::internal
