#include "alcedo/descriptors/color_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

GridOptions OneScale(int patch = 24, int step = 4) {
  GridOptions options;
  options.patch = patch;
  options.step = step;
  options.scales = 1;
  return options;
}

// Mean and deviation of every cell, in two passes.
void ExpectNaive(const Image& image, const GridOptions& options, double tolerance) {
  const Descriptors got = ExtractColorStatistics(image, options);
  ASSERT_EQ(got.values.cols(), 96);
  const int patch = options.patch, step = options.step, bin = patch / 4;
  Index n = 0;
  for (int s = 0; s < options.scales; ++s) {
    const double factor = std::pow(options.scale_factor, s);
    const int width = static_cast<int>(std::lround(image.width / factor + 1e-9));
    const int height = static_cast<int>(std::lround(image.height / factor + 1e-9));
    std::vector<double> planes[3];
    for (int c = 0; c < 3; ++c) {
      planes[c] = NaiveShrink(image.Plane(image.channels == 3 ? c : 0), image.width, image.height,
                              width, height);
    }
    for (int py = 0; py + patch <= height; py += step) {
      for (int px = 0; px + patch <= width; px += step, ++n) {
        ASSERT_LT(n, got.values.rows());
        for (int cell = 0; cell < 16; ++cell) {
          for (int c = 0; c < 3; ++c) {
            std::vector<double> samples;
            for (int y = 0; y < bin; ++y) {
              for (int x = 0; x < bin; ++x) {
                const int row = py + cell / 4 * bin + y, column = px + cell % 4 * bin + x;
                samples.push_back(planes[c][static_cast<std::size_t>(row) * width + column]);
              }
            }
            double mean = 0, variance = 0;
            for (const double v : samples) mean += v / (bin * bin);
            for (const double v : samples) variance += (v - mean) * (v - mean) / (bin * bin);
            ASSERT_NEAR(got.values(n, 6 * cell + c), mean, 1e-6 * std::abs(mean) + 1e-30)
                << "patch " << px << ", " << py << " of scale " << s << ", cell " << cell;
            ASSERT_NEAR(got.values(n, 6 * cell + 3 + c), std::sqrt(variance), tolerance)
                << "patch " << px << ", " << py << " of scale " << s << ", cell " << cell;
          }
        }
        ASSERT_NEAR(got.patches[n].x, (px + patch / 2.0) * image.width / width, 1e-3);
        ASSERT_NEAR(got.patches[n].y, (py + patch / 2.0) * image.height / height, 1e-3);
      }
    }
  }
  EXPECT_EQ(n, got.values.rows());
  EXPECT_EQ(n, static_cast<Index>(got.patches.size()));
}

TEST(ColorStatistics, EqualTheDefinition) {
  ExpectNaive(Scene(83, 71, 3, 1), {}, 3e-5);
  GridOptions options;
  options.scale_factor = 1.23;
  ExpectNaive(Scene(55, 62, 3, 2), options, 3e-5);
}

TEST(ColorStatistics, EqualTheDefinitionForAnyPatchAndStep) {
  for (const int patch : {4, 8, 12, 16, 20, 28, 40, 60}) {
    for (const int step : {1, 2, 3, 4, 5, 6, 10, 47}) {
      SCOPED_TRACE(testing::Message() << "patch " << patch << ", step " << step);
      ExpectNaive(Scene(patch + 19 + step, patch + 7 + step % 20, 3, patch + 100 * step),
                  OneScale(patch, step), 1e-4);
    }
  }
}

TEST(ColorStatistics, SmallImages) {
  ExpectNaive(Scene(24, 24, 3, 1), {}, 3e-5);
  ExpectNaive(Scene(24, 70, 3, 2), {}, 3e-5);
  ExpectNaive(Scene(4, 4, 3, 3), OneScale(4, 1), 3e-5);
  for (const auto& [width, height] : {std::pair{23, 23}, {24, 23}, {1, 300}, {300, 1}, {1, 1}}) {
    const Descriptors none = ExtractColorStatistics(Scene(width, height, 3, 1), {}, {}, 2);
    EXPECT_EQ(none.values.rows(), 0);
    EXPECT_EQ(none.values.cols(), 96);
    EXPECT_TRUE(none.patches.empty());
    EXPECT_EQ(none.width, width);
    EXPECT_EQ(none.height, height);
  }
}

TEST(ColorStatistics, GreyCountsAsThreeEqualChannels) {
  const Image gray = Scene(70, 50, 1, 4);
  ExpectNaive(gray, {}, 3e-5);
  const Rows of_gray = ExtractColorStatistics(gray).values;
  EXPECT_EQ(of_gray, ExtractColorStatistics(ToRgb(gray)).values);
}

