// The decoders: one function per format. Each refuses, as a FormatError, what is not whole, and
// keeps the limits of its options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "alcedo/image/image.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"

namespace alcedo::internal {

// What every decoder is given.
struct ImageSource {
  std::string_view bytes;
  const std::string& name;
  const ImageOptions& options;
  double held_bytes = 0;  // memory that the file itself takes, counted with the rest
};

// FormatError: "`name`: cannot be decoded as `format`: `reason`".
[[noreturn]] void ThrowUndecodable(const ImageSource& source, std::string_view format,
                                   std::string_view reason);

// The size to which an image of this size, taken from its header, is scaled. Throws FormatError
// if the header gives no size, or one beyond image.max_megapixels.
ImageSize CheckSize(const ImageSource& source, std::int64_t width, std::int64_t height);

// Called before a decoder allocates anything that depends on the size. Throws FormatError if
// `decoder_bytes`, together with what it takes to scale rows of `width` pixels to `target`, is
// beyond image.max_image_memory.
void CheckMemory(const ImageSource& source, std::int64_t width, int channels, ImageSize target,
                 double decoder_bytes);

Image ReadJpeg(const ImageSource& source);
Image ReadPng(const ImageSource& source);
Image ReadWebp(const ImageSource& source);
Image ReadGif(const ImageSource& source);
Image ReadPnm(const ImageSource& source);

}  // namespace alcedo::internal
