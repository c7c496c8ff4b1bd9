#include "alcedo/descriptors/patch_grid.h"

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

// The square of sqrt(2) is not quite 2, and half of 365 is still to be 183: a half may be missed by
// a rounding error.
int RoundHalfUp(double value) { return static_cast<int>(std::floor(value + 0.5 + 1e-9)); }

void AddPatches(const Image& image, const GridLevel& level, PatchGrid& grid) {
  const double per_x = static_cast<double>(image.original_width) / level.width;
  const double per_y = static_cast<double>(image.original_height) / level.height;
  const auto size = static_cast<float>(grid.patch * std::sqrt(per_x * per_y));
  const double half = 0.5 * grid.patch;
  for (int row = 0; row < level.rows; ++row) {
    const auto y = static_cast<float>((static_cast<double>(row) * grid.step + half) * per_y);
    for (int column = 0; column < level.columns; ++column) {
      const double x = static_cast<double>(column) * grid.step + half;
      grid.patches.push_back({static_cast<float>(x * per_x), y, size});
    }
  }
}

}  // namespace

void Check(const GridOptions& options) {
  Require(options.patch >= 4 && options.patch % 4 == 0, "grid.patch", "a multiple of 4, at least 4",
          options.patch);
  Require(options.step >= 1, "grid.step", ">= 1", options.step);
  Require(options.scales >= 1, "grid.scales", ">= 1", options.scales);
  Require(options.scale_factor > 1 && std::isfinite(options.scale_factor), "grid.scale_factor",
          "finite and > 1", options.scale_factor);
}

PatchGrid MakePatchGrid(const Image& image, const GridOptions& options) {
  Check(options);
  Require(image.width >= 1, "image width", ">= 1", image.width);
  Require(image.height >= 1, "image height", ">= 1", image.height);
  Require(image.original_width >= 1, "image original width", ">= 1", image.original_width);
  Require(image.original_height >= 1, "image original height", ">= 1", image.original_height);

  PatchGrid grid;
  grid.patch = options.patch;
  grid.step = options.step;
  Index count = 0;
  for (int s = 0; s < options.scales; ++s) {
    const double shrink = std::pow(options.scale_factor, s);
    GridLevel level;
    level.width = RoundHalfUp(image.width / shrink);
    level.height = RoundHalfUp(image.height / shrink);
    if (level.width < grid.patch || level.height < grid.patch) break;  // the rest is smaller yet
    level.columns = (level.width - grid.patch) / grid.step + 1;
    level.rows = (level.height - grid.patch) / grid.step + 1;
    level.first = count;
    count += static_cast<Index>(level.columns) * level.rows;
    grid.levels.push_back(level);
  }
  grid.patches.reserve(count);
  for (const GridLevel& level : grid.levels) AddPatches(image, level, grid);
  return grid;
}

}  // namespace alcedo
