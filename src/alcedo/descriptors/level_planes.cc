#include "alcedo/descriptors/level_planes.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/parallel.h"
#include "alcedo/image/resize.h"

namespace alcedo::internal {

float RangeScale(const Image& image) {
  constexpr int kExponent = 20;
  const float limit = std::ldexp(1.0f, kExponent);
  int beyond = 0;  // without a branch, so that the loop is vectorised
  for (const float sample : image.samples) beyond |= std::fabs(sample) < limit ? 0 : 1;
  if (beyond == 0) return 1;
  float largest = 0;
  for (const float sample : image.samples) largest = std::max(largest, std::fabs(sample));
  return std::ldexp(1.0f, kExponent - 1 - std::ilogb(largest));
}

LevelPlanes::LevelPlanes(const Image& image, float scale, const std::vector<GridLevel>& levels,
                         int threads)
    : channels_(image.channels) {
  const float* samples = image.samples.data();
  const Index plane_size = static_cast<Index>(image.width) * image.height;
  if (scale != 1) {
    scaled_.resize(image.samples.size());
    std::transform(image.samples.begin(), image.samples.end(), scaled_.begin(),
                   [&](float sample) { return sample * scale; });
    samples = scaled_.data();
  }
  const auto count = static_cast<Index>(levels.size()) * channels_;
  shrunk_.resize(count);
  planes_.resize(count);
  ParallelFor(count, threads, [&](Index i) {
    const GridLevel& level = levels[i / channels_];
    const float* from = samples + i % channels_ * plane_size;
    if (level.width == image.width && level.height == image.height) {
      planes_[i] = from;
      return;
    }
    shrunk_[i] = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(level.width) *
                                                         level.height);
    ShrinkPlaneByArea(from, image.width, image.height, shrunk_[i].get(), level.width, level.height);
    planes_[i] = shrunk_[i].get();
  });
}

}  // namespace alcedo::internal
