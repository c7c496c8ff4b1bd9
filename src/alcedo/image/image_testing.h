// Images for tests, written with the libraries of the formats themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/image/image.h"

namespace alcedo::testing {

// Samples as a file stores them: channels interleaved, alpha or black included.
struct Pixels {
  int width = 0, height = 0, channels = 1;
  std::vector<int> values;

  int At(int y, int x, int c) const { return values[(y * width + x) * channels + c]; }
};

// Shapes and ramps without any symmetry, 0 to max_value.
Pixels MakePixels(int width, int height, int channels, int max_value = 255);

// The image in which plane c at (y, x) is value(y, x, c).
template <class Value>
Image ImageOf(int width, int height, int channels, Value value) {
  Image image = MakeImage(width, height, channels);
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        image.Plane(c)[y * width + x] = static_cast<float>(value(y, x, c));
      }
    }
  }
  return image;
}
Image ImageOf(const Pixels& pixels);

// The largest difference of two images; infinity if their sizes differ, or their original sizes.
double Difference(const Image& a, const Image& b);

// EXIF data (TIFF) with an orientation, and something else before and after it.
std::string Exif(int orientation, bool big_endian = false);

struct JpegSpec {
  int quality = 90;
  bool progressive = false;
  bool separate_scans = false;  // one component per scan, sequential
  int stored_space = 0;         // J_COLOR_SPACE; 0: libjpeg's choice
  int sampling = 2;             // of the luminance, both ways
  int restart_rows = 0;
  bool arithmetic = false;
  int ac_scans = 0;       // so many progressive scans of one coefficient of one component each
  std::string exif = {};  // TIFF
};
std::string Jpeg(const Pixels& pixels, const JpegSpec& spec = {});

struct PngSpec {
  int color_type = 0;
  int bit_depth = 8;
  bool interlaced = false;
  std::vector<std::uint8_t> palette = {};       // RGB
  std::vector<std::uint8_t> transparency = {};  // the data of tRNS
  std::string exif = {};                        // TIFF
  bool exif_last = false;                       // after the pixels
};
std::string Png(const Pixels& pixels, const PngSpec& spec);
std::string PngChunk(const std::string& type, const std::string& data);

// RGB or RGBA.
std::string Webp(const Pixels& pixels, bool lossless);
// Puts a Webp() into the extended format, with EXIF, or as a frame of an animation whose canvas is
// larger (offsets are even).
std::string WebpWithExif(const std::string& webp, int width, int height, bool alpha,
                         const std::string& exif);
std::string WebpAnimation(const std::vector<std::string>& frames, int frame_width, int frame_height,
                          int x, int y, int canvas_width, int canvas_height);

struct GifSpec {
  int colors = 16;       // of the palette: color i is GifColor(i)
  int transparent = -1;  // the color that is
  bool interlaced = false;
  int x = 0, y = 0, canvas_width = 0, canvas_height = 0;  // 0: that of the image
  int frames = 1;
};
std::string Gif(const Pixels& numbers, const GifSpec& spec);
std::vector<int> GifColor(int number);

// One file of every kind that is read, all of the same small size.
struct Variant {
  std::string name, bytes;
  bool plain = false;  // ASCII: its end cannot be told from a truncation
};
const std::vector<Variant>& Variants();

// The message of the exception of this type that `body` throws; "" if it throws none.
template <class Exception, class Body>
std::string MessageOf(Body body) {
  try {
    body();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace alcedo::testing
