#include "alcedo/image/orientation.h"

#include <libexif/exif-data.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace alcedo::internal {
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
