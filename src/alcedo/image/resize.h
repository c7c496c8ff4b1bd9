// Scaling down without aliases.
#pragma once

#include "alcedo/image/image.h"

namespace alcedo {

// Averages areas: every output pixel is the mean of the input under it, borders weighted by the
// share they cover. Exact for any ratio >= 1; an area of one value keeps exactly that value.
// Requires 1 <= width <= image.width, the same for the height. Keeps the original size.
Image ShrinkByArea(const Image& image, int width, int height);

// The same of one plane, row-major: `in` has in_height x in_width finite samples, which are not
// looked at, `out` takes height x width. They may not overlap.
void ShrinkPlaneByArea(const float* in, int in_width, int in_height, float* out, int width,
                       int height);

// The largest size of the same shape with at most max_pixels pixels (and at least 1 x 1); the size
// itself if it is small enough, or max_pixels is 0. Small enough is up to 1% more: collections
// that were scaled by others to a round number of pixels exceed it by their rounding, and scaling
// once more by a pixel would only blur.
struct ImageSize {
  int width, height;
};
ImageSize FitPixels(int width, int height, int max_pixels);

}  // namespace alcedo
