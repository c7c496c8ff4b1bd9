#include "alcedo/descriptors/dense_sift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/test_images.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Naive {
  std::vector<double> values;  // 128
  double contrast;
};

// SIFT of the patch with its top left corner at pixel (px, py), from the definition in the header.
Naive NaiveSift(const std::vector<double>& plane, int width, int height, int px, int py, int bin,
                bool root) {
  const auto at = [&](int x, int y) { return plane[static_cast<std::size_t>(y) * width + x]; };
  const double pi = std::acos(-1.0);
  Naive result{std::vector<double>(128), 0};
  double all_weights = 0;
  for (int cell = 0; cell < 16; ++cell) {
    double window[2] = {0, 0};
    const int place[2] = {cell % 4, cell / 4};
    for (int axis = 0; axis < 2; ++axis) {
      for (int d = -bin + 1; d <= bin - 1; ++d) {
        const double distance = bin * (place[axis] - 1.5) + d;
        window[axis] += std::exp(-distance * distance / (2 * 4.0 * bin * bin)) / (2 * bin - 1);
      }
    }
    for (int dy = -bin; dy <= bin; ++dy) {
      for (int dx = -bin; dx <= bin; ++dx) {
        const int x = std::clamp(px + (bin - 1) / 2 + bin * place[0] + dx, 0, width - 1);
        const int y = std::clamp(py + (bin - 1) / 2 + bin * place[1] + dy, 0, height - 1);
        const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
        const int above = std::max(y - 1, 0), below = std::min(y + 1, height - 1);
        const double gx = (at(right, y) - at(left, y)) / (right - left);
        const double gy = (at(x, below) - at(x, above)) / (below - above);
        double angle = std::atan2(gy, gx) / (2 * pi) * 8;
        if (angle < 0) angle += 8;
        const double weight = (1 - std::abs(dx) / static_cast<double>(bin)) *
                              (1 - std::abs(dy) / static_cast<double>(bin)) * window[0] * window[1];
        const double magnitude = std::hypot(gx, gy), part = angle - std::floor(angle);
        const int low = static_cast<int>(std::floor(angle)) % 8;
        result.values[8 * cell + low] += weight * magnitude * (1 - part);
        result.values[8 * cell + (low + 1) % 8] += weight * magnitude * part;
        result.contrast += weight * magnitude;
        all_weights += weight;
      }
    }
  }
  result.contrast /= all_weights;
  const auto normalize = [&](double power) {
    double sum = 1e-300;
    for (const double v : result.values) sum += std::pow(v, power);
    for (double& v : result.values) v /= std::pow(sum, 1 / power);
  };
  normalize(2);
  for (double& v : result.values) v = std::min(v, 0.2);
  normalize(root ? 1 : 2);
  if (root) {
    for (double& v : result.values) v = std::sqrt(v);
  }
  return result;
}

GridOptions OneScale(int patch = 24, int step = 4) {
  GridOptions options;
  options.patch = patch;
  options.step = step;
  options.scales = 1;
  return options;
}

void ExpectNaive(const Image& image, const GridOptions& grid, const SiftOptions& options = {}) {
  const Descriptors got = ExtractDenseSift(image, grid, options);
  const int patch = grid.patch, step = grid.step;
  Index n = 0;
  for (int s = 0; s < grid.scales; ++s) {
    const double factor = std::pow(grid.scale_factor, s);
    const int width = static_cast<int>(std::lround(image.width / factor + 1e-9));
    const int height = static_cast<int>(std::lround(image.height / factor + 1e-9));
    const auto plane = NaiveShrink(image.Plane(0), image.width, image.height, width, height);
    for (int y = 0; y + patch <= height; y += step) {
      for (int x = 0; x + patch <= width; x += step, ++n) {
        ASSERT_LT(n, got.values.rows());
        const Naive want = NaiveSift(plane, width, height, x, y, patch / 4, options.root);
        const bool flat = want.contrast < options.contrast;
        for (int k = 0; k < 128; ++k) {
          // A root is steep at 0.
          ASSERT_NEAR(got.values(n, k), flat ? 0 : want.values[k], options.root ? 1e-3 : 2e-5)
              << "patch " << x << ", " << y << " of scale " << s << ", value " << k;
        }
        ASSERT_NEAR(got.patches[n].x, (x + patch / 2.0) * image.width / width, 1e-3);
        ASSERT_NEAR(got.patches[n].y, (y + patch / 2.0) * image.height / height, 1e-3);
      }
    }
  }
  EXPECT_EQ(n, got.values.rows());
  EXPECT_EQ(n, static_cast<Index>(got.patches.size()));
}

TEST(DenseSift, EqualsTheDefinition) {
  SiftOptions options;
  GridOptions grid;
  ExpectNaive(Scene(75, 66, 1, 1), grid, options);
  options.root = true;
  ExpectNaive(Scene(75, 66, 1, 2), grid, options);
  grid.scale_factor = 1.23;
  grid.scales = 3;
  ExpectNaive(Scene(47, 41, 1, 3), grid, options);
}

