#include <gtest/gtest.h>

#include "alcedo/descriptors/color_statistics.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/testing/test_images.h"

namespace alcedo {
namespace {

Image Flipped(const Image& image) {
  Image flipped = image;
  for (int c = 0; c < image.channels; ++c) {
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const Index row = static_cast<Index>(y) * image.width;
        flipped.Plane(c)[row + x] = image.Plane(c)[row + image.width - 1 - x];
      }
    }
  }
  return flipped;
}

// Patches fill the width exactly, and the cells of a patch of 20 pixels lie symmetrically in it, so
// that the mirror image has the mirrored grid.
GridOptions SymmetricGrid() {
  GridOptions grid;
  grid.patch = 20;
  grid.scales = 1;
  return grid;
}
constexpr int kWidth = 20 + 4 * 9, kHeight = 20 + 4 * 6;
constexpr int kColumns = 10, kRows = 7;

// The appended rows are those of the mirror image, at the patches that they show.
void ExpectMirrored(const Descriptors& got, const Descriptors& plain, const Descriptors& flipped,
                    double tolerance) {
  const Index count = kColumns * kRows;
  ASSERT_EQ(plain.values.rows(), count);
  ASSERT_EQ(got.values.rows(), 2 * count);
  ASSERT_EQ(static_cast<Index>(got.patches.size()), 2 * count);
  EXPECT_EQ(got.values.topRows(count), plain.values);
  for (Index row = 0; row < kRows; ++row) {
    for (Index column = 0; column < kColumns; ++column) {
      const Index n = row * kColumns + column, mirrored = row * kColumns + kColumns - 1 - column;
      const auto want = flipped.values.row(mirrored);
      EXPECT_LE((got.values.row(count + n) - want).norm(), tolerance * want.norm() + 1e-6)
          << row << ", " << column;
      EXPECT_EQ(got.patches[count + n].x, plain.patches[n].x);
      EXPECT_EQ(got.patches[count + n].y, plain.patches[n].y);
      EXPECT_EQ(got.patches[count + n].size, plain.patches[n].size);
    }
  }
}

TEST(Mirror, SiftHasTheDescriptorsOfTheMirrorImage) {
  for (const bool root : {false, true}) {
    const Image image = Scene(kWidth, kHeight, 1, 7);
    GridOptions grid = SymmetricGrid();
    const SiftOptions options{.root = root};
    const Descriptors plain = ExtractDenseSift(image, grid, options);
    const Descriptors flipped = ExtractDenseSift(Flipped(image), grid, options);
    EXPECT_GT((plain.values - flipped.values).norm(), 0.1 * plain.values.norm());
    grid.mirror = true;
    ExpectMirrored(ExtractDenseSift(image, grid, options, 2), plain, flipped, 1e-4);
  }
}

TEST(Mirror, ColorHasTheDescriptorsOfTheMirrorImage) {
  const Image image = Scene(kWidth, kHeight, 3, 8);
  GridOptions grid = SymmetricGrid();
  const Descriptors plain = ExtractColorStatistics(image, grid);
  const Descriptors flipped = ExtractColorStatistics(Flipped(image), grid);
  grid.mirror = true;
  ExpectMirrored(ExtractColorStatistics(image, grid), plain, flipped, 1e-5);
}

TEST(Mirror, OfTheDefaultPatchIsOnePixelAway) {
  const int patch = 32;
  GridOptions grid;
  grid.patch = patch;
  grid.step = 1;
  grid.scales = 1;
  const Image image = Scene(patch + 1, patch, 1, 9);  // two patches, a pixel apart
  const Descriptors flipped = ExtractDenseSift(Flipped(image), grid);
  grid.mirror = true;
  const Descriptors got = ExtractDenseSift(image, grid);
  ASSERT_EQ(got.values.rows(), 4);
  // Of the right patch mirrored: in the mirror image it is the left one, and its cells are the
  // second one's.
  EXPECT_LE((got.values.row(3) - flipped.values.row(1)).norm(), 1e-4);
}

TEST(Mirror, NothingStaysNothing) {
  GridOptions grid;
  grid.mirror = true;
  EXPECT_EQ(ExtractDenseSift(MakeImage(5, 5, 1), grid).values.rows(), 0);
  EXPECT_EQ(ExtractColorStatistics(MakeImage(5, 5, 3), grid).values.rows(), 0);
}

}  // namespace
}  // namespace alcedo
