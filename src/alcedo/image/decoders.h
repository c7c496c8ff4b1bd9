// The decoders: one function per format. Each refuses, as a FormatError, what is not whole, and
// keeps the limits of its options.
#pragma once

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

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

// How errors leave C libraries that must not return from their error function. An exception may not
// pass through a library compiled as C, so its errors jump, and only then become exceptions. A jump
// runs no destructors: what is called through Try may own nothing, and neither may the callbacks
// that the library calls.
class ErrorJump {
 public:
  // Calls `body`; false if it ended by Jump.
  template <class Body>
  [[nodiscard]] bool Try(Body body) {
    static_assert(std::is_trivially_destructible_v<Body>);
    if (setjmp(target_) != 0) return false;
    body();
    return true;
  }

  [[noreturn]] void Jump(const char* message) {
    const std::size_t length = std::min(std::strlen(message), sizeof message_ - 1);
    std::memcpy(message_, message, length);
    message_[length] = '\0';
    std::longjmp(target_, 1);
  }

  const char* message() const { return message_; }

 private:
  std::jmp_buf target_;
  char message_[256] = "";
};

// The orientation, 1 to 8, in EXIF data (with or without the "Exif\0\0" of JPEG before it); 1,
// which is upright, if they have none or cannot be read: a camera's notes are no part of the
// image.
int ExifOrientation(std::string_view exif);

// Turns an image that is stored with this orientation upright, and its original size with it.
void TurnUpright(int orientation, Image& image);

}  // namespace alcedo::internal
