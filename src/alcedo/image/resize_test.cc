#include "alcedo/image/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/row_sink.h"

namespace alcedo {
namespace {

using testing::ImageOf;
using testing::MessageOf;

double Overlap(double a_begin, double a_end, double b_begin, double b_end) {
  return std::max(0.0, std::min(a_end, b_end) - std::max(a_begin, b_begin));
}

// The mean of the plane under one output pixel, from the definition.
double NaiveMean(const Image& image, int c, int width, int height, int y, int x) {
  const double x_step = static_cast<double>(image.width) / width;
  const double y_step = static_cast<double>(image.height) / height;
  double sum = 0;
  for (int r = 0; r < image.height; ++r) {
    for (int q = 0; q < image.width; ++q) {
      sum += Overlap(r, r + 1, y * y_step, (y + 1) * y_step) *
             Overlap(q, q + 1, x * x_step, (x + 1) * x_step) * image.Plane(c)[r * image.width + q];
    }
  }
  return sum / (x_step * y_step);
}

Image RandomImage(int width, int height, int channels, Rng& rng, double scale = 255) {
  return ImageOf(width, height, channels, [&](int, int, int) { return scale * rng.Uniform(); });
}

TEST(ShrinkByArea, EqualsTheMeanOfTheAreaUnderEveryPixel) {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    const int in_width = 1 + static_cast<int>(rng.UniformIndex(20));
    const int in_height = 1 + static_cast<int>(rng.UniformIndex(20));
    const int width = 1 + static_cast<int>(rng.UniformIndex(in_width));
    const int height = 1 + static_cast<int>(rng.UniformIndex(in_height));
    Image image = RandomImage(in_width, in_height, round % 2 == 0 ? 1 : 3, rng);
    image.original_width = 1000;
    image.original_height = 2000;
    const Image small = ShrinkByArea(image, width, height);
    ASSERT_EQ(small.width, width);
    ASSERT_EQ(small.height, height);
    EXPECT_EQ(small.original_width, 1000);
    EXPECT_EQ(small.original_height, 2000);
    for (int c = 0; c < image.channels; ++c) {
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          EXPECT_NEAR(small.Plane(c)[y * width + x], NaiveMean(image, c, width, height, y, x), 3e-5)
              << in_width << "x" << in_height << " to " << width << "x" << height;
        }
      }
    }
  }
}

TEST(ShrinkByArea, OfItsOwnSizeIsACopy) {
  Rng rng(2);
  const Image image = RandomImage(7, 5, 3, rng);
  EXPECT_EQ(ShrinkByArea(image, 7, 5).samples, image.samples);
}

TEST(ShrinkByArea, KeepsFlatAreasExactlyFlat) {
  // Otherwise rounding would be a texture, which descriptors scale up to unit length.
  Rng rng(3);
  for (int round = 0; round < 40; ++round) {
    const auto value = static_cast<float>(std::pow(10, round - 20) * (0.1 + rng.Uniform()));
    for (const auto& [width, height] : {std::pair{70, 40}, {75, 41}, {1, 50}, {64, 1}}) {
      std::vector<float> in(101 * 57, value), out(width * height);
      ShrinkPlaneByArea(in.data(), 101, 57, out.data(), width, height);
      EXPECT_EQ(out, std::vector<float>(out.size(), value));
    }
  }
}

TEST(ShrinkByArea, IsCorrectlyRoundedForBytes) {
  Rng rng(4);
  const Image image = ImageOf(977, 611, 1, [&](int, int, int) { return rng.UniformIndex(256); });
  const Image small = ShrinkByArea(image, 40, 23);
  for (int y = 0; y < 23; ++y) {
    for (int x = 0; x < 40; ++x) {
      std::int64_t sum = 0;  // in units of 1 / (40 * 23)
      for (int r = y * 611 / 23; r < 611 && r * 23 < (y + 1) * 611; ++r) {
        for (int q = x * 977 / 40; q < 977 && q * 40 < (x + 1) * 977; ++q) {
          const int rows =
              std::max(0, std::min((r + 1) * 23, (y + 1) * 611) - std::max(r * 23, y * 611));
          const int columns =
              std::max(0, std::min((q + 1) * 40, (x + 1) * 977) - std::max(q * 40, x * 977));
          sum += static_cast<std::int64_t>(rows) * columns *
                 static_cast<std::int64_t>(image.samples[r * 977 + q]);
        }
      }
      EXPECT_EQ(small.samples[y * 40 + x],
                static_cast<float>(static_cast<double>(sum) / (977 * 611)));
    }
  }
}

TEST(ShrinkByArea, HoldsItsPrecisionOverLongSums) {
  // A sum of a million floats in float would be wrong in the third digit.
  const Index length = 3000000;
  std::vector<float> in(length);
  double sum = 0;
  for (Index i = 0; i < length; ++i) sum += in[i] = 0.1f + static_cast<float>(i % 7) / 7;
  float out = 0;
  ShrinkPlaneByArea(in.data(), 1, length, &out, 1, 1);
  EXPECT_NEAR(out, sum / length, 1e-6);
  ShrinkPlaneByArea(in.data(), length, 1, &out, 1, 1);
  EXPECT_NEAR(out, sum / length, 1e-6);
}

