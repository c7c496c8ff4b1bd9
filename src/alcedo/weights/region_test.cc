#include "alcedo/weights/region.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo {
namespace {

WeightMap RandomMap(int width, int height) {
  Rng rng(11);
  WeightMap map{width, height, {}};
  for (int i = 0; i < width * height; ++i) map.values.push_back(static_cast<float>(rng.Normal()));
  return map;
}

TEST(ShareInside, IsTheNaiveSum) {
  const WeightMap map = RandomMap(9, 7);
  const Box box{2, 1, 4, 5};
  double positive = 0, all_positive = 0, absolute = 0, all_absolute = 0;
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 9; ++x) {
      const double v = map.values[static_cast<std::size_t>(y * 9 + x)];
      const bool inside = x >= 2 && x < 6 && y >= 1 && y < 6;
      if (v > 0) all_positive += v;
      all_absolute += std::fabs(v);
      if (inside && v > 0) positive += v;
      if (inside) absolute += std::fabs(v);
    }
  }
  const Region region = RegionOfBoxes(std::span(&box, 1), 9, 7);
  EXPECT_NEAR(ShareInside(map, region, MapPart::kPositive).value(), positive / all_positive, 1e-12);
  EXPECT_NEAR(ShareInside(map, region, MapPart::kAbsolute).value(), absolute / all_absolute, 1e-12);
  EXPECT_NEAR(AreaShare(region), 20.0 / 63, 1e-7);
}

TEST(RegionOfBoxes, CutsPixelsByTheirArea) {
  const Box box{0.5, 0.25, 1, 0.5};
  const Region region = RegionOfBoxes(std::span(&box, 1), 3, 2);
  EXPECT_EQ(region.inside, (std::vector<float>{0.25f, 0.25f, 0, 0, 0, 0}));
}

TEST(RegionOfBoxes, IsClippedToThePicture) {
  const Box box{-5, -5, 100, 100};
  EXPECT_EQ(AreaShare(RegionOfBoxes(std::span(&box, 1), 4, 3)), 1);
  const Box outside{10, 10, 5, 5};
  EXPECT_EQ(AreaShare(RegionOfBoxes(std::span(&outside, 1), 4, 3)), 0);
}

TEST(RegionOfBoxes, SeveralAreTheirUnion) {
  const std::vector<Box> boxes{{0, 0, 3, 2}, {1, 0, 3, 2}};
  EXPECT_EQ(AreaShare(RegionOfBoxes(boxes, 8, 2)), 0.5);
  EXPECT_EQ(AreaShare(RegionOfBoxes({}, 8, 2)), 0);
}

TEST(RegionOfMask, IsWhatIsBright) {
  Image mask = MakeImage(2, 2, 1);
  mask.samples = {0, 127, 128, 255};
  EXPECT_EQ(RegionOfMask(mask).inside, (std::vector<float>{0, 0, 1, 1}));
}

TEST(ShareInside, OfAMapOfZerosIsNothing) {
  const WeightMap zeros{2, 2, {0, 0, 0, 0}}, negative{2, 2, {-1, -1, 0, 0}};
  const Region all{2, 2, {1, 1, 1, 1}};
  EXPECT_FALSE(ShareInside(zeros, all, MapPart::kAbsolute).has_value());
  EXPECT_FALSE(ShareInside(negative, all, MapPart::kPositive).has_value());
  EXPECT_EQ(ShareInside(negative, all, MapPart::kAbsolute), 1);
}

TEST(Region, RefusesWhatDoesNotFit) {
  EXPECT_THROW(ShareInside(RandomMap(3, 3), Region{2, 2, {1, 1, 1, 1}}, MapPart::kPositive),
               InvalidArgument);
  const Box flat{0, 0, 0, 3}, nan{NAN, 0, 1, 1};
  EXPECT_THROW(RegionOfBoxes(std::span(&flat, 1), 4, 4), InvalidArgument);
  EXPECT_THROW(RegionOfBoxes(std::span(&nan, 1), 4, 4), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
