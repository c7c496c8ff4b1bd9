#include "alcedo/weights/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

// The share of each pixel of a line that [begin, end) covers.
std::vector<float> Cover(double begin, double end, int count) {
  std::vector<float> cover(count);
  for (int i = 0; i < count; ++i) {
    const double length = std::min(end, i + 1.0) - std::max(begin, static_cast<double>(i));
    cover[i] = static_cast<float>(std::clamp(length, 0.0, 1.0));
  }
  return cover;
}

}  // namespace

Region RegionOfBoxes(std::span<const Box> boxes, int width, int height) {
  Require(width >= 1, "the picture's width", ">= 1", width);
  Require(height >= 1, "the picture's height", ">= 1", height);
  Region region{width, height, std::vector<float>(static_cast<std::size_t>(width) * height)};
  for (const Box& box : boxes) {
    Require(std::isfinite(box.x) && std::isfinite(box.y), "a box's corner", "finite", box.x);
    Require(box.width > 0 && std::isfinite(box.width), "a box's width", "> 0", box.width);
    Require(box.height > 0 && std::isfinite(box.height), "a box's height", "> 0", box.height);
    const std::vector<float> across = Cover(box.x, box.x + box.width, width);
    const std::vector<float> down = Cover(box.y, box.y + box.height, height);
    float* inside = region.inside.data();
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x, ++inside) *inside = std::max(*inside, across[x] * down[y]);
    }
  }
  return region;
}

Region RegionOfMask(const Image& mask) {
  const Image gray = ToGray(mask);
  Region region{gray.width, gray.height, {}};
  region.inside.reserve(gray.samples.size());
  for (const float value : gray.samples) region.inside.push_back(value >= 128 ? 1.0f : 0.0f);
  return region;
}

std::optional<double> ShareInside(const WeightMap& map, const Region& region, MapPart part) {
  if (map.width != region.width || map.height != region.height) {
    throw InvalidArgument(fmt::format("the map has {} x {} pixels, the region {} x {}", map.width,
                                      map.height, region.width, region.height));
  }
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const double value = map.values[i];
    const double counted = part == MapPart::kPositive ? std::max(0.0, value) : std::abs(value);
    inside += region.inside[i] * counted;
    all += counted;
  }
  if (!(all > 0)) return std::nullopt;
  return inside / all;
}

double AreaShare(const Region& region) {
  double sum = 0;
  for (const float inside : region.inside) sum += inside;
  return sum / static_cast<double>(region.inside.size());
}

}  // namespace alcedo
