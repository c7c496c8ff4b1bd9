// Files that promise or unpack to too much: refused before memory is taken.
#include <gtest/gtest.h>
#include <zlib.h>

#include <sstream>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/peak_memory_testing.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

using testing::Exif;
using testing::Gif;
using testing::Jpeg;
using testing::MakePixels;
using testing::MessageOf;
using testing::PeakOf;
using testing::Pixels;
using testing::Png;
using testing::PngChunk;
using testing::Variant;
using testing::Webp;

std::string BigEndian(unsigned value, int bytes) {
  std::string text;
  for (int b = bytes - 1; b >= 0; --b) text += static_cast<char>(value >> 8 * b & 255);
  return text;
}

// Small files whose headers promise 60000 x 50000 pixels (WebP: 16384 x 16384, its largest).
std::vector<Variant> Bombs() {
  const Pixels gray = MakePixels(16, 16, 1), rgb = MakePixels(16, 16, 3);
  std::vector<Variant> bombs;
  for (const bool progressive : {false, true}) {
    std::string jpeg = Jpeg(rgb, {.progressive = progressive});
    const std::size_t frame = jpeg.find(progressive ? "\xFF\xC2" : "\xFF\xC0");
    jpeg.replace(frame + 5, 4, BigEndian(50000, 2) + BigEndian(60000, 2));
    bombs.push_back({progressive ? "progressive JPEG" : "JPEG", jpeg});
  }
  std::string png = Png(gray, {});
  std::string header = png.substr(16, 13);
  header.replace(0, 8, BigEndian(60000, 4) + BigEndian(50000, 4));
  png.replace(8, 25, PngChunk("IHDR", header));
  bombs.push_back({"PNG", png});
  std::string webp = Webp(rgb, true);
  webp[21] = webp[22] = webp[23] = '\xFF';
  webp[24] = static_cast<char>(webp[24] | 0x0F);
  bombs.push_back({"WebP", webp});
  std::string gif = Gif(MakePixels(16, 16, 1, 15), {});
  gif.replace(6, 4, std::string("\x60\xEA\x50\xC3"));
  bombs.push_back({"GIF", gif});
  for (const char* kind : {"P1", "P4", "P6"}) {
    bombs.push_back({kind, std::string(kind) + " 60000 50000 255 "});
  }
  return bombs;
}

TEST(Memory, LargeHeadersAreRefusedBeforeMemoryIsTaken) {
  for (const Variant& bomb : Bombs()) {
    std::string message;
    EXPECT_LT(
        PeakOf([&] { message = MessageOf<FormatError>([&] { ReadImageBytes(bomb.bytes, "x"); }); }),
        4)
        << bomb.name;
    EXPECT_NE(
        message.find(bomb.name == "WebP"
                         ? "x: is 16384 x 16384 = 268.435 megapixels, but image.max_megapixels is"
                         : "x: is 60000 x 50000 = 3000 megapixels, but image.max_megapixels is"),
        std::string::npos)
        << message;
    // Beyond that limit the other one holds, as all pixels are asked for.
    const ImageOptions large = {.max_pixels = 0, .max_megapixels = 1e6};
    EXPECT_LT(PeakOf([&] {
                message = MessageOf<FormatError>([&] { ReadImageBytes(bomb.bytes, "x", large); });
              }),
              4)
        << bomb.name;
    EXPECT_NE(message.find("MiB of memory to be read, but image.max_image_memory is 512"),
              std::string::npos)
        << bomb.name << message;
  }
}

TEST(Memory, ShortPnmsAreRefusedBeforeMemoryIsTaken) {
  for (const char* bytes : {"P4 7000 7000 ", "P1 7000 7000 101", "P5 7000 7000 255 "}) {
    EXPECT_LT(
        PeakOf([&] { EXPECT_THROW(ReadImageBytes(bytes, "x", {.max_pixels = 0}), FormatError); }),
        2);
  }
}

