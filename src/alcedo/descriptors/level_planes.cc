#include "alcedo/descriptors/level_planes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "alcedo/base/parallel.h"
#include "alcedo/image/resize.h"

namespace alcedo::internal {

CellAxis MakeCellAxis(int patches, int step, int bin) {
  CellAxis axis;
  std::vector<int> place((patches - 1) * step + 3 * bin + 1, -1);
  for (int p = 0; p < patches; ++p) {
    for (int i = 0; i < 4; ++i) place[p * step + i * bin] = 0;
  }
  for (std::size_t x = 0; x < place.size(); ++x) {
    if (place[x] < 0) continue;
    place[x] = static_cast<int>(axis.positions.size());
    axis.positions.push_back(static_cast<int>(x));
  }
  for (int p = 0; p < patches; ++p) {
    for (int i = 0; i < 4; ++i) axis.cells.push_back(place[p * step + i * bin]);
  }
  return axis;
}

std::vector<Band> MakeBands(const std::vector<int>& rows, const std::vector<double>& costs,
                            int threads) {
  double total = 0;
  for (std::size_t l = 0; l < rows.size(); ++l) total += rows[l] * costs[l];
  std::vector<Band> bands;
  for (std::size_t l = 0; l < rows.size(); ++l) {
    const double wanted = std::ceil(2.0 * threads * rows[l] * costs[l] / total);
    const auto pieces = static_cast<std::int64_t>(std::min<double>(wanted, rows[l]));
    const auto begin_of = [&](std::int64_t i) { return static_cast<int>(i * rows[l] / pieces); };
    for (std::int64_t i = 0; i < pieces; ++i) {
      bands.push_back({static_cast<Index>(l), begin_of(i), begin_of(i + 1)});
    }
  }
  return bands;
}

int KeptCellRows(const CellAxis& rows, int threads) {
  if (threads > 1) return static_cast<int>(rows.positions.size());
  int most = 0;
  for (std::size_t row = 0; 4 * row < rows.cells.size(); ++row) {
    most = std::max(most, rows.cells[4 * row + 3] - rows.cells[4 * row] + 1);
  }
  return most;
}

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
