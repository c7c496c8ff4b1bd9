#include "alcedo/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

TEST(Rng, FirstValuesNeverChange) {
  // Files made with a seed must be reproducible for ever: these values are a promise.
  Rng rng(42);
  EXPECT_EQ(rng.Next(), 15021278609987233951u);
  EXPECT_EQ(rng.Next(), 5881210131331364753u);
}

TEST(Rng, SameSeedSameStreamOtherItemOtherStream) {
  Rng a = Rng::ForItem(7, 3), b = Rng::ForItem(7, 3), c = Rng::ForItem(3, 7),
      d = Rng::ForItem(7, 4);
  const auto first = a.Next();
  EXPECT_EQ(first, b.Next());
  EXPECT_NE(first, c.Next());
  EXPECT_NE(first, d.Next());
}

TEST(Rng, UniformIndexIsUniform) {
  Rng rng(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.UniformIndex(7)];
  for (int c : counts) EXPECT_NEAR(c, 10000, 500);
  EXPECT_THROW(rng.UniformIndex(0), InvalidArgument);
}

TEST(Rng, NormalHasItsMoments) {
  Rng rng(2);
  const int n = 200000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double x = rng.Normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(fourth / n, 3, 0.1);
}

}  // namespace
}  // namespace alcedo
