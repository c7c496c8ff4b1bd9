#include "alcedo/image/decoders.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

constexpr double kMiB = 1 << 20;

}  // namespace

void ThrowUndecodable(const ImageSource& source, std::string_view format, std::string_view reason) {
  throw FormatError(source.name, fmt::format("cannot be decoded as {}: {}", format, reason));
}

ImageSize CheckSize(const ImageSource& source, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1) {
    throw FormatError(
        source.name,
        fmt::format("is {} x {} pixels, but at least one pixel is needed", width, height));
  }
  const double megapixels = 1e-6 * static_cast<double>(width) * static_cast<double>(height);
  if (megapixels > source.options.max_megapixels) {
    throw FormatError(source.name,
                      fmt::format("is {} x {} = {:.6g} megapixels, but image.max_megapixels is {}",
                                  width, height, megapixels, source.options.max_megapixels));
  }
  if (std::max(width, height) > std::numeric_limits<int>::max()) {
    throw FormatError(source.name,
                      fmt::format("is {} x {} pixels, too long for any memory", width, height));
  }
  return FitPixels(static_cast<int>(width), static_cast<int>(height), source.options.max_pixels);
}

void CheckMemory(const ImageSource& source, std::int64_t width, int channels, ImageSize target,
                 double decoder_bytes) {
  const double samples = static_cast<double>(width) * channels;
  // A row of floats, the sums of its columns, the taps of the horizontal axis, 8 bytes each.
  const double rows = samples * (sizeof(float) + sizeof(double)) +
                      sizeof(double) * (static_cast<double>(width) + 2.0 * target.width);
  // The result, and a copy of one plane when it is turned upright.
  const double result = sizeof(float) * (channels + 1.0) * target.width * target.height;
  const double needed = (source.held_bytes + decoder_bytes + rows + result) / kMiB;
  if (needed > source.options.max_image_memory) {
    throw FormatError(
        source.name,
        fmt::format("needs {:.0f} MiB of memory to be read, but image.max_image_memory is {}",
                    needed, source.options.max_image_memory));
  }
}

}  // namespace alcedo::internal