TEST(DenseSift, EqualsTheDefinitionForAnyPatchAndStep) {
  for (const int patch : {4, 8, 12, 16, 20, 28, 40}) {
    for (const int step : {1, 3, 4, 6, 10, 47}) {
      SCOPED_TRACE(testing::Message() << "patch " << patch << ", step " << step);
      ExpectNaive(Scene(patch + 9 + step % 20, patch + 5 + step, 1, patch + 100 * step),
                  OneScale(patch, step));
    }
  }
}

TEST(DenseSift, EqualsTheDefinitionOnSmallImages) {
  ExpectNaive(Scene(24, 24, 1, 1), {});
  ExpectNaive(Scene(24, 61, 1, 2), {});
  ExpectNaive(Scene(61, 24, 1, 3), {});
  ExpectNaive(Scene(4, 4, 1, 4), OneScale(4, 1));
  ExpectNaive(Scene(5, 19, 1, 5), OneScale(4, 1));
}

TEST(DenseSift, ImagesSmallerThanAPatchGiveNothing) {
  for (const auto& [width, height] : {std::pair{23, 23}, {24, 23}, {1, 300}, {300, 1}, {1, 1}}) {
    const Descriptors none = ExtractDenseSift(Scene(width, height, 3, 1), {}, {}, 2);
    EXPECT_EQ(none.values.rows(), 0);
    EXPECT_EQ(none.values.cols(), 128);
    EXPECT_TRUE(none.patches.empty());
    EXPECT_EQ(none.width, width);
    EXPECT_EQ(none.height, height);
  }
}

TEST(DenseSift, ColourIsTakenAsLuminance) {
  const Image color = Scene(50, 40, 3, 8);
  Image gray = MakeImage(50, 40, 1);
  for (std::size_t i = 0; i < gray.samples.size(); ++i) {
    gray.samples[i] =
        0.299f * color.Plane(0)[i] + 0.587f * color.Plane(1)[i] + 0.114f * color.Plane(2)[i];
  }
  const Rows a = ExtractDenseSift(color).values, b = ExtractDenseSift(gray).values;
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(DenseSift, OneEdgeHasOneOrientation) {
  // Brighter to the right, then downwards, to the left, upwards: orientations 0, 2, 4, 6.
  for (int turn = 0; turn < 4; ++turn) {
    Image image = MakeImage(24, 24, 1);
    for (int y = 0; y < 24; ++y) {
      for (int x = 0; x < 24; ++x) {
        const float along[] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(-x),
                               static_cast<float>(-y)};
        image.Plane(0)[24 * y + x] = 100 + 3 * along[turn];
      }
    }
    const Rows values = ExtractDenseSift(image).values;
    for (int k = 0; k < 128; ++k) {
      EXPECT_EQ(values(0, k) > 0, k % 8 == 2 * turn) << turn << ", value " << k;
    }
  }
}

TEST(DenseSift, PlacesAreThoseOfTheOriginal) {
  Image image = Scene(48, 40, 1, 11);
  image.original_width = 480;
  image.original_height = 400;
  const Descriptors descriptors = ExtractDenseSift(image, OneScale());
  EXPECT_EQ(descriptors.width, 480);
  EXPECT_EQ(descriptors.height, 400);
  ASSERT_EQ(descriptors.patches.size(), 7u * 5u);
  EXPECT_FLOAT_EQ(descriptors.patches[8].x, 160);
  EXPECT_FLOAT_EQ(descriptors.patches[8].y, 160);
  EXPECT_FLOAT_EQ(descriptors.patches[8].size, 240);
}

TEST(DenseSift, RefusesWhatIsOutOfRange) {
  Image image = Scene(50, 40, 3, 12);
  for (const double contrast :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SiftOptions options;
    options.contrast = contrast;
    EXPECT_THAT([&] { ExtractDenseSift(image, {}, options); },
                ThrowsMessage<InvalidArgument>(HasSubstr("sift.contrast must be")));
    EXPECT_THAT([&] { Check(options); },
                ThrowsMessage<InvalidArgument>(HasSubstr("sift.contrast must be")));
  }
  EXPECT_THAT([&] { ExtractDenseSift(image, {}, {}, 0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("threads must be >= 1, got 0")));
  GridOptions grid;
  grid.step = -1;
  EXPECT_THAT([&] { ExtractDenseSift(image, grid); },
              ThrowsMessage<InvalidArgument>(HasSubstr("grid.step")));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    image.Plane(1)[7 * 50 + 13] = bad;
    EXPECT_THAT([&] { ExtractDenseSift(image); },
                ThrowsMessage<InvalidArgument>(HasSubstr("plane 1, row 7, column 13")));
  }
}

}  // namespace
}  // namespace alcedo
