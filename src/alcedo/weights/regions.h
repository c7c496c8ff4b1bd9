// Parts of images, and how much of a map lies in them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/image/image.h"
#include "alcedo/image/read_image.h"
#include "alcedo/weights/weight_map.h"

namespace alcedo {

// For every pixel of an image the share of it that is inside.
struct Region {
  int width = 0, height = 0;
  std::vector<float> inside;  // height x width, 0 to 1
};

// The union of boxes, clipped to the image. A pixel that an edge cuts counts by the share of its
// area that is inside (of the box that has most of it, if there are several).
Region RegionOfBoxes(std::span<const Box> boxes, int width, int height);

// The pixels whose grey value is at least 128.
Region RegionOfMask(const Image& mask);

// What of a map's values counts.
enum class MapPart { kPositive, kAbsolute };

// The part of the map inside, as a share of the whole: sum of inside times max(value, 0), or times
// |value|, over that of all pixels. Nothing if the map has nothing to share. Sizes must agree.
std::optional<double> ShareInside(const WeightMap& map, const Region& region, MapPart part);

// The region's share of the image's area.
double AreaShare(const Region& region);

// Boxes and masks of many images: where weights are to be counted.
class RegionList {
 public:
  RegionList() = default;  // no regions
  // The same box in every image.
  explicit RegionList(const Box& box) : box_(box) {}
  // The boxes of a dataset's images.
  explicit RegionList(const Dataset& dataset);
  // Boxes by the names of images: a .csv with the columns image, x, y, width and height, in any
  // order and among others. Throws what is wrong with the file.
  static RegionList FromCsv(const std::string& file);
  // An image of the size of all images, white inside. It is not scaled down.
  static RegionList FromMask(const std::string& file, ImageOptions options);

  // In an image of this size. None if the image has no box. InvalidArgument if the mask has another
  // size, or a box lies outside.
  std::optional<Region> Of(const std::string& name, int width, int height) const;
  // To be outlined; none for a mask.
  std::vector<Box> BoxesOf(const std::string& name) const;
  // FormatError if there is a table of boxes and none of them is of these images.
  void CheckNames(std::span<const Input> images) const;

 private:
  std::string file_;  // of the table
  std::optional<Box> box_;
  std::map<std::string, std::vector<Box>, std::less<>> boxes_;
  std::optional<Region> mask_;
};

// Records of comma-separated values (RFC 4180; lines may end in LF alone). FormatError if a quoted
// field does not end.
std::vector<std::vector<std::string>> ParseCsv(std::string_view text, const std::string& name);

}  // namespace alcedo
