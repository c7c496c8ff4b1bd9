#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/figures/color_bar.h"
#include "alcedo/figures/stroke_font.h"
#include "alcedo/image/resize.h"
#include "alcedo/weights/weight_figure.h"

namespace alcedo {
namespace {

constexpr int kTile = 150;  // the longer side of a small picture
constexpr int kBetween = 4;
constexpr int kMargin = 14;
constexpr int kCellGap = 22;
constexpr int kName = 18;
constexpr int kLabel = 15;
constexpr int kBar = 2 + internal::kColorBarHeight;
constexpr int kSheetWidth = 1500;

Image Tile(const Image& picture) {
  const double shrink =
      std::max(1.0, static_cast<double>(std::max(picture.width, picture.height)) / kTile);
  const int width =
      std::clamp(static_cast<int>(std::lround(picture.width / shrink)), 1, picture.width);
  const int height =
      std::clamp(static_cast<int>(std::lround(picture.height / shrink)), 1, picture.height);
  return ShrinkByArea(picture, width, height);
}

// As wide on both sides of zero.
ColorScale Diverging(const ColorScale& scale) { return {true, -scale.high, scale.high}; }

}  // namespace

void ContactSheet::Add(const WeightPanels& panels) {
  Cell cell;
  cell.name = panels.name;
  cell.original = Tile(ToRgb(panels.picture));
  for (std::size_t m = 0; m < panels.maps.size(); ++m) {
    const WeightMap& map = panels.maps[m];
    const ColorScale scale = ScaleFor(map.values);
    cell.maps.push_back({Tile(MapPicture(map, scale)), Tile(MapPicture(map, Diverging(scale))),
                         scale, panels.labels[m]});
  }
  if (panels.maps.size() == 1) {
    cell.weighted = Tile(WeightedPicture(panels.picture, panels.maps[0]));
  }
  cells_.push_back(std::move(cell));
}

Image ContactSheet::Draw() const {
  if (cells_.empty()) throw InvalidArgument("a contact sheet needs at least one picture");
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

  // All tiles of a cell have the size of its picture.
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
