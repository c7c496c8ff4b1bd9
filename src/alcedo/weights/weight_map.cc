#include "alcedo/weights/weight_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

constexpr Index kMaxPatches = Index{1} << 22;
constexpr int kBits = 40;  // 2^22 numbers of 40 bits add up without overflow

// The first pixel whose centre is not before `edge`, in pixels of the map.
int FirstPixel(double edge, int count) {
  return static_cast<int>(std::clamp(std::ceil(edge - 0.5), 0.0, static_cast<double>(count)));
}

// Where a patch begins or ends.
struct Step {
  int row = 0;
  int begin = 0, end = 0;  // columns
  std::int64_t weight = 0;
  std::int64_t count = 0;  // 1, or -1 at the end
};

void Check(std::span<const Patch> patches, const VectorView& weights, double image_width,
           double image_height, int width, int height) {
  const auto count = static_cast<Index>(patches.size());
  Require(count == weights.size(), "the number of weights",
          fmt::format("that of the patches, {}", count), static_cast<double>(weights.size()));
  Require(count <= kMaxPatches, "the number of patches", "at most 4194304",
          static_cast<double>(count));
  Require(image_width > 0 && std::isfinite(image_width), "the image's width", "> 0", image_width);
  Require(image_height > 0 && std::isfinite(image_height), "the image's height", "> 0",
          image_height);
  Require(width >= 1, "the map's width", ">= 1", width);
  Require(height >= 1, "the map's height", ">= 1", height);
  for (Index i = 0; i < count; ++i) {
    if (!std::isfinite(weights[i])) {
      throw InvalidArgument(fmt::format("weight {} must be finite, got {}", i, weights[i]));
    }
    const Patch& patch = patches[static_cast<std::size_t>(i)];
    if (!std::isfinite(patch.x) || !std::isfinite(patch.y) || !std::isfinite(patch.size)) {
      throw InvalidArgument(fmt::format("the place and size of patch {} must be finite", i));
    }
  }
}

}  // namespace

WeightMap RenderWeightMap(std::span<const Patch> patches, const VectorView& weights,
                          double image_width, double image_height, int width, int height,
                          MapRule rule) {
  Check(patches, weights, image_width, image_height, width, height);
  const double largest = weights.size() > 0 ? weights.cwiseAbs().maxCoeff() : 0;
  const double per_x = width / image_width, per_y = height / image_height;
  std::vector<Step> steps;
  steps.reserve(2 * patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const double half = 0.5 * patches[i].size;
    Step step;
    step.begin = FirstPixel((patches[i].x - half) * per_x, width);
    step.end = FirstPixel((patches[i].x + half) * per_x, width);
    step.row = FirstPixel((patches[i].y - half) * per_y, height);
    step.count = 1;
    if (largest > 0) {
      // Divided first: the largest weight may be next to the end of what a double holds.
      step.weight = std::llround(std::ldexp(weights[static_cast<Index>(i)] / largest, kBits));
    }
    steps.push_back(step);
    step.row = FirstPixel((patches[i].y + half) * per_y, height);
    step.weight = -step.weight;
    step.count = -1;
    steps.push_back(step);
  }
  std::ranges::stable_sort(steps, {}, &Step::row);

  WeightMap map{width, height, std::vector<float>(static_cast<std::size_t>(width) * height)};
  // Differences between neighbouring columns of the row under way.
  std::vector<std::int64_t> sums(width + 1), counts(width + 1);
  std::size_t next = 0;
  for (int y = 0; y < height; ++y) {
    for (; next < steps.size() && steps[next].row <= y; ++next) {
      const Step& step = steps[next];
      sums[step.begin] += step.weight;
      sums[step.end] -= step.weight;
      counts[step.begin] += step.count;
      counts[step.end] -= step.count;
    }
    float* row = map.values.data() + static_cast<std::size_t>(y) * width;
    std::int64_t sum = 0, count = 0;
    for (int x = 0; x < width; ++x) {
      sum += sums[x];
      count += counts[x];
      double value = std::ldexp(static_cast<double>(sum), -kBits);
      if (rule == MapRule::kMean && count > 0) value /= static_cast<double>(count);
      row[x] = static_cast<float>(value * largest);
      if (!std::isfinite(row[x])) {
        throw InvalidArgument(fmt::format(
            "the map's values must be within the range of float, got {}", value * largest));
      }
    }
  }
  return map;
}

}  // namespace alcedo