TEST(Memory, TextsAreNotUnpacked) {
  // Twenty times 7 MB, which libpng would keep.
  const std::string zeros(7000000, '\0');
  uLongf size = compressBound(zeros.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(zeros.data()), zeros.size());
  packed.resize(size);
  std::string bytes = Png(MakePixels(9, 9, 1), {});
  for (int i = 0; i < 20; ++i) {
    bytes.insert(bytes.find("IDAT") - 4, PngChunk("zTXt", std::string("a\0\0", 3) + packed));
  }
  EXPECT_LT(PeakOf([&] { EXPECT_EQ(ReadImageBytes(bytes, "x").width, 9); }), 2);
}

TEST(Memory, TheOrientationOfAPngTakesNoMoreThanItsFile) {
  std::string bytes = Png(MakePixels(9, 9, 1), {.exif = Exif(6)});
  const std::size_t chunk = bytes.find("eXIf") - 4;
  bytes.replace(chunk, 4, BigEndian(0x7ffffff0, 4));
  const auto peak = [] { return testing::Memory("VmPeak").value_or(0); };
  const double before = peak();
  EXPECT_NE(MessageOf<FormatError>([&] { ReadImageBytes(bytes, "x"); }), "");
  // Nothing of it is used, so that only addresses are taken: VmPeak counts these.
  if (!testing::kSanitized) {
    EXPECT_LT(peak() - before, 100);
  }
}

TEST(Memory, SegmentsOfJpegAreNotCopied) {
  std::string bytes = Jpeg(MakePixels(16, 16, 3), {.exif = Exif(6)});
  const std::string segment = "\xFF\xE1\xFF\xFF" + std::string(65533, 'x');
  std::string segments;
  for (int i = 0; i < 300; ++i) segments += segment;
  bytes.insert(2, segments);
  EXPECT_LT(PeakOf([&] { EXPECT_EQ(ReadImageBytes(bytes, "x").width, 16); }), 2);
}

TEST(Memory, MemoryIsWhatIsSaidBefore) {
  const int width = 1300, height = 900;
  const Pixels gray = MakePixels(width, height, 1), rgb = MakePixels(width, height, 3),
               rgba = MakePixels(width, height, 4), wide = MakePixels(width, height, 3, 65535);
  const std::vector<Variant> images = {
      {"JPEG", Jpeg(rgb, {.exif = Exif(6)})},
      {"progressive JPEG", Jpeg(rgb, {.progressive = true})},
      {"progressive CMYK JPEG", Jpeg(rgba, {.progressive = true})},
      {"PNG", Png(wide, {.color_type = 2, .bit_depth = 16})},
      {"interlaced PNG", Png(rgba, {.color_type = 6, .interlaced = true})},
      {"WebP", Webp(rgb, false)},
      {"WebP with alpha", Webp(rgba, false)},
      {"lossless WebP", Webp(MakePixels(width, height / 2, 4), true)},
      {"interlaced GIF", Gif(MakePixels(width, height, 1, 15), {.interlaced = true})},
  };
  for (const Variant& image : images) {
    for (const int max_pixels : {0, 100000}) {
      ImageOptions options{.max_pixels = max_pixels, .max_image_memory = 0.01};
      const std::string message =
          MessageOf<FormatError>([&] { ReadImageBytes(image.bytes, "x", options); });
      double needed = 0;
      std::istringstream(message.substr(message.find("needs ") + 6)) >> needed;
      options.max_image_memory = needed + 1;  // the message is rounded
      double width_read = 0;
      const double taken =
          PeakOf([&] { width_read = ReadImageBytes(image.bytes, "x", options).width; });
      EXPECT_GT(width_read, 0);
      EXPECT_LT(taken, needed + 2.5) << image.name << ", max_pixels " << max_pixels;
      // What is read row by row takes little.
      if (image.name == "JPEG" || image.name == "PNG") {
        EXPECT_LT(needed, max_pixels == 0 ? 25 : 4) << image.name;
      }
    }
  }
}

}  // namespace
}  // namespace alcedo
