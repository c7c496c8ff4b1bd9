// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on
#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"

namespace alcedo {
namespace {

using testing::Difference;
using testing::Exif;
using testing::ImageOf;
using testing::Jpeg;
using testing::JpegSpec;
using testing::MakePixels;
using testing::MessageOf;
using testing::Pixels;

const ImageOptions kAllPixels = {.max_pixels = 0};

// What libjpeg makes of it, at num / 8 of its size.
Pixels Decode(const std::string& bytes, J_COLOR_SPACE space, unsigned num = 8) {
  jpeg_decompress_struct cinfo = {};
  jpeg_error_mgr errors;
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&cinfo);
  jpeg_mem_src(&cinfo, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&cinfo, TRUE);
  cinfo.out_color_space = space;
  cinfo.scale_num = num;
  cinfo.scale_denom = 8;
  jpeg_start_decompress(&cinfo);
  Pixels pixels{static_cast<int>(cinfo.output_width),
                static_cast<int>(cinfo.output_height),
                cinfo.output_components,
                {}};
  std::vector<JSAMPLE> row(cinfo.output_width * cinfo.output_components);
  JSAMPROW pointer = row.data();
  while (cinfo.output_scanline < cinfo.output_height) {
    jpeg_read_scanlines(&cinfo, &pointer, 1);
    pixels.values.insert(pixels.values.end(), row.begin(), row.end());
  }
  jpeg_finish_decompress(&cinfo);
  jpeg_destroy_decompress(&cinfo);
  return pixels;
}

TEST(Jpeg, EveryKindEqualsWhatLibjpegDecodes) {
  const std::vector<JpegSpec> specs = {
      {},
      {.quality = 30},
      {.sampling = 1},
      {.progressive = true},
      {.progressive = true, .sampling = 1},
      {.separate_scans = true},
      {.stored_space = JCS_RGB, .sampling = 1},
      {.restart_rows = 1},
      {.arithmetic = true},
      {.progressive = true, .arithmetic = true},
  };
  for (const JpegSpec& spec : specs) {
    for (const auto& [width, height] : {std::pair{61, 43}, {16, 16}, {1, 1}, {200, 3}}) {
      const Pixels pixels = MakePixels(width, height, 3);
      const std::string bytes = Jpeg(pixels, spec);
      const Image image = ReadImageBytes(bytes, "x", kAllPixels);
      EXPECT_EQ(Difference(image, ImageOf(Decode(bytes, JCS_RGB))), 0);
      if (spec.stored_space == JCS_RGB) {
        EXPECT_LT(Difference(image, ImageOf(pixels)), 70);  // not shifted, not swapped
      }
    }
  }
}

TEST(Jpeg, GreyHasOnePlane) {
  for (const bool progressive : {false, true}) {
    const Pixels pixels = MakePixels(50, 31, 1);
    const std::string bytes = Jpeg(pixels, {.quality = 100, .progressive = progressive});
    const Image image = ReadImageBytes(bytes, "x", kAllPixels);
    EXPECT_EQ(Difference(image, ImageOf(Decode(bytes, JCS_GRAYSCALE))), 0);
    EXPECT_LT(Difference(image, ImageOf(pixels)), 5);
  }
}

TEST(Jpeg, CmykAndYcckAreInvertedInks) {
  // White paper, and full inks of each kind.
  const Pixels pixels{32, 8, 4, [] {
                        std::vector<int> values;
                        for (int y = 0; y < 8; ++y) {
                          for (int x = 0; x < 32; ++x) {
                            const int patch = x / 8;  // none, cyan, magenta and yellow, black
                            values.push_back(patch == 1 ? 0 : 255);
                            values.push_back(patch == 2 ? 0 : 255);
                            values.push_back(patch == 2 ? 0 : 255);
                            values.push_back(patch == 3 ? 0 : 255);
                          }
                        }
                        return values;
                      }()};
  for (const int space : {JCS_CMYK, JCS_YCCK}) {
    const std::string bytes = Jpeg(pixels, {.quality = 100, .stored_space = space, .sampling = 1});
    const Image image = ReadImageBytes(bytes, "x", kAllPixels);
    const int expected[4][3] = {{255, 255, 255}, {0, 255, 255}, {255, 0, 0}, {0, 0, 0}};
    for (int c = 0; c < 3; ++c) {
      for (int x = 0; x < 32; ++x) EXPECT_NEAR(image.Plane(c)[x], expected[x / 8][c], 3);
    }
    const Pixels inks = Decode(bytes, JCS_CMYK);
    const Image naive = ImageOf(
        32, 8, 3, [&](int y, int x, int c) { return inks.At(y, x, c) * inks.At(y, x, 3) / 255.0; });
    EXPECT_LT(Difference(image, naive), 1e-4);
  }
}

TEST(Jpeg, LargeImagesAreDecodedAtAFraction) {
  const Pixels pixels = MakePixels(403, 301, 3);
  const std::string bytes = Jpeg(pixels);
  // Results 403, 129, 99, 69, 49, 24 and 1 wide; fractions are 202, 101 and 51 wide.
  const std::vector<std::pair<int, unsigned>> cases = {{0, 8},    {12610, 8}, {7400, 4}, {3640, 4},
                                                       {1850, 2}, {450, 1},   {1, 1}};
  for (const auto& [max_pixels, eighths] : cases) {
    const Image image = ReadImageBytes(bytes, "x", {.max_pixels = max_pixels});
    const ImageSize size = FitPixels(403, 301, max_pixels);
    Image naive = ShrinkByArea(ImageOf(Decode(bytes, JCS_RGB, eighths)), size.width, size.height);
    naive.original_width = 403;
    naive.original_height = 301;
    EXPECT_EQ(Difference(image, naive), 0) << max_pixels;
  }
}

TEST(Jpeg, EveryOrientationIsTurned) {
  const Pixels pixels = MakePixels(45, 30, 3);
  const Image stored = ReadImageBytes(Jpeg(pixels), "x", kAllPixels);
  for (int orientation = 0; orientation <= 9; ++orientation) {
    const std::string bytes = Jpeg(pixels, {.exif = Exif(orientation, orientation % 2 == 0)});
    const Image image = ReadImageBytes(bytes, "x", kAllPixels);
    const bool turned = orientation >= 5 && orientation <= 8;
    ASSERT_EQ(image.width, turned ? 30 : 45);
    ASSERT_EQ(image.original_width, turned ? 30 : 45);
    ASSERT_EQ(image.original_height, turned ? 45 : 30);
    // Where the stored pixel (r, q) is seen, after the table of the EXIF standard.
    const auto seen = [&](int r, int q) -> std::pair<int, int> {
      switch (orientation) {
        case 2:
          return {r, 44 - q};
        case 3:
          return {29 - r, 44 - q};
        case 4:
          return {29 - r, q};
        case 5:
          return {q, r};
        case 6:
          return {q, 29 - r};
        case 7:
          return {44 - q, 29 - r};
        case 8:
          return {44 - q, r};
        default:
          return {r, q};
      }
    };
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 30; ++r) {
        for (int q = 0; q < 45; ++q) {
          const auto [y, x] = seen(r, q);
          ASSERT_EQ(image.Plane(c)[y * image.width + x], stored.Plane(c)[r * 45 + q])
              << orientation;
        }
      }
    }
    const ImageOptions few = {.max_pixels = 300};
    const ImageSize size = FitPixels(image.width, image.height, 300);
    EXPECT_EQ(
        Difference(ReadImageBytes(bytes, "x", few), ShrinkByArea(image, size.width, size.height)),
        0);
  }
}

