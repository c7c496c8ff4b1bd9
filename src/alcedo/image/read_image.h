// Images from files: JPEG, PNG, WebP, GIF and PNM, recognised by their bytes and not by their
// names.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "alcedo/image/image.h"

namespace alcedo {

struct ImageOptions {
  // Scale down to at most this area; 0: keep every pixel. Images of up to 1% more are kept.
  int max_pixels = 100000;
  double max_megapixels = 100;    // refuse larger images, before any memory is allocated
  double max_image_memory = 512;  // MiB to read one image; refuse more, before it is allocated

  friend bool operator==(const ImageOptions&, const ImageOptions&) = default;
};
template <class Visitor>
void VisitFields(ImageOptions& o, Visitor&& visit) {
  visit("max_pixels", o.max_pixels,
        "scale images down to at most this area, antialiased, 100000 being the usual protocol; "
        "0: keep every pixel");
  visit("max_megapixels", o.max_megapixels, "refuse images of more megapixels than this");
  visit("max_image_memory", o.max_image_memory,
        "refuse images that would take more MiB of memory than this to read");
}

// Throws InvalidArgument on options out of range.
void Check(const ImageOptions& options);

// 8 and 16 bit, grey, palette, alpha (composed over white, on the values as they are stored), CMYK
// and YCCK JPEG (inks taken as inverted, as Adobe's programs write them), EXIF orientation applied
// (JPEG, PNG and WebP), the first frame of a GIF or WebP on its whole canvas. Colour profiles are
// not applied. If max_pixels is smaller than the image, it is scaled down by averaging areas;
// JPEGs are first decoded at a half, a quarter or an eighth of their size if that is still at
// least twice the size that is wanted.
//
// Truncated and corrupted files are refused: FormatError, naming the file and what is wrong with
// it. An image beyond a limit is a FormatError too; one that cannot be opened an IoError.
//
// Memory is that of the file, of what the decoder holds and of the result. JPEG of one scan, PNG,
// GIF (both not interlaced) and PNM are scaled row by row as they are decoded; progressive JPEG
// holds its coefficients, and WebP the whole image.
Image ReadImage(const std::filesystem::path& path, const ImageOptions& options = {});
// The same from memory. `name` stands for the file in messages.
Image ReadImageBytes(std::string_view bytes, const std::string& name,
                     const ImageOptions& options = {});

// True if the first bytes are those of a format above.
bool LooksLikeImage(std::string_view first_bytes);

// The extensions of the image files that can be read, in small letters.
inline constexpr std::array<std::string_view, 9> kImageExtensions = {
    ".jpg", ".jpeg", ".png", ".webp", ".gif", ".pnm", ".ppm", ".pgm", ".pbm"};
// Whether a file has one of them, in small or capital letters. Its bytes are not looked at.
bool HasImageExtension(const std::filesystem::path& path);

// The formats that are read, for messages.
inline constexpr std::string_view kImageFormats = "JPEG, PNG, WebP, GIF and PNM";

// Images in formats that are not read, recognised by their names, so that a user hears of them:
// how many of which endings there are.
class ForeignImages {
 public:
  // Counts a file whose name is that of an image of another format (.bmp, .tif, .heic, raw formats
  // of cameras ...), in small or capital letters; others are not counted. Whether it was.
  bool Add(const std::filesystem::path& file);

  bool empty() const { return counts_.empty(); }
  // "2 .bmp and 1 .tif": the most frequent first.
  std::string Text() const;
  // "2 .bmp and 1 .tif are left out: images that are read are JPEG, ...".
  std::string Note() const;

 private:
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace alcedo