TEST(ShrinkByArea, RefusesToEnlargeAndWhatIsNotFinite) {
  Image image = MakeImage(4, 3, 1);
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { ShrinkByArea(image, 5, 3); }),
            "width must be at most that of the image, got 5");
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { ShrinkByArea(image, 4, 4); }),
            "height must be at most that of the image, got 4");
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { ShrinkByArea(image, 0, 3); }),
            "width must be >= 1, got 0");
  EXPECT_EQ(MessageOf<InvalidArgument>(
                [&] { ShrinkPlaneByArea(image.Plane(0), 4, 3, image.Plane(0), 4, 0); }),
            "height must be >= 1, got 0");
  image.samples[7] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { ShrinkByArea(image, 2, 2); }),
            "image samples must be finite, got inf in plane 0, row 1, column 3");
}

TEST(RowSink, GivesWhatShrinkByAreaGivesOfTheWhole) {
  Rng rng(5);
  for (const auto& [width, height] : {std::pair{31, 23}, {5, 70000}, {40, 1}}) {
    for (const int channels : {1, 3}) {
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(width) * height * channels);
      for (std::uint8_t& value : bytes)
        value = static_cast<std::uint8_t>(255 - rng.UniformIndex(10));
      const Image whole = ImageOf(width, height, channels, [&](int y, int x, int c) {
        return bytes[(static_cast<std::size_t>(y) * width + x) * channels + c];
      });
      for (const ImageSize target : {ImageSize{width, height},
                                     {std::min(17, width), 1},
                                     {3, std::min(height, 9)},
                                     {width, (height + 1) / 2}}) {
        internal::RowSink from_bytes(width, height, channels, target);
        internal::RowSink from_floats(width, height, channels, target);
        std::vector<float> row(static_cast<std::size_t>(width) * channels);
        for (Index y = 0; y < height; ++y) {
          const std::uint8_t* from = bytes.data() + y * width * channels;
          std::copy(from, from + row.size(), row.begin());
          from_bytes.AddRow(from);
          from_floats.AddRow(row.data());
        }
        const std::vector<float> expected =
            ShrinkByArea(whole, target.width, target.height).samples;
        EXPECT_EQ(std::move(from_bytes).Finish(1, 1).samples, expected);
        EXPECT_EQ(std::move(from_floats).Finish(1, 1).samples, expected);
      }
    }
  }
}

TEST(FitPixels, IsTheLargestSizeOfTheShape) {
  Rng rng(6);
  for (int round = 0; round < 2000; ++round) {
    const int width = 1 + static_cast<int>(std::exp(rng.Uniform() * 10));
    const int height = 1 + static_cast<int>(std::exp(rng.Uniform() * 10));
    const int limit = 1 + static_cast<int>(std::exp(rng.Uniform() * 12));
    const ImageSize size = FitPixels(width, height, limit);
    const ImageSize turned = FitPixels(height, width, limit);
    ASSERT_GE(size.width, 1);
    ASSERT_GE(size.height, 1);
    ASSERT_LE(size.width, width);
    ASSERT_LE(size.height, height);
    EXPECT_EQ(size.width, turned.height);
    EXPECT_EQ(size.height, turned.width);
    const double area = static_cast<double>(width) * height;
    if (area - limit <= limit / 100) {
      EXPECT_EQ(size.width, width);
      EXPECT_EQ(size.height, height);
      continue;
    }
    ASSERT_LE(static_cast<double>(size.width) * size.height, limit);
    const double scale = std::sqrt(limit / area);
    if (width * scale >= 1 && height * scale >= 1) {
      EXPECT_NEAR(size.width, std::floor(width * scale + 1e-9), 1e-9);
      EXPECT_NEAR(size.height, std::floor(height * scale + 1e-9), 1e-9);
    }
  }
}

TEST(FitPixels, KnowsTheEdges) {
  const auto fit = [](int width, int height, int pixels) {
    const ImageSize size = FitPixels(width, height, pixels);
    return std::pair{size.width, size.height};
  };
  EXPECT_EQ(fit(500, 375, 100000), std::pair(365, 273));
  EXPECT_EQ(fit(500, 200, 100000), std::pair(500, 200));
  EXPECT_EQ(fit(500, 202, 100000), std::pair(500, 202));
  EXPECT_EQ(fit(1000, 102, 100000), std::pair(990, 100));
  EXPECT_EQ(fit(4000, 3000, 0), std::pair(4000, 3000));
  EXPECT_EQ(fit(4000, 4000, 1000000), std::pair(1000, 1000));
  EXPECT_EQ(fit(100000000, 1, 100000), std::pair(100000, 1));
  EXPECT_EQ(fit(3, 100000000, 2), std::pair(1, 2));
  EXPECT_EQ(fit(5000, 4000, 1), std::pair(1, 1));
  // The square root of 10^18 - 1 is below 10^9, in double it is not.
  EXPECT_EQ(fit(1999999998, 2, 1000000001), std::pair(999999999, 1));
  const int most = std::numeric_limits<int>::max();
  EXPECT_EQ(fit(most, most, most), std::pair(46340, 46340));
  EXPECT_EQ(fit(most, 1, most), std::pair(most, 1));
  EXPECT_EQ(MessageOf<InvalidArgument>([] { FitPixels(1, 1, -1); }),
            "max_pixels must be >= 0, got -1");
}

}  // namespace
}  // namespace alcedo
