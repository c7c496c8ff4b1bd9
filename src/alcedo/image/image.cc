#include "alcedo/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

void CheckShape(int width, int height, int channels) {
  Require(width >= 1, "image width", ">= 1", width);
  Require(height >= 1, "image height", ">= 1", height);
  Require(channels == 1 || channels == 3, "image channels", "1 or 3", channels);
}

// Infinities and NaNs are the floats whose exponent has all bits set. Compared as integers the loop
// is four times as fast as std::isfinite, which GCC does not vectorise.
bool IsFinite(float value) {
  constexpr std::uint32_t kExponent = 0x7F800000;
  return (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
}

bool AllFinite(const std::vector<float>& samples) {
  int bad = 0;
  for (const float value : samples) bad |= IsFinite(value) ? 0 : 1;
  return bad == 0;
}

[[noreturn]] void ThrowNotFinite(const Image& image) {
  const auto bad = std::find_if_not(image.samples.begin(), image.samples.end(), IsFinite);
  const Index at = bad - image.samples.begin();
  const Index row = at / image.width;
  throw InvalidArgument(
      fmt::format("image samples must be finite, got {} in plane {}, row {}, "
                  "column {}",
                  *bad, row / image.height, row % image.height, at % image.width));
}

}  // namespace

Image MakeImage(int width, int height, int channels) {
  CheckShape(width, height, channels);
  Image image{width, height, channels, width, height, {}};
  image.samples.resize(static_cast<std::size_t>(width) * height * channels);
  return image;
}

void CheckImage(const Image& image) {
  CheckShape(image.width, image.height, image.channels);
  Require(image.original_width >= 1, "image original width", ">= 1", image.original_width);
  Require(image.original_height >= 1, "image original height", ">= 1", image.original_height);
  const std::size_t needed = static_cast<std::size_t>(image.width) * image.height * image.channels;
  if (image.samples.size() != needed) {
    throw InvalidArgument(fmt::format("image samples must be {} x {} x {} = {}, got {}",
                                      image.channels, image.height, image.width, needed,
                                      image.samples.size()));
  }
  if (!AllFinite(image.samples)) ThrowNotFinite(image);
}

Image ToGray(const Image& image) {
  CheckImage(image);
  if (image.channels == 1) return image;
  Image gray = MakeImage(image.width, image.height, 1);
  gray.original_width = image.original_width;
  gray.original_height = image.original_height;
  const float *red = image.Plane(0), *green = image.Plane(1), *blue = image.Plane(2);
  float* out = gray.Plane(0);
  const Index count = static_cast<Index>(image.width) * image.height;
  // In double, so that R = G = B = c gives c and not a neighbour of it: patches without contrast
  // stay without contrast.
  for (Index i = 0; i < count; ++i) {
    out[i] = static_cast<float>(0.299 * red[i] + 0.587 * green[i] + 0.114 * blue[i]);
  }
  return gray;
}

Image ToRgb(const Image& image) {
  CheckImage(image);
  if (image.channels == 3) return image;
  Image rgb = MakeImage(image.width, image.height, 3);
  rgb.original_width = image.original_width;
  rgb.original_height = image.original_height;
  for (int c = 0; c < 3; ++c) {
    std::copy(image.samples.begin(), image.samples.end(), rgb.Plane(c));
  }
  return rgb;
}

}  // namespace alcedo
