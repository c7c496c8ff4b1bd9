#include "alcedo/evaluation/holm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo {
namespace {

// Holm's procedure as he wrote it: as long as the smallest p that is left is at most
// level / (number left), reject it.
std::vector<bool> NaiveHolm(const std::vector<double>& p, double level) {
  std::vector<bool> rejected(p.size(), false);
  for (std::size_t left = p.size(); left > 0; --left) {
    std::size_t smallest = p.size();
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (!rejected[i] && (smallest == p.size() || p[i] < p[smallest])) smallest = i;
    }
    if (p[smallest] > level / static_cast<double>(left)) break;
    rejected[smallest] = true;
  }
  return rejected;
}

TEST(HolmCorrected, RejectsWhatTheProcedureRejects) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> p(static_cast<std::size_t>(rng.UniformIndex(12)));
    for (double& one : p) one = std::pow(rng.Uniform(), 4);
    if (p.size() > 2) p[2] = p[0];  // ties
    const std::vector<double> corrected = HolmCorrected(p);
    ASSERT_EQ(corrected.size(), p.size());
    for (const double level : {0.01, 0.05, 0.2, 0.77}) {
      const std::vector<bool> expected = NaiveHolm(p, level);
      for (std::size_t i = 0; i < p.size(); ++i) {
        EXPECT_EQ(corrected[i] <= level, expected[i]) << corrected[i] << " at " << level;
      }
    }
  }
}

TEST(HolmCorrected, IsKnownForAFew) {
  EXPECT_TRUE(HolmCorrected({}).empty());
  EXPECT_EQ(HolmCorrected(std::vector{0.04}), std::vector{0.04});
  const std::vector<double> got = HolmCorrected(std::vector{0.5, 0.01, 0.02, 0.6});
  EXPECT_NEAR(got[0], 1, 1e-15);
  EXPECT_NEAR(got[1], 0.04, 1e-15);
  EXPECT_NEAR(got[2], 0.06, 1e-15);
  EXPECT_NEAR(got[3], 1, 1e-15);
  EXPECT_EQ(HolmCorrected(std::vector{0.0, 1.0}), (std::vector{0.0, 1.0}));
  EXPECT_THROW(HolmCorrected(std::vector{0.1, 1.1}), InvalidArgument);
  EXPECT_THROW(HolmCorrected(std::vector{std::nan("")}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
