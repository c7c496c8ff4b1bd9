// What every decoder is given, and the limits it keeps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"

namespace alcedo::internal {

struct PictureSource {
  std::string_view bytes;
  const std::string& name;
  const ImageOptions& options;
  double held_bytes = 0;  // memory that the file itself takes, counted with the rest
};

// FormatError: "`name`: cannot be decoded as `format`: `reason`".
[[noreturn]] void ThrowUndecodable(const PictureSource& source, std::string_view format,
                                   std::string_view reason);

// The size to which a picture of this size, taken from its header, is scaled. Throws FormatError
// where the header gives no size, or one beyond max_megapixels.
ImageSize CheckSize(const PictureSource& source, std::int64_t width, std::int64_t height);

// Called before a decoder allocates anything that depends on the size. Throws FormatError where
// `decoder_bytes`, together with what it takes to scale rows of `width` pixels to `target`, is
// beyond max_image_memory.
void CheckMemory(const PictureSource& source, std::int64_t width, int channels, ImageSize target,
                 double decoder_bytes);

}  // namespace alcedo::internal
