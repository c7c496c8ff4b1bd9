#include "alcedo/image/resize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "alcedo/base/error.h"
#include "alcedo/image/row_sink.h"

namespace alcedo {
namespace {

void CheckShrink(int in_width, int in_height, int width, int height) {
  Require(width >= 1, "width", ">= 1", width);
  Require(height >= 1, "height", ">= 1", height);
  Require(width <= in_width, "width", "at most that of the image", width);
  Require(height <= in_height, "height", "at most that of the image", height);
}

// The largest side with side^2 * other <= max_pixels * own: that of `own` when own x other pixels
// become max_pixels.
std::int64_t FitSide(std::int64_t own, std::int64_t other, std::int64_t max_pixels) {
  const std::int64_t limit = max_pixels * own / other;
  auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(limit)));
  while (side * side > limit) --side;  // the square root of a rounded number
  while ((side + 1) * (side + 1) <= limit) ++side;
  return side;
}

}  // namespace

void ShrinkPlaneByArea(const float* in, int in_width, int in_height, float* out, int width,
                       int height) {
  CheckShrink(in_width, in_height, width, height);
  if (width == in_width && height == in_height) {
    std::copy(in, in + static_cast<Index>(in_width) * in_height, out);
    return;
  }
  internal::RowShrinker<float, double> shrinker(in_width, in_height, 1, width, height, out);
  for (Index row = 0; row < in_height; ++row) shrinker.AddRow(in + row * in_width);
}

Image ShrinkByArea(const Image& image, int width, int height) {
  CheckImage(image);
  CheckShrink(image.width, image.height, width, height);
  Image out = MakeImage(width, height, image.channels);
  out.original_width = image.original_width;
  out.original_height = image.original_height;
  for (int c = 0; c < image.channels; ++c) {
    ShrinkPlaneByArea(image.Plane(c), image.width, image.height, out.Plane(c), width, height);
  }
  return out;
}

ImageSize FitPixels(int width, int height, int max_pixels) {
  Require(width >= 1, "width", ">= 1", width);
  Require(height >= 1, "height", ">= 1", height);
  Require(max_pixels >= 0, "max_pixels", ">= 0", max_pixels);
  const std::int64_t excess = static_cast<std::int64_t>(width) * height - max_pixels;
  if (max_pixels == 0 || excess <= max_pixels / 100) return {width, height};
  std::int64_t w = FitSide(width, height, max_pixels), h = FitSide(height, width, max_pixels);
  // A line thinner than a pixel is kept one pixel thick, and then has to be short enough.
  if (w == 0) w = 1, h = std::min(height, max_pixels);
  if (h == 0) h = 1, w = std::min(width, max_pixels);
  return {static_cast<int>(w), static_cast<int>(h)};
}

}  // namespace alcedo
