// Dense SIFT beside VLFeat's vl_dsift with a flat window.
//
// VLFeat's conventions are ours: of its 128 values the orientation runs fastest, then x, then y;
// angles grow from +x towards +y (downwards); frames go row by row. Its frames begin with the
// centre of the first cell, so that its bounds are moved in by where that is in a patch of ours.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"
#include "alcedo/testing/test_images.h"

extern "C" {
#include <vl/dsift.h>
}

namespace alcedo {
namespace {

namespace fs = std::filesystem;

Rows VlfeatSift(const Image& gray, int patch, int step) {
  const int bin = patch / 4, first = (bin - 1) / 2;
  const std::unique_ptr<VlDsiftFilter, void (*)(VlDsiftFilter*)> filter(
      vl_dsift_new_basic(gray.width, gray.height, step, bin), vl_dsift_delete);
  vl_dsift_set_flat_window(filter.get(), 1);
  vl_dsift_set_bounds(filter.get(), first, first, gray.width - 1 - bin / 2,
                      gray.height - 1 - bin / 2);
  vl_dsift_process(filter.get(), gray.Plane(0));
  return Eigen::Map<const EigenRows>(vl_dsift_get_descriptors(filter.get()),
                                     vl_dsift_get_keypoint_num(filter.get()), 128);
}

// Returns how many patches were flat.
Index ExpectVlfeat(const Image& image, const GridOptions& options) {
  const Image gray = ToGray(image);
  const PatchGrid grid = MakePatchGrid(image, options);
  const Rows ours = ExtractDenseSift(image, options).values;
  Index flat = 0;
  for (const GridLevel& level : grid.levels) {
    const Rows theirs =
        VlfeatSift(ShrinkByArea(gray, level.width, level.height), grid.patch, grid.step);
    EXPECT_EQ(theirs.rows(), Index{level.columns} * level.rows);
    for (Index n = 0; n < theirs.rows(); ++n) {
      const auto row = ours.row(level.first + n);
      if (row.isZero(0)) {
        ++flat;
        continue;
      }
      const double cosine = row.dot(theirs.row(n)) / row.norm() / theirs.row(n).norm();
      EXPECT_GE(cosine, 0.999) << "patch " << n << " of " << level.width << " x " << level.height;
      if (cosine < 0.999) return flat;  // one message will do
    }
  }
  return flat;
}

TEST(Vlfeat, ScenesHaveTheSameDescriptors) {
  EXPECT_LT(ExpectVlfeat(Scene(200, 150, 3, 1), {}), 200);
  EXPECT_LT(ExpectVlfeat(Scene(91, 130, 1, 2), {}), 100);
}

TEST(Vlfeat, AnyPatchAndStep) {
  for (const int patch : {8, 12, 16, 20, 28, 32, 40}) {
    for (const int step : {1, 3, 5, 8}) {
      GridOptions options;
      options.patch = patch;
      options.step = step;
      options.scales = 2;
      SCOPED_TRACE(testing::Message() << "patch " << patch << ", step " << step);
      ExpectVlfeat(Scene(patch + 40, patch + 23, 1, patch + step), options);
    }
  }
}

TEST(Vlfeat, PhotographsHaveTheSameDescriptors) {
  const fs::path folder =
      fs::path(ALCEDO_SOURCE_DIR) / ".." / "shared" / "data" / "flowers102" / "jpg";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no photographs in " << folder;
  for (const char* name : {"image_00001.jpg", "image_00777.jpg", "image_05120.jpg"}) {
    ASSERT_TRUE(fs::exists(folder / name));
    SCOPED_TRACE(name);
    const Image image = ReadImage(folder / name);
    const Index flat = ExpectVlfeat(image, {});
    EXPECT_LT(flat, 3500);
  }
}

}  // namespace
}  // namespace alcedo
