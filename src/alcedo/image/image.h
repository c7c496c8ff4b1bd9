// An image in memory: planes of floats.
#pragma once

#include <vector>

#include "alcedo/base/index.h"

namespace alcedo {

// One plane (grey) or three (R, G, B), each height x width, row-major, one after the other. Values
// are in units of 8-bit samples, 0 to 255, whatever the depth of the file: a 16-bit sample is
// divided by 257, so that nothing of it is lost.
//
// The original size is that of the image in its file, turned upright: what positions of patches
// refer to. It differs from width x height if the image was scaled down.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 1;  // 1 or 3
  int original_width = 0;
  int original_height = 0;
  std::vector<float> samples;  // channels x height x width

  const float* Plane(int channel) const {
    return samples.data() + static_cast<Index>(channel) * width * height;
  }
  float* Plane(int channel) {
    return samples.data() + static_cast<Index>(channel) * width * height;
  }
};

// A black image of its original size.
Image MakeImage(int width, int height, int channels);

// Throws InvalidArgument if the sizes do not fit each other or a sample is not finite (naming
// plane, row and column).
void CheckImage(const Image& image);

// Luminance, 0.299 R + 0.587 G + 0.114 B (Rec. 601, as JPEG's Y); a grey image is returned as it
// is.
Image ToGray(const Image& image);

// Three planes; grey is repeated.
Image ToRgb(const Image& image);

}  // namespace alcedo
