#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/figures/stroke_font.h"
#include "alcedo/figures/weight_figure.h"
#include "alcedo/image/resize.h"

namespace alcedo {
namespace {

constexpr int kTile = 150;  // the longer side of a small picture
constexpr int kBetween = 4;
constexpr int kMargin = 14;
constexpr int kCellGap = 22;
constexpr int kName = 18;
constexpr int kLabel = 15;
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

}  // namespace

void ContactSheet::Add(const WeightPanels& panels) {
  Cell cell;
  cell.name = panels.name;
  cell.pictures.push_back(Tile(ToRgb(panels.picture)));
  cell.labels.emplace_back();
  for (std::size_t m = 0; m < panels.maps.size(); ++m) {
    const WeightMap& map = panels.maps[m];
    cell.pictures.push_back(Tile(MapPicture(map, ScaleFor(map.values))));
    cell.labels.push_back(panels.labels[m]);
  }
  if (panels.maps.size() == 1) {
    cell.pictures.push_back(Tile(WeightedPicture(panels.picture, panels.maps[0])));
    cell.labels.emplace_back();
  }
  cells_.push_back(std::move(cell));
}

Image ContactSheet::Draw() const {
  if (cells_.empty()) throw InvalidArgument("a contact sheet needs at least one picture");
  std::size_t tiles = 0;
  for (const Cell& cell : cells_) tiles = std::max(tiles, cell.pictures.size());
  const int cell_width = static_cast<int>(tiles) * (kTile + kBetween) - kBetween;
  const int fitting = (kSheetWidth - 2 * kMargin + kCellGap) / (cell_width + kCellGap);
  const int columns = std::clamp(fitting, 1, static_cast<int>(cells_.size()));
  const int rows = (static_cast<int>(cells_.size()) + columns - 1) / columns;

  std::vector<int> tops{kMargin};  // of each row, and the end of the last
  for (int r = 0; r < rows; ++r) {
    int tallest = 0;
    for (int c = 0; c < columns && r * columns + c < static_cast<int>(cells_.size()); ++c) {
      for (const Image& picture : cells_[r * columns + c].pictures) {
        tallest = std::max(tallest, picture.height);
      }
    }
    tops.push_back(tops.back() + kName + tallest + kLabel + kCellGap / 2);
  }
  Image canvas = internal::MakeCanvas(2 * kMargin + columns * (cell_width + kCellGap) - kCellGap,
                                      tops.back() - kCellGap / 2 + kMargin);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    const int x = kMargin + static_cast<int>(i) % columns * (cell_width + kCellGap);
    const int y = tops[static_cast<int>(i) / columns];
    internal::DrawText(canvas, x, y + 11, internal::FitText(cell.name, cell_width, 12), {12});
    for (std::size_t p = 0; p < cell.pictures.size(); ++p) {
      const Image& picture = cell.pictures[p];
      const int left = x + static_cast<int>(p) * (kTile + kBetween);
      internal::Paste(canvas, picture, left, y + kName);
      internal::DrawText(canvas, left, y + kName + picture.height + 12,
                         internal::FitText(cell.labels[p], kTile, 10.5),
                         {10.5, internal::kSoftInk});
    }
  }
  return canvas;
}

}  // namespace alcedo