TEST(Jpeg, BrokenExifIsIgnored) {
  const Pixels pixels = MakePixels(20, 10, 3);
  const Image upright = ReadImageBytes(Jpeg(pixels), "x", kAllPixels);
  const std::string exif = Exif(6);
  for (std::size_t size = 1; size < 34; ++size) {  // up to the entry's value
    const Image image = ReadImageBytes(Jpeg(pixels, {.exif = exif.substr(0, size)}), "x");
    EXPECT_EQ(Difference(image, upright), 0) << size;
  }
}

TEST(Jpeg, TooManyScansAreRefused) {
  const Pixels pixels = MakePixels(16, 16, 3);
  EXPECT_EQ(ReadImageBytes(Jpeg(pixels, {.ac_scans = 90}), "x").width, 16);
  EXPECT_EQ(
      MessageOf<FormatError>([&] { ReadImageBytes(Jpeg(pixels, {.ac_scans = 120}), "x.jpg"); }),
      "x.jpg: cannot be decoded as JPEG: it has more than 100 scans");
}

TEST(Jpeg, WarningsAreErrorsButForHarmlessOnes) {
  std::string bytes = Jpeg(MakePixels(40, 40, 3));
  const std::string whole = bytes;
  bytes[11] = 9;  // an unknown version of JFIF
  EXPECT_EQ(ReadImageBytes(bytes, "x").width, 40);
  // The image ends in the middle of its data, with a proper end of the file.
  bytes = whole.substr(0, whole.size() - 100) + "\xFF\xD9";
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x.jpg"); }),
            "x.jpg: cannot be decoded as JPEG: Corrupt JPEG data: premature end of data segment");
  bytes = whole.substr(0, whole.size() - 100);
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x.jpg"); }),
            "x.jpg: cannot be decoded as JPEG: Premature end of JPEG file");
  // All pixels are there, but not the end of the file.
  bytes = whole.substr(0, whole.size() - 2) + std::string("\xFF\xFE\x00\x10 cut", 8);
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x.jpg"); }),
            "x.jpg: cannot be decoded as JPEG: Premature end of JPEG file");
  bytes = whole + "what follows the end";
  EXPECT_EQ(ReadImageBytes(bytes, "x").width, 40);
}

TEST(Jpeg, UnknownColoursAreRefused) {
  std::string bytes = Jpeg(MakePixels(16, 16, 1), {.sampling = 1});
  const std::size_t frame = bytes.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  bytes[frame + 4] = 12;  // bits
  EXPECT_NE(MessageOf<FormatError>([&] {
              ReadImageBytes(bytes, "x.jpg");
            }).find("Unsupported JPEG data precision 12"),
            std::string::npos);
  bytes[frame + 4] = 8;
  // Two components: the frame grows by three bytes.
  bytes[frame + 3] = 14;
  bytes[frame + 9] = 2;
  bytes.insert(frame + 13, std::string("\x02\x11\x00", 3));
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x.jpg"); }),
            "x.jpg: cannot be decoded as JPEG: its colours are neither grey, RGB, YCbCr, CMYK nor "
            "YCCK");
}

}  // namespace
}  // namespace alcedo