TEST(ColorStatistics, EqualSamplesHaveNoDeviation) {
  Image image = MakeImage(90, 70, 3);
  for (const float value :
       {0.0f, 255.0f, 127.3f, 0.1f, -77.7f, 1e-30f, 1e30f, std::numeric_limits<float>::max()}) {
    std::fill(image.samples.begin(), image.samples.end(), value);
    for (const auto& [patch, step] :
         {std::pair{24, 4}, {24, 5}, {28, 7}, {40, 6}, {52, 1}, {60, 1}}) {
      GridOptions options = OneScale(patch, step);
      options.scales = 4;
      const Rows values = ExtractColorStatistics(image, options).values;
      ASSERT_TRUE(values.allFinite());
      for (Index n = 0; n < values.rows(); ++n) {
        for (int k = 0; k < 96; ++k) {
          if (k % 6 < 3) {
            ASSERT_NEAR(values(n, k), value, std::abs(value) * 1e-6);
          } else {
            ASSERT_EQ(values(n, k), 0);
          }
        }
      }
    }
  }
}

TEST(ColorStatistics, SmallDeviationsFromLargeMeans) {
  // Samples are 1/16 apart here. Sums of squares in float would give variances of thousands.
  Image image = MakeImage(60, 50, 3);
  Rng rng(5);
  for (float& sample : image.samples) sample = static_cast<float>(1e6 + rng.Normal());
  ExpectNaive(image, OneScale(), 0.03);
}

TEST(ColorStatistics, OutliersDoNotSpoilTheirNeighbours) {
  Image image = Scene(60, 50, 3, 5);
  image.Plane(0)[0] = 1e6;
  image.Plane(1)[25 * 60 + 30] = -1e6;
  ExpectNaive(image, OneScale(), 0.1);
  // A cell that does not hold the outlier is what it would be without it.
  const Rows with = ExtractColorStatistics(image, OneScale()).values;
  image.Plane(0)[0] = 3;
  const Rows without = ExtractColorStatistics(image, OneScale()).values;
  EXPECT_NE(with(0, 3), without(0, 3));
  EXPECT_EQ(with.row(0).tail(90), without.row(0).tail(90));
  EXPECT_EQ(with.bottomRows(with.rows() - 1), without.bottomRows(with.rows() - 1));
}

TEST(ColorStatistics, ScaleWithTheSamples) {
  const Image image = Scene(60, 50, 3, 6);
  const Rows plain = ExtractColorStatistics(image).values;
  for (const int exponent : {-60, 3, 60, 100}) {
    Image scaled = image;
    for (float& sample : scaled.samples) sample = std::ldexp(sample, exponent);
    const Rows values = ExtractColorStatistics(scaled).values;
    ASSERT_TRUE(values.allFinite());
    EXPECT_LT((values * std::ldexp(1.0f, -exponent) - plain).cwiseAbs().maxCoeff(), 1e-4)
        << exponent;
  }
}

TEST(ColorStatistics, LargestFloats) {
  Image image = MakeImage(60, 50, 3);
  Rng rng(3);
  for (float& sample : image.samples) {
    sample = std::numeric_limits<float>::max() * (rng.Uniform() < 0.5 ? 1.0f : -1.0f);
  }
  EXPECT_TRUE(ExtractColorStatistics(image).values.allFinite());
}

TEST(ColorStatistics, ThreadsDoNotMatter) {
  const Image image = Scene(133, 101, 3, 10);
  for (const int step : {3, 4, 40}) {
    GridOptions options;
    options.step = step;
    const Descriptors one = ExtractColorStatistics(image, options, {}, 1);
    for (const int threads : {2, 3, 8, 40}) {
      EXPECT_EQ(one.values, ExtractColorStatistics(image, options, {}, threads).values);
    }
  }
}

TEST(ColorStatistics, PlacesAreThoseOfTheOriginal) {
  Image image = Scene(48, 40, 3, 11);
  image.original_width = 480;
  image.original_height = 400;
  const Descriptors descriptors = ExtractColorStatistics(image, OneScale());
  EXPECT_EQ(descriptors.width, 480);
  EXPECT_EQ(descriptors.height, 400);
  ASSERT_EQ(descriptors.patches.size(), 7u * 5u);
  EXPECT_FLOAT_EQ(descriptors.patches[8].x, 160);
  EXPECT_FLOAT_EQ(descriptors.patches[8].y, 160);
  EXPECT_FLOAT_EQ(descriptors.patches[8].size, 240);
}

TEST(ColorStatistics, RefuseWhatIsOutOfRange) {
  Image image = Scene(50, 40, 3, 12);
  EXPECT_THAT([&] { ExtractColorStatistics(image, {}, {}, 0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("threads must be >= 1, got 0")));
  EXPECT_THAT([&] { ExtractColorStatistics(image, OneScale(25, 4)); },
              ThrowsMessage<InvalidArgument>(HasSubstr("grid.patch")));
  image.Plane(2)[39 * 50 + 49] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT([&] { ExtractColorStatistics(image); },
              ThrowsMessage<InvalidArgument>(HasSubstr("plane 2, row 39, column 49")));
}

}  // namespace
}  // namespace alcedo
