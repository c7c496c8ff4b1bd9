#include "alcedo/image/write_image.h"

#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

using testing::Difference;
using testing::ImageOf;
using testing::MakePixels;
using testing::MessageOf;

TEST(WriteImage, RoundTrips) {
  for (const int channels : {1, 3}) {
    for (const auto& [width, height] : {std::pair{61, 47}, {1, 1}, {1, 300}, {300, 1}}) {
      const Image image = ImageOf(MakePixels(width, height, channels));
      EXPECT_EQ(Difference(ReadImageBytes(PngBytes(image), "x"), image), 0);
      EXPECT_EQ(Difference(ReadImageBytes(PnmBytes(image), "x"), image), 0);
      EXPECT_EQ(PngBytes(image), PngBytes(image));
    }
  }
}

TEST(WriteImage, RoundsAndClamps) {
  Image image = MakeImage(6, 1, 1);
  image.samples = {-3, 0.4f, 0.5f, 99.49f, 254.51f, 1e30f};
  EXPECT_EQ(PnmBytes(image), std::string("P5\n6 1\n255\n\0\0\1\x63\xFF\xFF", 17));
  const std::vector<float> bytes = {0, 0, 1, 99, 255, 255};
  EXPECT_EQ(ReadImageBytes(PngBytes(image), "x").samples, bytes);
}

TEST(WriteImage, ChannelsAreInterleaved) {
  const Image image = ImageOf(2, 1, 3, [](int, int x, int c) { return 10 * x + c; });
  EXPECT_EQ(PnmBytes(image), std::string("P6\n2 1\n255\n\0\1\2\n\x0B\x0C", 17));
}

TEST(WriteImage, RefusesWhatIsNoImage) {
  Image image = MakeImage(2, 2, 1);
  image.samples[3] = std::numeric_limits<float>::quiet_NaN();
  for (const auto& write : {PngBytes, PnmBytes}) {
    EXPECT_EQ(MessageOf<InvalidArgument>([&] { write(image); }),
              "image samples must be finite, got nan in plane 0, row 1, column 1");
    EXPECT_NE(MessageOf<InvalidArgument>([&] { write(Image()); }), "");
  }
}

}  // namespace
}  // namespace alcedo
