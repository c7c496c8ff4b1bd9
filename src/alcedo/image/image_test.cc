#include "alcedo/image/image.h"

#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"

namespace alcedo {
namespace {

using testing::ImageOf;
using testing::MessageOf;

TEST(Image, StartsBlackAndOfItsOriginalSize) {
  const Image image = MakeImage(3, 2, 3);
  EXPECT_EQ(image.samples, std::vector<float>(18, 0.0f));
  EXPECT_EQ(image.original_width, 3);
  EXPECT_EQ(image.original_height, 2);
  EXPECT_EQ(image.Plane(2) - image.Plane(0), 12);
  EXPECT_EQ(MessageOf<InvalidArgument>([] { MakeImage(0, 2, 1); }),
            "image width must be >= 1, got 0");
  EXPECT_EQ(MessageOf<InvalidArgument>([] { MakeImage(1, -2, 1); }),
            "image height must be >= 1, got -2");
  EXPECT_EQ(MessageOf<InvalidArgument>([] { MakeImage(1, 2, 2); }),
            "image channels must be 1 or 3, got 2");
}

TEST(Image, CheckNamesWhatIsWrong) {
  Image image = MakeImage(5, 4, 3);
  CheckImage(image);
  image.Plane(1)[2 * 5 + 3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { CheckImage(image); }),
            "image samples must be finite, got nan in plane 1, row 2, column 3");
  image.Plane(1)[2 * 5 + 3] = 0;
  image.Plane(2)[3 * 5 + 4] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { ToGray(image); }),
            "image samples must be finite, got -inf in plane 2, row 3, column 4");
  image.Plane(2)[3 * 5 + 4] = std::numeric_limits<float>::max();
  CheckImage(image);
  image.samples.pop_back();
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { CheckImage(image); }),
            "image samples must be 3 x 4 x 5 = 60, got 59");
  image.samples.push_back(0);
  image.original_height = 0;
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { CheckImage(image); }),
            "image original height must be >= 1, got 0");
  EXPECT_NE(MessageOf<InvalidArgument>([&] { CheckImage(Image()); }), "");
}

TEST(Image, GrayIsLuminance) {
  Image image = ImageOf(4, 3, 3, [](int y, int x, int c) { return 60 * y + 3 * x + 20 * c; });
  image.original_width = 40;
  image.original_height = 30;
  const Image gray = ToGray(image);
  ASSERT_EQ(gray.channels, 1);
  EXPECT_EQ(gray.original_width, 40);
  EXPECT_EQ(gray.original_height, 30);
  for (int i = 0; i < 12; ++i) {
    const double y =
        0.299 * image.Plane(0)[i] + 0.587 * image.Plane(1)[i] + 0.114 * image.Plane(2)[i];
    EXPECT_NEAR(gray.samples[i], y, 1e-5);
  }
}

TEST(Image, GrayAndBackKeepsEveryValue) {
  // Also those that are no 8-bit numbers.
  const Image gray = ImageOf(256, 257, 1, [](int y, int x, int) { return (x + 256 * y) / 257.0; });
  const Image rgb = ToRgb(gray);
  ASSERT_EQ(rgb.channels, 3);
  EXPECT_EQ(ToRgb(rgb).samples, rgb.samples);
  EXPECT_EQ(ToGray(rgb).samples, gray.samples);
  EXPECT_EQ(ToGray(gray).samples, gray.samples);
}

}  // namespace
}  // namespace alcedo
