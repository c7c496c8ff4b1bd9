#include "alcedo/image/write_image.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/image/decoders.h"

namespace alcedo {
namespace {

using internal::ErrorJump;

std::uint8_t ToByte(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
}

// All pixels, channels interleaved.
std::string Interleave(const Image& image) {
  std::string bytes(image.samples.size(), '\0');
  const Index count = static_cast<Index>(image.width) * image.height;
  for (int c = 0; c < image.channels; ++c) {
    const float* plane = image.Plane(c);
    for (Index i = 0; i < count; ++i) {
      bytes[i * image.channels + c] = static_cast<char>(ToByte(plane[i]));
    }
  }
  return bytes;
}

class PngEncoder {
 public:
  PngEncoder() {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &OnError, [](png_structp, auto) {});
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
  }
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;
  ~PngEncoder() { png_destroy_write_struct(&png_, &info_); }

  // What is written, in `bytes`. False if it ended with error().
  bool Write(const Image& image, png_bytepp rows, std::string& bytes) {
    return jump_.Try([&] {
      png_set_write_fn(png_, &bytes, &OnWrite, nullptr);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      // Given here, so that no default of a version of libpng matters.
      png_set_compression_level(png_, 6);
      png_set_compression_strategy(png_, 1);  // Z_FILTERED
      png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(image.width),
                   static_cast<png_uint_32>(image.height), 8,
                   image.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                   PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
      png_write_image(png_, rows);
      png_write_end(png_, nullptr);
    });
  }
  const char* error() const { return jump_.message(); }

 private:
  [[noreturn]] static void OnError(png_structp png, png_const_charp message) {
    static_cast<PngEncoder*>(png_get_error_ptr(png))->jump_.Jump(message);
  }
  static void OnWrite(png_structp png, png_bytep data, std::size_t count) {
    bool ok = true;
    try {
      static_cast<std::string*>(png_get_io_ptr(png))
          ->append(reinterpret_cast<const char*>(data), count);
    } catch (const std::bad_alloc&) {
      ok = false;  // and not a jump out of the handler
    }
    if (!ok) png_error(png, "there is not enough memory");
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  ErrorJump jump_;
};

}  // namespace

std::string PngBytes(const Image& image) {
  CheckImage(image);
  std::string pixels = Interleave(image);
  std::vector<png_bytep> rows(image.height);
  for (Index y = 0; y < image.height; ++y) {
    rows[y] = reinterpret_cast<png_bytep>(pixels.data()) + y * image.width * image.channels;
  }
  PngEncoder encoder;
  std::string bytes;
  if (!encoder.Write(image, rows.data(), bytes)) {
    throw Error(fmt::format("an image cannot be written as PNG: {}", encoder.error()));
  }
  return bytes;
}

std::string PnmBytes(const Image& image) {
  CheckImage(image);
  return fmt::format("P{}\n{} {}\n255\n", image.channels == 1 ? 5 : 6, image.width, image.height) +
         Interleave(image);
}

}  // namespace alcedo
