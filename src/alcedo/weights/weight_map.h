// The weights of patches as a map of the image (section 4.2, Eq. 11).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/descriptors.h"

namespace alcedo {

// What the weights of the patches over a pixel become.
enum class MapRule {
  kSum,  // Eq. 11; where fewer patches lie over a pixel, as near the border, it is smaller
  kMean  // divided by the number of patches over the pixel: equal weights give one value everywhere
};
template <>
struct EnumNames<MapRule> {
  static constexpr std::array<std::pair<MapRule, std::string_view>, 2> values{
      {{MapRule::kSum, "sum"}, {MapRule::kMean, "mean"}}};
};

struct WeightMap {
  int width = 0, height = 0;
  std::vector<float> values;  // height x width, row by row
};

// `patches` are those of an image of image_width x image_height, which the map covers with
// width x height pixels. A patch of side s around x contains a pixel where the pixel's centre is in
// [x - s/2, x + s/2), across and down; all scales count alike. Pixels under no patch are 0.
//
// Sums are exact in steps of 2^-40 of the largest weight, so that their order does not matter and
// equal weights give equal values. Requires one finite weight per patch, at most 2^22 of them, and
// sizes >= 1.
WeightMap RenderWeightMap(std::span<const Patch> patches, const VectorView& weights,
                          double image_width, double image_height, int width, int height,
                          MapRule rule = MapRule::kSum);

}  // namespace alcedo
