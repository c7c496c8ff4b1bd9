// The planes of an image at every scale of a grid.
#pragma once

#include <memory>
#include <vector>

#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"

namespace alcedo::internal {

// 1 for every image; for samples beyond 2^20, a power of two that brings them below: squares of
// larger ones would leave the range of float. Multiplying by it is exact.
float RangeScale(const Image& image);

class LevelPlanes {
 public:
  // The channels of `image` times `scale`, shrunk by area to the size of every level. The image
  // must outlive the planes: what needs no change is not copied.
  LevelPlanes(const Image& image, float scale, const std::vector<GridLevel>& levels, int threads);
  LevelPlanes(const LevelPlanes&) = delete;
  LevelPlanes& operator=(const LevelPlanes&) = delete;

  const float* Plane(Index level, int channel) const {
    return planes_[level * channels_ + channel];
  }

 private:
  Index channels_;
  std::vector<float> scaled_;
  std::vector<std::unique_ptr<float[]>> shrunk_;
  std::vector<const float*> planes_;
};

}  // namespace alcedo::internal
