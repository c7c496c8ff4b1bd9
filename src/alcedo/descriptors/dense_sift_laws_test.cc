// What must and what must not change descriptors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/testing/test_images.h"

namespace alcedo {
namespace {

GridOptions OneScale(int patch = 24, int step = 4) {
  GridOptions options;
  options.patch = patch;
  options.step = step;
  options.scales = 1;
  return options;
}

// Where b is even, cells lie half a pixel to the left and above: mirrored, they are a pixel off.
void ExpectMirrored(int patch) {
  const int width = 67, height = 58;
  const Image image = Scene(width, height, 1, 5);
  Image across = image, down = image, turned = MakeImage(height, width, 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float value = image.Plane(0)[y * width + x];
      across.Plane(0)[y * width + width - 1 - x] = value;
      down.Plane(0)[(height - 1 - y) * width + x] = value;
      turned.Plane(0)[x * height + y] = value;
    }
  }
  const GridOptions options = OneScale(patch, 1);
  const Rows plain = ExtractDenseSift(image, options).values;
  const Rows a = ExtractDenseSift(across, options).values;
  const Rows d = ExtractDenseSift(down, options).values;
  const Rows t = ExtractDenseSift(turned, options).values;
  const int columns = width - patch + 1, rows = height - patch + 1;
  const int shift = patch / 4 % 2 == 0 ? 1 : 0;
  for (int y = shift; y < rows; ++y) {
    for (int x = shift; x < columns; ++x) {
      const Index n = Index{y} * columns + x;
      const Index na = Index{y} * columns + columns - 1 - x + shift;
      const Index nd = Index{rows - 1 - y + shift} * columns + x;
      const Index nt = Index{x} * rows + y;
      for (int k = 0; k < 128; ++k) {
        const int i = k / 32, j = k / 8 % 4, o = k % 8;
        ASSERT_NEAR(plain(n, k), a(na, 32 * i + 8 * (3 - j) + (12 - o) % 8), 2e-5);
        ASSERT_NEAR(plain(n, k), d(nd, 32 * (3 - i) + 8 * j + (8 - o) % 8), 2e-5);
        ASSERT_NEAR(plain(n, k), t(nt, 32 * j + 8 * i + (10 - o) % 8), 2e-5);
      }
    }
  }
}
TEST(DenseSiftLaws, MirroredImagesHaveMirroredDescriptors) {
  ExpectMirrored(20);
  ExpectMirrored(24);
}

TEST(DenseSiftLaws, BrightnessDoesNotMatter) {
  Image image = Scene(60, 50, 1, 6), brighter = image;
  for (float& sample : brighter.samples) sample += 1000;
  EXPECT_EQ(ExtractDenseSift(image, OneScale()).values,
            ExtractDenseSift(brighter, OneScale()).values);
}

TEST(DenseSiftLaws, ContrastDoesNotMatter) {
  const Image image = Scene(60, 50, 1, 7);
  const Rows plain = ExtractDenseSift(image).values;
  for (const float gain : {0.5f, 1.7f, 300.0f, 1e10f, 1e19f, 1e30f, 1e36f}) {
    Image louder = image;
    for (float& sample : louder.samples) sample *= gain;
    const Rows values = ExtractDenseSift(louder).values;
    ASSERT_TRUE(values.allFinite());
    EXPECT_LT((plain - values).cwiseAbs().maxCoeff(), 1e-5) << gain;
  }
}

TEST(DenseSiftLaws, LargestFloats) {
  Image image = Scene(60, 50, 3, 7);
  Rng rng(3);
  for (float& sample : image.samples) {
    sample = std::numeric_limits<float>::max() * (rng.Uniform() < 0.5 ? 1.0f : -1.0f);
  }
  const Rows values = ExtractDenseSift(image).values;
  ASSERT_TRUE(values.allFinite());
  EXPECT_NEAR(values.rowwise().norm().minCoeff(), 1, 1e-5);
  // Beside such a sample everything else is nothing.
  Image one = Scene(60, 50, 1, 7);
  one.Plane(0)[0] = 1e38f;
  const Rows beside = ExtractDenseSift(one).values;
  EXPECT_TRUE(beside.allFinite());
  EXPECT_GT(beside.row(0).norm(), 0.9);
  EXPECT_EQ(beside.row(9).norm(), 0);
}

TEST(DenseSiftLaws, RowsHaveUnitNorm) {
  SiftOptions options;
  for (const bool root : {false, true}) {
    options.root = root;
    const Rows values = ExtractDenseSift(Scene(80, 60, 1, 1), {}, options).values;
    EXPECT_NEAR(values.rowwise().norm().minCoeff(), 1, 1e-5);
    EXPECT_NEAR(values.rowwise().norm().maxCoeff(), 1, 1e-5);
    EXPECT_GE(values.minCoeff(), 0);
  }
}

TEST(DenseSiftLaws, FlatPatchesAreZero) {
  Image flat = MakeImage(60, 50, 1);
  const auto expect_zero = [&](double contrast) {
    SiftOptions options;
    options.contrast = contrast;
    const Descriptors zero = ExtractDenseSift(flat, {}, options);
    EXPECT_GT(zero.values.rows(), 80);
    EXPECT_EQ(zero.values.cwiseAbs().maxCoeff(), 0);
    options.keep_flat = false;
    const Descriptors none = ExtractDenseSift(flat, {}, options);
    EXPECT_EQ(none.values.rows(), 0);
    EXPECT_EQ(none.values.cols(), 128);
    EXPECT_TRUE(none.patches.empty());
  };
  for (const float value : {0.0f, 255.0f, 127.3f, -1.1f, 1e-30f, 1e30f}) {
    std::fill(flat.samples.begin(), flat.samples.end(), value);
    expect_zero(0.25);
    expect_zero(0);
  }
  Rng rng(1);
  for (float& sample : flat.samples) sample = static_cast<float>(128 + 1e-3 * rng.Normal());
  expect_zero(0.25);
  for (float& sample : flat.samples) sample = static_cast<float>(1e-18 * rng.Normal());
  expect_zero(0);
}

// A slope has the same gradient everywhere, borders included.
Rows SlopeSift(double gain, int patch, double contrast) {
  Image slope = MakeImage(52, 48, 1);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 52; ++x) {
      slope.Plane(0)[y * 52 + x] = static_cast<float>(gain * (3 * x + 4 * y));
    }
  }
  SiftOptions options;
  options.contrast = contrast;
  return ExtractDenseSift(slope, OneScale(patch, 4), options).values;
}
TEST(DenseSiftLaws, ContrastIsTheMeanGradient) {
  for (const double gain : {1.0, 0x1p-9, 0x1p40}) {
    for (const int patch : {4, 20, 24, 40}) {
      EXPECT_GT(SlopeSift(gain, patch, 4.9999 * gain).rowwise().norm().minCoeff(), 0.99f);
      EXPECT_EQ(SlopeSift(gain, patch, 5.0001 * gain).cwiseAbs().maxCoeff(), 0);
    }
  }
  EXPECT_GT(SlopeSift(0x1p-20, 24, 0).rowwise().norm().minCoeff(), 0.99f);
  EXPECT_EQ(SlopeSift(0x1p-24, 24, 0).cwiseAbs().maxCoeff(), 0);  // 3e-7 is less than 1e-6
}

