#include "alcedo/image/decoders.h"

#include <libexif/exif-data.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kExifHeader = "Exif\0\0"sv;
// The most that fits in a JPEG's segment, and that libexif looks at.
constexpr std::size_t kMaxExif = 0xFFFE;

int OrientationOf(ExifData* data) {
  const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  if (entry == nullptr || entry->components < 1) return 1;
  if (entry->format != EXIF_FORMAT_SHORT || entry->size < 2) return 1;
  const int value = exif_get_short(entry->data, exif_data_get_byte_order(data));
  return value >= 1 && value <= 8 ? value : 1;
}

}  // namespace

int ExifOrientation(std::string_view exif) {
  // libexif wants the header in any case.
  std::string bytes(kExifHeader);
  bytes += exif.substr(exif.starts_with(kExifHeader) ? kExifHeader.size() : 0, kMaxExif);
  const std::unique_ptr<ExifData, decltype(&exif_data_unref)> data(exif_data_new(),
                                                                   &exif_data_unref);
  if (!data) return 1;
  // Not to mend what is missing or odd: one entry is all that is needed.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_load_data(data.get(), reinterpret_cast<const unsigned char*>(bytes.data()),
                      static_cast<unsigned>(bytes.size()));
  return OrientationOf(data.get());
}

void TurnUpright(int orientation, Image& image) {
  if (orientation <= 1 || orientation > 8) return;
  // The EXIF standard says where the first row and the first column of the stored image belong:
  // 2 top right, 3 bottom right, 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left
  // bottom.
  const bool turned = orientation >= 5;
  const bool flip_rows =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool flip_columns =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const Index stored_width = image.width, stored_height = image.height;
  if (turned) {
    std::swap(image.width, image.height);
    std::swap(image.original_width, image.original_height);
  }
  std::vector<float> stored(static_cast<std::size_t>(stored_width * stored_height));
  for (int c = 0; c < image.channels; ++c) {
    float* out = image.Plane(c);
    std::copy(out, out + stored.size(), stored.begin());
    for (Index y = 0; y < image.height; ++y) {
      for (Index x = 0; x < image.width; ++x) {
        const Index row = turned ? x : y, column = turned ? y : x;
        *out++ = stored[(flip_rows ? stored_height - 1 - row : row) * stored_width +
                        (flip_columns ? stored_width - 1 - column : column)];
      }
    }
  }
}

}  // namespace alcedo::internal
