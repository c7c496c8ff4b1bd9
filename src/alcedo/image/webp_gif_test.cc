#include <gtest/gtest.h>
#include <webp/decode.h>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

using testing::Difference;
using testing::Exif;
using testing::Gif;
using testing::GifColor;
using testing::GifSpec;
using testing::ImageOf;
using testing::MakePixels;
using testing::MessageOf;
using testing::Pixels;
using testing::Webp;
using testing::WebpAnimation;
using testing::WebpWithExif;

const ImageOptions kAllPixels = {.max_pixels = 0};

// On a canvas, over white.
Image NaiveCanvas(const Pixels& frame, int left, int top, int width, int height) {
  return ImageOf(width, height, 3, [&](int y, int x, int c) {
    const int r = y - top, q = x - left;
    if (r < 0 || q < 0 || r >= frame.height || q >= frame.width) return 255.0;
    const double alpha = frame.channels == 4 ? frame.At(r, q, 3) / 255.0 : 1;
    return frame.At(r, q, c) * alpha + 255 * (1 - alpha);
  });
}

Pixels DecodeWebp(const std::string& bytes, bool alpha) {
  int width = 0, height = 0;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::uint8_t* samples = alpha ? WebPDecodeRGBA(data, bytes.size(), &width, &height)
                                : WebPDecodeRGB(data, bytes.size(), &width, &height);
  const int channels = alpha ? 4 : 3;
  Pixels pixels{width, height, channels, {samples, samples + width * height * channels}};
  WebPFree(samples);
  return pixels;
}

TEST(Webp, LosslessIsExact) {
  for (const auto& [width, height] : {std::pair{37, 21}, {1, 1}, {200, 3}}) {
    const Pixels rgb = MakePixels(width, height, 3);
    EXPECT_EQ(Difference(ReadImageBytes(Webp(rgb, true), "x", kAllPixels), ImageOf(rgb)), 0);
    const Pixels rgba = DecodeWebp(Webp(MakePixels(width, height, 4), true), true);
    EXPECT_LE(Difference(ReadImageBytes(Webp(rgba, true), "x", kAllPixels),
                         NaiveCanvas(rgba, 0, 0, width, height)),
              1e-4);
  }
}

TEST(Webp, LossyEqualsWhatLibwebpDecodes) {
  for (const int channels : {3, 4}) {
    const Pixels pixels = MakePixels(61, 40, channels);
    const std::string bytes = Webp(pixels, false);
    const Image image = ReadImageBytes(bytes, "x", kAllPixels);
    EXPECT_LE(Difference(image, NaiveCanvas(DecodeWebp(bytes, channels == 4), 0, 0, 61, 40)), 1e-4);
    EXPECT_LT(Difference(image, NaiveCanvas(pixels, 0, 0, 61, 40)), 120);
  }
}

TEST(Webp, OrientationIsTurned) {
  const Pixels pixels = MakePixels(24, 10, 3);
  for (const std::string& prefix : {std::string(), std::string("Exif\0\0", 6)}) {
    const Image image =
        ReadImageBytes(WebpWithExif(Webp(pixels, true), 24, 10, false, prefix + Exif(8)), "x");
    // The first row is on the left, the first column at the bottom.
    const Image naive =
        ImageOf(10, 24, 3, [&](int y, int x, int c) { return pixels.At(x, 23 - y, c); });
    EXPECT_EQ(Difference(image, naive), 0);
  }
}

TEST(Webp, FirstFrameOfAnAnimationOnItsCanvas) {
  for (const int channels : {3, 4}) {
    const Pixels first = DecodeWebp(Webp(MakePixels(20, 12, channels), true), channels == 4);
    Pixels second = first;
    for (int& value : second.values) value = 255 - value;
    const std::string bytes =
        WebpAnimation({Webp(first, true), Webp(second, true)}, 20, 12, 6, 4, 33, 21);
    EXPECT_LE(Difference(ReadImageBytes(bytes, "x"), NaiveCanvas(first, 6, 4, 33, 21)), 1e-4);
    const std::string whole = WebpAnimation({Webp(first, true)}, 20, 12, 0, 0, 20, 12);
    EXPECT_LE(Difference(ReadImageBytes(whole, "x"), NaiveCanvas(first, 0, 0, 20, 12)), 1e-4);
  }
}

