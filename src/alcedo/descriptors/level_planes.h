// The planes of an image at every scale of a grid, and the 4 x 4 cells of its patches: where they
// are along an axis, and in which order, and by which thread, rows of cells are made and patches
// described from them.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/descriptors/patch_grid.h"
#include "alcedo/image/image.h"

namespace alcedo::internal {

using AlignedFloats = hwy::AlignedFreeUniquePtr<float[]>;

inline AlignedFloats MakeAlignedFloats(std::size_t count) {
  AlignedFloats floats = hwy::AllocateAligned<float>(count);
  if (floats == nullptr) throw std::bad_alloc();
  return floats;
}

// Patches p * step, each of 4 cells `bin` apart. Neighbouring patches share cells, so that there
// are fewer places than cells.
struct CellAxis {
  std::vector<int>
      positions;           // of cells, in pixels from the first cell of the first patch; ascending
  std::vector<int> cells;  // patches x 4: which of the positions
};
CellAxis MakeCellAxis(int patches, int step, int bin);

// Rows [begin, end) of a level.
struct Band {
  Index level;
  int begin, end;
};

// Work on rows of several levels, level l having rows[l] of them of costs[l] each, as bands for
// `threads` threads: about two for each, and no level in the same band as another.
std::vector<Band> MakeBands(const std::vector<int>& rows, const std::vector<double>& costs,
                            int threads);

// How many rows of cells have to be kept at a time: all if there are several threads, as they
// make all cells before they describe any patch; for one thread those of a row of patches, which
// then stay in cache.
int KeptCellRows(const CellAxis& rows, int threads);

// A Level has a GridLevel `grid` and a CellAxis `rows`; Maker(level) makes cells:
// Make(begin, end) is called with ascending rows without gaps, beginning anywhere, and what a row
// is may not depend on where. describe(level, row) describes a row of patches.
template <class Maker, class Level, class Describe>
void DescribeLevels(const std::vector<Level>& levels, int threads, const Describe& describe) {
  if (threads == 1) {
    for (const Level& level : levels) {
      Maker maker(level);
      int made = 0;
      for (int row = 0; row < level.grid.rows; ++row) {
        const int end = level.rows.cells[4 * row + 3] + 1;
        maker.Make(made, end);
        made = end;
        describe(level, row);
      }
    }
    return;
  }
  std::vector<int> cell_rows, patch_rows;
  std::vector<double> cell_costs, patch_costs;
  for (const Level& level : levels) {
    cell_rows.push_back(static_cast<int>(level.rows.positions.size()));
    cell_costs.push_back(level.grid.width);
    patch_rows.push_back(level.grid.rows);
    patch_costs.push_back(level.grid.columns);
  }
  const std::vector<Band> cells = MakeBands(cell_rows, cell_costs, threads);
  ParallelFor(static_cast<Index>(cells.size()), threads,
              [&](Index b) { Maker(levels[cells[b].level]).Make(cells[b].begin, cells[b].end); });
  const std::vector<Band> patches = MakeBands(patch_rows, patch_costs, threads);
  ParallelFor(static_cast<Index>(patches.size()), threads, [&](Index b) {
    for (int row = patches[b].begin; row < patches[b].end; ++row) {
      describe(levels[patches[b].level], row);
    }
  });
}

// 1 for every image; for samples beyond 2^20, a power of two that brings them below: squares of
// larger ones would leave the range of float. Multiplying by it is exact.
float RangeScale(const Image& image);

class LevelPlanes {
 public:
  // The channels of `image` times `scale`, shrunk by area to the size of every level. The image
  // must outlive the planes: what needs no change is not copied.
  LevelPlanes(const Image& image, float scale, const std::vector<GridLevel>& levels, int threads);
  LevelPlanes(const LevelPlanes&) = delete;
  LevelPlanes& operator=(const LevelPlanes&) = delete;

  const float* Plane(Index level, int channel) const {
    return planes_[level * channels_ + channel];
  }

 private:
  Index channels_;
  std::vector<float> scaled_;
  std::vector<std::unique_ptr<float[]>> shrunk_;
  std::vector<const float*> planes_;
};

}  // namespace alcedo::internal
