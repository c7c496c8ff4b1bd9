#include "alcedo/weights/weight_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/figures/color_scale.h"
#include "alcedo/figures/stroke_font.h"
#include "alcedo/image/resize.h"

namespace alcedo {
namespace {

using internal::DrawText;
using internal::TextAnchor;
using internal::TextStyle;

constexpr int kFigureMargin = 14;
constexpr int kGutter = 16;      // between columns
constexpr int kMinColumn = 150;  // a bar with its numbers needs as much
constexpr int kTitle = 26;       // with the space below
constexpr int kCaption = 20;

void CheckSizes(const WeightPanels& panels) {
  if (panels.maps.empty() || panels.maps.size() != panels.labels.size()) {
    throw InvalidArgument(fmt::format("a figure needs maps, and a label for each, got {} and {}",
                                      panels.maps.size(), panels.labels.size()));
  }
  for (const WeightMap& map : panels.maps) {
    if (map.width != panels.image.width || map.height != panels.image.height) {
      throw InvalidArgument(fmt::format("a map has {} x {} pixels, its image {} x {}", map.width,
                                        map.height, panels.image.width, panels.image.height));
    }
  }
}

void DrawBoxes(Image& canvas, const WeightPanels& panels, int x, int y) {
  for (const Box& box : panels.boxes) {
    const double left = x + std::max(0.0, box.x), top = y + std::max(0.0, box.y);
    const double right = x + std::min<double>(panels.image.width, box.x + box.width);
    const double bottom = y + std::min<double>(panels.image.height, box.y + box.height);
    const internal::Polyline outline{
        {left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
    // Seen on light and on dark images.
    internal::Stroke(canvas, {outline}, 3, internal::kInk);
    internal::Stroke(canvas, {outline}, 1.3, internal::kWhite);
  }
}

}  // namespace

Image MapImage(const WeightMap& map, const ColorScale& scale) {
  Image image = MakeImage(map.width, map.height, 3);
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const Rgb color = scale(map.values[i]);
    for (int c = 0; c < 3; ++c) image.Plane(c)[i] = static_cast<float>(255 * color[c]);
  }
  return image;
}

Image WeightedImage(const Image& image, const WeightMap& map) {
  if (map.width != image.width || map.height != image.height) {
    throw InvalidArgument(fmt::format("the map has {} x {} pixels, its image {} x {}", map.width,
                                      map.height, image.width, image.height));
  }
  const float largest =
      map.values.empty() ? 0.0f : *std::max_element(map.values.begin(), map.values.end());
  Image weighted = ToRgb(image);
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const float share = largest > 0 ? std::max(0.0f, map.values[i] / largest) : 0.0f;
    for (int c = 0; c < 3; ++c) weighted.Plane(c)[i] *= share;
  }
  return weighted;
}

Image WeightFigure(const WeightPanels& panels) {
  CheckSizes(panels);
  const bool one = panels.maps.size() == 1;
  const int columns = one ? 3 : 1 + static_cast<int>(panels.maps.size());
  const int column = std::max(kMinColumn, panels.image.width);
  const int height = panels.image.height;
  const int top = kFigureMargin + kTitle + kCaption;
  const int bar = top + height + 6;
  const int second = bar + internal::kColorBarHeight + kCaption;
  const int bottom = one ? bar + internal::kColorBarHeight : second + height;
  const int width = 2 * kFigureMargin + columns * column + (columns - 1) * kGutter;
  Image canvas = internal::MakeCanvas(width, bottom + kFigureMargin);

  const TextStyle title{14, internal::kInk, TextAnchor::kStart, true};
  DrawText(canvas, kFigureMargin, kFigureMargin + 12,
           internal::FitText(panels.name, width - 2 * kFigureMargin, 14), title);
  const auto left = [&](int c) { return kFigureMargin + c * (column + kGutter); };
  const auto caption = [&](int c, int y, const std::string& text) {
    DrawText(canvas, left(c), y - 7, internal::FitText(text, column, 12), {12, internal::kInk});
  };
  caption(0, top, "original");
  internal::Paste(canvas, panels.image, left(0), top);
  DrawBoxes(canvas, panels, left(0), top);
  for (std::size_t m = 0; m < panels.maps.size(); ++m) {
    const WeightMap& map = panels.maps[m];
    const ColorScale scale = ScaleFor(map.values);
    const int c = 1 + static_cast<int>(m);
    caption(c, top, fmt::format("weights, {}", panels.labels[m]));
    internal::Paste(canvas, MapImage(map, scale), left(c), top);
    DrawBoxes(canvas, panels, left(c), top);
    internal::DrawColorBar(canvas, left(c), bar, std::max(kMinColumn, map.width), scale);
    const int weighted_column = one ? 2 : c, weighted_top = one ? top : second;
    caption(weighted_column, weighted_top, "image times weights");
    internal::Paste(canvas, WeightedImage(panels.image, map), left(weighted_column), weighted_top);
  }
  return canvas;
}

namespace {

constexpr int kTile = 150;  // the longer side of a small image
constexpr int kBetween = 4;
constexpr int kMargin = 14;
constexpr int kCellGap = 22;
constexpr int kName = 18;
constexpr int kLabel = 15;
constexpr int kBar = 2 + internal::kColorBarHeight;
constexpr int kSheetWidth = 1500;

Image Tile(const Image& image) {
  const double shrink =
      std::max(1.0, static_cast<double>(std::max(image.width, image.height)) / kTile);
  const int width = std::clamp(static_cast<int>(std::lround(image.width / shrink)), 1, image.width);
  const int height =
      std::clamp(static_cast<int>(std::lround(image.height / shrink)), 1, image.height);
  return ShrinkByArea(image, width, height);
}

// As wide on both sides of zero.
ColorScale Diverging(const ColorScale& scale) { return {true, -scale.high, scale.high}; }

}  // namespace

void ContactSheet::Add(const WeightPanels& panels) {
  Cell cell;
  cell.name = panels.name;
  cell.original = Tile(ToRgb(panels.image));
  for (std::size_t m = 0; m < panels.maps.size(); ++m) {
    const WeightMap& map = panels.maps[m];
    const ColorScale scale = ScaleFor(map.values);
    cell.maps.push_back({Tile(MapImage(map, scale)), Tile(MapImage(map, Diverging(scale))), scale,
                         panels.labels[m]});
  }
  if (panels.maps.size() == 1) {
    cell.weighted = Tile(WeightedImage(panels.image, panels.maps[0]));
  }
  cells_.push_back(std::move(cell));
}

Image ContactSheet::Draw() const {
  if (cells_.empty()) throw InvalidArgument("a contact sheet needs at least one image");
  std::size_t tiles = 0;
  std::vector<bool> diverging;  // of the maps of one lambda
  for (const Cell& cell : cells_) {
    tiles = std::max(tiles, 1 + cell.maps.size() + (cell.weighted.width > 0 ? 1 : 0));
    diverging.resize(std::max(diverging.size(), cell.maps.size()));
    for (std::size_t m = 0; m < cell.maps.size(); ++m) {
      diverging[m] = diverging[m] || cell.maps[m].scale.diverging;
    }
  }
  const int cell_width = static_cast<int>(tiles) * (kTile + kBetween) - kBetween;
  const int fitting = (kSheetWidth - 2 * kMargin + kCellGap) / (cell_width + kCellGap);
  const int columns = std::clamp(fitting, 1, static_cast<int>(cells_.size()));
  const int rows = (static_cast<int>(cells_.size()) + columns - 1) / columns;

  // All tiles of a cell have the size of its image.
  std::vector<int> tops{kMargin};  // of each row, and the end of the last
  for (int r = 0; r < rows; ++r) {
    int tallest = 0;
    for (int c = 0; c < columns && r * columns + c < static_cast<int>(cells_.size()); ++c) {
      tallest = std::max(tallest, cells_[r * columns + c].original.height);
    }
    tops.push_back(tops.back() + kName + tallest + kLabel + kBar + kCellGap / 2);
  }
  Image canvas = internal::MakeCanvas(2 * kMargin + columns * (cell_width + kCellGap) - kCellGap,
                                      tops.back() - kCellGap / 2 + kMargin);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    int x = kMargin + static_cast<int>(i) % columns * (cell_width + kCellGap);
    const int y = tops[static_cast<int>(i) / columns];
    const int top = y + kName, below = top + cell.original.height;
    internal::DrawText(canvas, x, y + 11, internal::FitText(cell.name, cell_width, 12), {12});
    internal::Paste(canvas, cell.original, x, top);
    for (std::size_t m = 0; m < cell.maps.size(); ++m) {
      const SmallMap& map = cell.maps[m];
      x += kTile + kBetween;
      internal::Paste(canvas, diverging[m] ? map.diverging : map.plain, x, top);
      internal::DrawText(canvas, x, below + 12, internal::FitText(map.label, kTile, 10.5),
                         {10.5, internal::kSoftInk});
      internal::DrawColorBar(canvas, x, below + kLabel + 2, kTile - 2 * kBetween,
                             diverging[m] ? Diverging(map.scale) : map.scale);
    }
    if (cell.weighted.width > 0) internal::Paste(canvas, cell.weighted, x + kTile + kBetween, top);
  }
  return canvas;
}

}  // namespace alcedo
