// Parts of a picture, and how much of a map lies in them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alcedo/dataset/dataset.h"
#include "alcedo/image/image.h"
#include "alcedo/weights/weight_map.h"

namespace alcedo {

// For every pixel of a picture the share of it that is inside.
struct Region {
  int width = 0, height = 0;
  std::vector<float> inside;  // height x width, 0 to 1
};

// The union of boxes, clipped to the picture. A pixel that an edge cuts counts by the share of its
// area that is inside (of the box that has most of it, where there are several).
Region RegionOfBoxes(std::span<const Box> boxes, int width, int height);

// The pixels whose grey value is at least 128.
Region RegionOfMask(const Image& mask);

// What of a map's values counts.
enum class MapPart { kPositive, kAbsolute };

// The part of the map inside, as a share of the whole: sum of inside times max(value, 0), or times
// |value|, over that of all pixels. Nothing where the map has nothing to share. Sizes must agree.
std::optional<double> ShareInside(const WeightMap& map, const Region& region, MapPart part);

// The region's share of the picture's area.
double AreaShare(const Region& region);

}  // namespace alcedo