TEST(Webp, FramesMustFitTheirCanvas) {
  const std::string frame = Webp(MakePixels(20, 12, 3), true);
  for (const std::string& bytes :
       {WebpAnimation({frame}, 20, 12, 20, 0, 33, 21), WebpAnimation({frame}, 20, 12, 0, 0, 9, 9),
        WebpAnimation({}, 20, 12, 0, 0, 33, 21)}) {
    EXPECT_NE(MessageOf<FormatError>([&] {
                ReadImageBytes(bytes, "x.webp");
              }).find("x.webp: cannot be decoded as WebP: "),
              std::string::npos);
  }
}

Image NaiveGif(const Pixels& numbers, const GifSpec& spec, int width, int height) {
  return ImageOf(width, height, 3, [&](int y, int x, int c) {
    const int r = y - spec.y, q = x - spec.x;
    if (r < 0 || q < 0 || r >= numbers.height || q >= numbers.width) return 255;
    const int number = numbers.At(r, q, 0);
    return number == spec.transparent ? 255 : GifColor(number)[static_cast<std::size_t>(c)];
  });
}

TEST(Gif, FirstFrameOnItsCanvas) {
  for (const bool interlaced : {false, true}) {
    for (const int transparent : {-1, 0, 5}) {
      for (const auto& [width, height] : {std::pair{37, 21}, {1, 1}, {5, 3}, {300, 2}}) {
        for (const int frames : {1, 3}) {
          const Pixels numbers = MakePixels(width, height, 1, 15);
          GifSpec spec{.transparent = transparent, .interlaced = interlaced, .frames = frames};
          EXPECT_EQ(Difference(ReadImageBytes(Gif(numbers, spec), "x", kAllPixels),
                               NaiveGif(numbers, spec, width, height)),
                    0);
          spec.x = 4;
          spec.y = 9;
          spec.canvas_width = width + 6;
          spec.canvas_height = height + 10;
          EXPECT_EQ(Difference(ReadImageBytes(Gif(numbers, spec), "x", kAllPixels),
                               NaiveGif(numbers, spec, width + 6, height + 10)),
                    0);
          // A canvas that is too small grows.
          spec.canvas_width = 2;
          spec.canvas_height = 2;
          EXPECT_EQ(Difference(ReadImageBytes(Gif(numbers, spec), "x", kAllPixels),
                               NaiveGif(numbers, spec, width + 4, height + 9)),
                    0);
        }
      }
    }
  }
}

TEST(Gif, ManyColours) {
  Pixels numbers{256, 3, 1, {}};
  for (int i = 0; i < 3 * 256; ++i) numbers.values.push_back(i * 7 % 256);
  const GifSpec spec{.colors = 256};
  EXPECT_EQ(Difference(ReadImageBytes(Gif(numbers, spec), "x"), NaiveGif(numbers, spec, 256, 3)),
            0);
}

TEST(Gif, WrongFilesAreNamed) {
  const std::string whole = Gif(MakePixels(9, 9, 1, 15), {});
  const auto message = [](const std::string& bytes) {
    return MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x.gif"); });
  };
  EXPECT_EQ(message(whole.substr(0, whole.size() - 1)),
            "x.gif: cannot be decoded as GIF: it is truncated");
  EXPECT_EQ(message(whole.substr(0, 13 + 48) + ";"),
            "x.gif: cannot be decoded as GIF: it has no image");
  std::string bytes = whole;
  bytes[10] &= 0x7F;  // no colour table: what follows is not a record
  EXPECT_NE(message(bytes), "");
  bytes = whole.substr(0, 10) + std::string(1, '\x70') + whole.substr(11, 2) + whole.substr(61);
  EXPECT_EQ(message(bytes), "x.gif: cannot be decoded as GIF: it has no colour table");
  // Two colours in the table, sixteen in the image.
  bytes = whole.substr(0, 10) + std::string(1, '\xF0') + whole.substr(11, 8) + whole.substr(61);
  EXPECT_EQ(message(bytes),
            "x.gif: cannot be decoded as GIF: it has a colour that is not in its table");
}

}  // namespace
}  // namespace alcedo
