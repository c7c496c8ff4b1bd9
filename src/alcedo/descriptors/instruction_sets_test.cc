// The same descriptors, but for rounding, on every instruction set that the processor has.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/descriptors/test_pictures.h"

namespace alcedo {
namespace {

// Zero stands for all that the processor has.
void UseTargets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(InstructionSets, DifferByRoundingOnly) {
  const Image image = Scene(97, 78, 3, 1);
  SiftOptions options, odd;
  odd.grid.patch = 20;
  odd.grid.step = 3;
  odd.root = true;
  const ColorOptions color, odd_color{odd.grid};
  const Rows sift = ExtractDenseSift(image, options).values;
  const Rows odd_sift = ExtractDenseSift(image, odd).values;
  const Rows statistics = ExtractColorStatistics(image, color).values;
  const Rows odd_statistics = ExtractColorStatistics(image, odd_color).values;
  const auto targets = hwy::SupportedAndGeneratedTargets();
  for (const std::int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    UseTargets(target);
    EXPECT_LT((ExtractDenseSift(image, options).values - sift).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((ExtractDenseSift(image, odd).values - odd_sift).cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_LT((ExtractColorStatistics(image, color).values - statistics).cwiseAbs().maxCoeff(),
              1e-4);
    EXPECT_LT(
        (ExtractColorStatistics(image, odd_color).values - odd_statistics).cwiseAbs().maxCoeff(),
        1e-4);
    Image plain = MakeImage(50, 40, 3);
    std::fill(plain.samples.begin(), plain.samples.end(), 127.3f);
    EXPECT_EQ(ExtractDenseSift(plain).values.cwiseAbs().maxCoeff(), 0);
    const Rows flat = ExtractColorStatistics(plain).values;
    for (int k = 0; k < 96; ++k) {
      if (k % 6 < 3) continue;
      EXPECT_EQ(flat.col(k).cwiseAbs().maxCoeff(), 0);
    }
  }
  UseTargets(0);
}

}  // namespace
}  // namespace alcedo
