// Weight maps as images: the map in colours, the weighted image, and both beside the original
// with labels and a colour bar (the paper's Figure 2).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alcedo/dataset/dataset.h"
#include "alcedo/figures/color_scale.h"
#include "alcedo/image/image.h"
#include "alcedo/weights/weight_map.h"

namespace alcedo {

// One pixel per value, nothing around it.
Image MapImage(const WeightMap& map, const ColorScale& scale);

// The image times max(0, map) / the largest value of the map: black where a weight counts
// nothing. All black where no value is positive. Sizes must agree.
Image WeightedImage(const Image& image, const WeightMap& map);

// What a figure shows of one image.
struct WeightPanels {
  std::string name;
  Image image;
  std::vector<WeightMap> maps;      // each of the image's size
  std::vector<std::string> labels;  // one for each map, such as "λ = 0.1"
  std::vector<Box> boxes;           // outlined, in pixels of `image`; may be empty
};

// One map: original, map, weighted image, side by side. Several: the original, then for each map
// a column with the weighted image below it. Every map has its own scale, and its bar below.
Image WeightFigure(const WeightPanels& panels);

// Many images on one sheet, small: the original, the maps and, if there is one map only, the
// weighted image. Every map has its own scale and its bar; if one of them diverges, all maps
// of the same place (the same lambda) do, so that a colour means the same in all of them.
class ContactSheet {
 public:
  // Shrinks them at once: a sheet takes little memory.
  void Add(const WeightPanels& panels);
  std::size_t size() const { return cells_.size(); }
  // Requires at least one.
  Image Draw() const;

 private:
  struct SmallMap {
    Image plain, diverging;  // in the colours of its scale, and as if that diverged
    ColorScale scale;
    std::string label;
  };
  struct Cell {
    std::string name;
    Image original;
    std::vector<SmallMap> maps;
    Image weighted;  // of no pixels if there are several maps
  };
  std::vector<Cell> cells_;
};

}  // namespace alcedo
