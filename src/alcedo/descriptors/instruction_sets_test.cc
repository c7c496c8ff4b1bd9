// The same descriptors, but for rounding, on every instruction set that the processor has.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/testing/test_images.h"

namespace alcedo {
namespace {

// Zero stands for all that the processor has.
void UseTargets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(InstructionSets, DifferByRoundingOnly) {
  const Image image = Scene(97, 78, 3, 1);
  GridOptions odd;
  odd.patch = 20;
  odd.step = 3;
  SiftOptions root;
  root.root = true;
  const Rows sift = ExtractDenseSift(image).values;
  const Rows odd_sift = ExtractDenseSift(image, odd, root).values;
  const Rows statistics = ExtractColorStatistics(image).values;
  const Rows odd_statistics = ExtractColorStatistics(image, odd).values;
  const auto targets = hwy::SupportedAndGeneratedTargets();
  for (const std::int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    UseTargets(target);
    EXPECT_LT((ExtractDenseSift(image).values - sift).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((ExtractDenseSift(image, odd, root).values - odd_sift).cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_LT((ExtractColorStatistics(image).values - statistics).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT((ExtractColorStatistics(image, odd).values - odd_statistics).cwiseAbs().maxCoeff(),
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
