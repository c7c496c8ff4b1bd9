#include "alcedo/weights/weight_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/patch_grid.h"

namespace alcedo {
namespace {

// Eq. 11, pixel by pixel and patch by patch.
WeightMap Naive(const std::vector<Patch>& patches, const Vector& weights, double image_width,
                double image_height, int width, int height, bool mean) {
  WeightMap map{width, height, {}};
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      const double x = (i + 0.5) * image_width / width, y = (j + 0.5) * image_height / height;
      double sum = 0, count = 0;
      for (std::size_t n = 0; n < patches.size(); ++n) {
        const Patch& p = patches[n];
        if (x < p.x - p.size / 2.0 || x >= p.x + p.size / 2.0) continue;
        if (y < p.y - p.size / 2.0 || y >= p.y + p.size / 2.0) continue;
        sum += weights[static_cast<Index>(n)];
        ++count;
      }
      map.values.push_back(static_cast<float>(mean && count > 0 ? sum / count : sum));
    }
  }
  return map;
}

void ExpectSame(const WeightMap& map, const WeightMap& expected, double tolerance) {
  ASSERT_EQ(map.width, expected.width);
  ASSERT_EQ(map.height, expected.height);
  ASSERT_EQ(map.values.size(), expected.values.size());
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    EXPECT_NEAR(map.values[i], expected.values[i], tolerance) << "pixel " << i;
  }
}

struct Case {
  std::vector<Patch> patches;
  Vector weights;
};

Case RandomCase(unsigned seed) {
  Rng rng(seed);
  Case c;
  c.weights.resize(60);
  for (Index i = 0; i < 60; ++i) {
    c.patches.push_back({static_cast<float>(rng.Uniform() * 20 - 2),
                         static_cast<float>(rng.Uniform() * 14 - 2),
                         static_cast<float>(0.3 + 6 * rng.Uniform())});
    c.weights[i] = rng.Normal();
  }
  return c;
}

TEST(WeightMap, IsEq11) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c = RandomCase(seed);
    ExpectSame(RenderWeightMap(c.patches, c.weights, 16, 11, 16, 11),
               Naive(c.patches, c.weights, 16, 11, 16, 11, false), 1e-5);
    ExpectSame(RenderWeightMap(c.patches, c.weights, 16, 11, 16, 11, MapRule::kMean),
               Naive(c.patches, c.weights, 16, 11, 16, 11, true), 1e-5);
  }
}

TEST(WeightMap, MayHaveAnotherSizeThanThePicture) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Case c = RandomCase(seed);
    ExpectSame(RenderWeightMap(c.patches, c.weights, 16, 11, 7, 23),
               Naive(c.patches, c.weights, 16, 11, 7, 23, false), 1e-5);
  }
}

TEST(WeightMap, TheGridOfAPictureIsEq11) {
  const Image image = MakeImage(37, 30, 1);
  const PatchGrid grid = MakePatchGrid(image, {.patch = 8, .step = 3, .scales = 3});
  Rng rng(5);
  Vector weights(static_cast<Index>(grid.patches.size()));
  for (double& w : weights) w = rng.Normal();
  ExpectSame(RenderWeightMap(grid.patches, weights, 37, 30, 37, 30),
             Naive(grid.patches, weights, 37, 30, 37, 30, false), 1e-4);
}

TEST(WeightMap, EqualWeightsGiveAConstantMeanExactly) {
  const Image image = MakeImage(64, 48, 1);
  const PatchGrid grid = MakePatchGrid(image, {.patch = 16, .step = 4, .scales = 3});
  const Vector weights = Vector::Constant(static_cast<Index>(grid.patches.size()), 0.1);
  const WeightMap map = RenderWeightMap(grid.patches, weights, 64, 48, 64, 48, MapRule::kMean);
  for (const float value : map.values) EXPECT_EQ(value, 0.1f);
}

TEST(WeightMap, SumOverPixelsIsWeightTimesArea) {
  // Whole pixels, all inside.
  const std::vector<Patch> patches{{4, 4, 4}, {5, 6, 6}, {10, 8, 8}};
  Vector weights(3);
  weights << 2, -1, 0.5;
  const WeightMap map = RenderWeightMap(patches, weights, 16, 12, 16, 12);
  double sum = 0;
  for (const float value : map.values) sum += value;
  EXPECT_DOUBLE_EQ(sum, 2 * 16 - 36 + 0.5 * 64);
}

TEST(WeightMap, OrderOfPatchesDoesNotMatter) {
  Case c = RandomCase(3);
  const WeightMap map = RenderWeightMap(c.patches, c.weights, 16, 11, 16, 11);
  std::reverse(c.patches.begin(), c.patches.end());
  EXPECT_EQ(RenderWeightMap(c.patches, c.weights.reverse().eval(), 16, 11, 16, 11).values,
            map.values);
}

TEST(WeightMap, NoPatchesAndZeroWeightsAreZeros) {
  const WeightMap none = RenderWeightMap({}, Vector(0), 5, 4, 5, 4);
  EXPECT_EQ(none.values, std::vector<float>(20, 0));
  const std::vector<Patch> one{{2, 2, 2}};
  for (const MapRule rule : {MapRule::kSum, MapRule::kMean}) {
    EXPECT_EQ(RenderWeightMap(one, Vector::Zero(1), 5, 4, 5, 4, rule).values,
              std::vector<float>(20, 0));
  }
}

TEST(WeightMap, RefusesWhatItCannotDraw) {
  const std::vector<Patch> one{{2, 2, 2}};
  EXPECT_THROW(RenderWeightMap(one, Vector::Zero(2), 5, 4, 5, 4), InvalidArgument);
  EXPECT_THROW(RenderWeightMap(one, Vector::Ones(1), 5, 4, 0, 4), InvalidArgument);
  EXPECT_THROW(RenderWeightMap(one, Vector::Ones(1), 0, 4, 5, 4), InvalidArgument);
  const Vector nan = Vector::Constant(1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(RenderWeightMap(one, nan, 5, 4, 5, 4), InvalidArgument);
  const std::vector<Patch> nowhere{{NAN, 2, 2}};
  EXPECT_THROW(RenderWeightMap(nowhere, Vector::Ones(1), 5, 4, 5, 4), InvalidArgument);
  EXPECT_THROW(RenderWeightMap(one, Vector::Constant(1, 1e300), 5, 4, 5, 4), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
