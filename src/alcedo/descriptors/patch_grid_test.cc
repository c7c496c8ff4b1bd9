#include "alcedo/descriptors/patch_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

GridOptions OneScale() {
  GridOptions options;
  options.scales = 1;
  return options;
}

TEST(PatchGrid, AboutTenThousandPatchesOfAnImage) {
  const PatchGrid grid = MakePatchGrid(MakeImage(365, 274, 3), {});
  ASSERT_EQ(grid.levels.size(), 5u);
  const int widths[] = {365, 258, 183, 129, 91}, heights[] = {274, 194, 137, 97, 69};
  const int columns[] = {86, 59, 40, 27, 17}, rows[] = {63, 43, 29, 19, 12};
  Index first = 0;
  for (int l = 0; l < 5; ++l) {
    EXPECT_EQ(grid.levels[l].width, widths[l]);
    EXPECT_EQ(grid.levels[l].height, heights[l]);
    EXPECT_EQ(grid.levels[l].columns, columns[l]);
    EXPECT_EQ(grid.levels[l].rows, rows[l]);
    EXPECT_EQ(grid.levels[l].first, first);
    first += Index{columns[l]} * rows[l];
  }
  EXPECT_EQ(static_cast<Index>(grid.patches.size()), first);
  EXPECT_EQ(first, 9832);
  EXPECT_EQ(grid.patch, 24);
  EXPECT_EQ(grid.step, 4);
}

TEST(PatchGrid, PatchesLieInTheImage) {
  for (const int patch : {4, 16, 24, 40}) {
    for (const int step : {1, 3, 4, 50}) {
      GridOptions options;
      options.patch = patch;
      options.step = step;
      options.scale_factor = 1.37;
      for (const Patch& p : MakePatchGrid(MakeImage(123, 77, 1), options).patches) {
        EXPECT_GE(p.x - p.size / 2, -0.3);  // both sides of a level are rounded
        EXPECT_GE(p.y - p.size / 2, -0.3);
        EXPECT_LE(p.x + p.size / 2, 123.3);
        EXPECT_LE(p.y + p.size / 2, 77.3);
      }
    }
  }
}

TEST(PatchGrid, PositionsAreThoseOfTheOriginal) {
  Image image = MakeImage(40, 32, 1);
  image.original_width = 400;
  image.original_height = 160;
  const PatchGrid grid = MakePatchGrid(image, OneScale());
  ASSERT_EQ(grid.levels.size(), 1u);
  ASSERT_EQ(grid.patches.size(), 5u * 3u);
  // Row by row; patch (column 1, row 2) has its centre on (4 + 12, 8 + 12) of the scaled image.
  const Patch& patch = grid.patches[2 * 5 + 1];
  EXPECT_FLOAT_EQ(patch.x, 160);
  EXPECT_FLOAT_EQ(patch.y, 100);
  EXPECT_FLOAT_EQ(patch.size, 24 * std::sqrt(50.0f));
}

TEST(PatchGrid, LevelsHaveTheirOwnRatios) {
  GridOptions options;
  options.scales = 2;
  options.scale_factor = 2;
  const PatchGrid grid = MakePatchGrid(MakeImage(101, 64, 1), options);
  ASSERT_EQ(grid.levels.size(), 2u);
  EXPECT_EQ(grid.levels[1].width, 51);  // 50.5
  EXPECT_EQ(grid.levels[1].height, 32);
  const Patch& patch = grid.patches[grid.levels[1].first];
  EXPECT_FLOAT_EQ(patch.x, 12 * 101.0f / 51.0f);
  EXPECT_FLOAT_EQ(patch.y, 24);
  EXPECT_FLOAT_EQ(patch.size, 24 * std::sqrt(2 * 101.0f / 51.0f));
}

TEST(PatchGrid, SmallImages) {
  const auto count = [](int width, int height) {
    return MakePatchGrid(MakeImage(width, height, 1), {}).patches.size();
  };
  EXPECT_EQ(count(24, 24), 1u);
  EXPECT_EQ(count(27, 24), 1u);
  EXPECT_EQ(count(28, 24), 2u);
  EXPECT_EQ(count(23, 500), 0u);
  EXPECT_EQ(count(500, 23), 0u);
  EXPECT_EQ(count(1, 500), 0u);
  EXPECT_EQ(count(1, 1), 0u);
  EXPECT_TRUE(MakePatchGrid(MakeImage(500, 23, 1), {}).levels.empty());
}

TEST(PatchGrid, ManyScalesEndWithTheLastPatch) {
  GridOptions options;
  options.scales = 1000000000;
  EXPECT_EQ(MakePatchGrid(MakeImage(96, 96, 1), options).levels.size(), 5u);
  options.scale_factor = 1e300;
  EXPECT_EQ(MakePatchGrid(MakeImage(96, 96, 1), options).levels.size(), 1u);
}

TEST(PatchGrid, RefusesOptionsOutOfRange) {
  const auto with = [](auto change) {
    GridOptions options;
    change(options);
    return [options] { MakePatchGrid(MakeImage(50, 50, 1), options); };
  };
  EXPECT_THAT(with([](GridOptions& o) { o.patch = 22; }),
              ThrowsMessage<InvalidArgument>(HasSubstr("grid.patch must be a multiple of 4")));
  EXPECT_THAT(with([](GridOptions& o) { o.patch = 0; }),
              ThrowsMessage<InvalidArgument>(HasSubstr("got 0")));
  EXPECT_THAT(with([](GridOptions& o) { o.patch = -4; }),
              ThrowsMessage<InvalidArgument>(HasSubstr("got -4")));
  EXPECT_THAT(with([](GridOptions& o) { o.step = 0; }),
              ThrowsMessage<InvalidArgument>(HasSubstr("grid.step must be >= 1, got 0")));
  EXPECT_THAT(with([](GridOptions& o) { o.scales = 0; }),
              ThrowsMessage<InvalidArgument>(HasSubstr("grid.scales must be >= 1, got 0")));
  for (const double factor : {1.0, 0.5, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(with([&](GridOptions& o) { o.scale_factor = factor; }),
                ThrowsMessage<InvalidArgument>(HasSubstr("grid.scale_factor must be")));
  }
}

TEST(PatchGrid, RefusesImagesWithoutSize) {
  EXPECT_THAT([] { MakePatchGrid(Image{}, {}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("image width must be >= 1")));
  Image image = MakeImage(30, 30, 1);
  image.original_height = 0;
  EXPECT_THAT([&] { MakePatchGrid(image, {}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("image original height must be >= 1")));
}

}  // namespace
}  // namespace alcedo
