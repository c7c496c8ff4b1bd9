#include <gtest/gtest.h>
#include <png.h>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"

namespace alcedo {
namespace {

using testing::Difference;
using testing::Exif;
using testing::ImageOf;
using testing::MakePixels;
using testing::MessageOf;
using testing::Pixels;
using testing::Png;
using testing::PngChunk;

const ImageOptions kAllPixels = {.max_pixels = 0};

double OverWhite(double value, double alpha) { return value * alpha + 255 * (1 - alpha); }

TEST(Png, EveryColourTypeAndDepth) {
  for (const bool interlaced : {false, true}) {
    for (const auto& [width, height] : {std::pair{37, 21}, {1, 1}, {3, 9}}) {
      for (const int depth : {1, 2, 4, 8, 16}) {
        for (const int channels : {1, 2, 3, 4}) {
          if (depth < 8 && channels > 1) continue;
          const int type[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
          const int max = (1 << depth) - 1;
          const Pixels pixels = MakePixels(width, height, channels, max);
          const Image image = ReadImageBytes(
              Png(pixels,
                  {.color_type = type[channels], .bit_depth = depth, .interlaced = interlaced}),
              "x", kAllPixels);
          const int colors = channels < 3 ? 1 : 3;
          const Image naive = ImageOf(width, height, colors, [&](int y, int x, int c) {
            const double value = pixels.At(y, x, c) * 255.0 / max;
            if (channels % 2 == 1) return value;
            return OverWhite(value, static_cast<double>(pixels.At(y, x, colors)) / max);
          });
          // Without alpha exactly what the file has.
          EXPECT_LE(Difference(image, naive), channels % 2 == 1 ? 0 : 1e-4)
              << depth << " bit, " << channels << " channels";
        }
      }
    }
  }
}

TEST(Png, OpaqueAlphaChangesNothing) {
  for (const int depth : {8, 16}) {
    Pixels with = MakePixels(64, 65, 4, (1 << depth) - 1), without{64, 65, 3, {}};
    for (std::size_t i = 0; i < with.values.size(); ++i) {
      if (i % 4 == 3) {
        with.values[i] = (1 << depth) - 1;
      } else {
        with.values[i] = static_cast<int>(i * 2654435761u % (1u << depth));
        without.values.push_back(with.values[i]);
      }
    }
    const Image a = ReadImageBytes(
        Png(with, {.color_type = PNG_COLOR_TYPE_RGB_ALPHA, .bit_depth = depth}), "x", kAllPixels);
    const Image b = ReadImageBytes(
        Png(without, {.color_type = PNG_COLOR_TYPE_RGB, .bit_depth = depth}), "x", kAllPixels);
    // 255 - value is rounded for 16 bits.
    EXPECT_LE(Difference(a, b), depth == 8 ? 0 : 2e-5);
  }
}

TEST(Png, PalettesWithAndWithoutTransparency) {
  const std::vector<std::uint8_t> palette = {10, 20, 30, 200, 100, 50, 0, 255, 7, 90, 91, 92};
  const std::vector<std::uint8_t> alphas = {255, 0, 51};
  for (const int depth : {2, 4, 8}) {
    for (const bool transparent : {false, true}) {
      const Pixels pixels = MakePixels(29, 17, 1, 3);
      const Image image = ReadImageBytes(
          Png(pixels, {.color_type = PNG_COLOR_TYPE_PALETTE,
                       .bit_depth = depth,
                       .palette = palette,
                       .transparency = transparent ? alphas : std::vector<std::uint8_t>{}}),
          "x", kAllPixels);
      const Image naive = ImageOf(29, 17, 3, [&](int y, int x, int c) {
        const auto number = static_cast<std::size_t>(pixels.At(y, x, 0));
        const double alpha = transparent && number < 3 ? alphas[number] / 255.0 : 1;
        return OverWhite(palette[3 * number + c], alpha);
      });
      EXPECT_LE(Difference(image, naive), 1e-4);
    }
  }
}

TEST(Png, OneTransparentColour) {
  for (const int depth : {4, 8, 16}) {
    Pixels pixels = MakePixels(20, 20, 1, (1 << depth) - 1);
    const int key = pixels.At(3, 3, 0);
    const Image image =
        ReadImageBytes(Png(pixels, {.color_type = PNG_COLOR_TYPE_GRAY,
                                    .bit_depth = depth,
                                    .transparency = {static_cast<std::uint8_t>(key >> 8),
                                                     static_cast<std::uint8_t>(key & 255)}}),
                       "x", kAllPixels);
    const Image naive = ImageOf(20, 20, 1, [&](int y, int x, int) {
      const int value = pixels.At(y, x, 0);
      return value == key ? 255 : value * 255.0 / ((1 << depth) - 1);
    });
    EXPECT_LE(Difference(image, naive), 2e-5);
  }
}

TEST(Png, OrientationBeforeAndAfterThePixels) {
  const Pixels pixels = MakePixels(13, 7, 3);
  for (const bool last : {false, true}) {
    const Image image = ReadImageBytes(
        Png(pixels, {.color_type = PNG_COLOR_TYPE_RGB, .exif = Exif(6, true), .exif_last = last}),
        "x");
    // The first row is on the right, the first column at the top.
    const Image naive =
        ImageOf(7, 13, 3, [&](int y, int x, int c) { return pixels.At(6 - x, y, c); });
    EXPECT_EQ(Difference(image, naive), 0);
  }
}

TEST(Png, WrongChecksumsAreErrors) {
  const std::string whole =
      Png(MakePixels(9, 9, 1, 255), {.color_type = PNG_COLOR_TYPE_GRAY, .transparency = {0, 50}});
  for (const char* chunk : {"IHDR", "tRNS", "IDAT"}) {
    std::string bytes = whole;
    bytes[bytes.find(chunk) + 5] ^= 1;
    EXPECT_NE(MessageOf<FormatError>([&] {
                ReadImageBytes(bytes, "x.png");
              }).find("x.png: cannot be decoded as PNG: "),
              std::string::npos);
  }
}

TEST(Png, OtherChunksAreIgnored) {
  std::string bytes = Png(MakePixels(9, 9, 1, 255), {.color_type = PNG_COLOR_TYPE_GRAY});
  const std::size_t first_data = bytes.find("IDAT") - 4;
  bytes.insert(first_data, PngChunk("iCCP", std::string("a\0\0", 3) + "no profile"));
  bytes.insert(first_data, PngChunk("gAMA", std::string("\0\0\x86\xA0", 4)));
  bytes.insert(first_data, PngChunk("bKGD", std::string("\0\x20", 2)));
  bytes.insert(first_data, PngChunk("abCd", "whatever"));
  EXPECT_EQ(Difference(ReadImageBytes(bytes, "x"), ImageOf(MakePixels(9, 9, 1, 255))), 0);
}

}  // namespace
}  // namespace alcedo