TEST(DenseSiftLaws, FlatPatchesAreLeftOutWithTheirPlaces) {
  Image image = Scene(120, 80, 1, 9);
  for (int y = 0; y < 80; ++y) std::fill_n(image.Plane(0) + y * 120 + 30, 60, 200.0f);
  SiftOptions options;
  const Descriptors all = ExtractDenseSift(image, {}, options);
  options.keep_flat = false;
  const Descriptors some = ExtractDenseSift(image, {}, options);
  Index kept = 0;
  for (Index n = 0; n < all.values.rows(); ++n) {
    if (all.values.row(n).isZero(0)) continue;
    ASSERT_LT(kept, some.values.rows());
    EXPECT_EQ(some.values.row(kept), all.values.row(n));
    EXPECT_EQ(some.patches[kept].x, all.patches[n].x);
    EXPECT_EQ(some.patches[kept].y, all.patches[n].y);
    EXPECT_EQ(some.patches[kept].size, all.patches[n].size);
    ++kept;
  }
  EXPECT_EQ(some.values.rows(), kept);
  EXPECT_EQ(static_cast<Index>(some.patches.size()), kept);
  EXPECT_GT(all.values.rows() - kept, 50);
  EXPECT_GT(kept, 100);
}

TEST(DenseSiftLaws, ThreadsDoNotMatter) {
  const Image image = Scene(133, 101, 3, 10);
  for (const int step : {3, 4, 40}) {
    GridOptions options;
    options.step = step;
    const Descriptors one = ExtractDenseSift(image, options, {}, 1);
    for (const int threads : {2, 3, 8, 40}) {
      const Descriptors many = ExtractDenseSift(image, options, {}, threads);
      EXPECT_EQ(one.values, many.values);
      EXPECT_EQ(one.patches.size(), many.patches.size());
    }
  }
}

}  // namespace
}  // namespace alcedo
