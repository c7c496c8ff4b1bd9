#include "alcedo/descriptors/color_statistics.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/descriptors/color_kernels.h"
#include "alcedo/descriptors/level_planes.h"
#include "alcedo/descriptors/mirror.h"

namespace alcedo {
namespace {

using internal::AlignedFloats;
using internal::CellAxis;

constexpr int kDimension = 96;

// Cells of bin x bin pixels begin at multiples of `block`, the largest number that divides both the
// step and the bin: they are made of blocks of block x block pixels, which they share.
struct ColorLevel {
  GridLevel grid;
  const float* planes[3];
  CellAxis rows;
  std::vector<int> columns;  // 4 per patch, in blocks
  float unit;                // what results are multiplied by
  int bin, block;
  int blocks;  // in a row of the level
  int kept_rows;
  AlignedFloats cells;  // kept_rows x (firsts, then lasts) of 4 floats for every cell of a row

  int PerCell() const { return bin / block; }
  int CellsInRow() const { return blocks - PerCell() + 1; }
  Index RowSize() const { return 8 * static_cast<Index>(CellsInRow()); }
  float* Row(int k) const { return cells.get() + k % kept_rows * RowSize(); }
};

// Makes sums and scatters of rows of blocks, and of runs of PerCell() blocks.
class RunMaker {
 public:
  explicit RunMaker(const ColorLevel& level)
      : level_(level),
        pixels_(static_cast<Index>(level.blocks) * level.block),
        sums_(std::max(level.block, level.PerCell())),
        scatters_(sums_.size()),
        scratch_(internal::MakeAlignedFloats(6 * pixels_)) {}

  // The runs of row `row` of blocks of one channel: CellsInRow() sums and scatters.
  void Make(int channel, int row, float* sum, float* scatter) {
    const int block = level_.block;
    float* block_sums = scratch_.get();
    float* block_scatters = block_sums + pixels_;
    const float* top = level_.planes[channel] + static_cast<Index>(row) * block * level_.grid.width;
    if (block == 2) {
      color_kernels::MergeTwoByTwo(top, top + level_.grid.width, level_.blocks, block_sums,
                                   block_scatters);
    } else {
      MakeBlocks(top, block_sums, block_scatters);
    }
    for (int g = 0; g < level_.PerCell(); ++g) {
      sums_[g] = block_sums + g;
      scatters_[g] = block_scatters + g;
    }
    color_kernels::Merge(sums_.data(), scatters_.data(), level_.PerCell(), block * block,
                         level_.CellsInRow(), sum, scatter);
  }

 private:
  // Blocks of any size: first the columns of a row of blocks, then `block` columns at a time.
  void MakeBlocks(const float* top, float* block_sums, float* block_scatters) {
    const int block = level_.block, blocks = level_.blocks;
    float *column_sums = block_scatters + pixels_, *column_scatters = column_sums + pixels_;
    float *split_sums = column_scatters + pixels_, *split_scatters = split_sums + pixels_;
    for (int g = 0; g < block; ++g) sums_[g] = top + static_cast<Index>(g) * level_.grid.width;
    color_kernels::Merge(sums_.data(), nullptr, block, 1, static_cast<int>(pixels_), column_sums,
                         column_scatters);
    color_kernels::SplitPhases(column_sums, block, blocks, split_sums);
    color_kernels::SplitPhases(column_scatters, block, blocks, split_scatters);
    for (int g = 0; g < block; ++g) {
      sums_[g] = split_sums + static_cast<Index>(g) * blocks;
      scatters_[g] = split_scatters + static_cast<Index>(g) * blocks;
    }
    color_kernels::Merge(sums_.data(), scatters_.data(), block, block, blocks, block_sums,
                         block_scatters);
  }

  const ColorLevel& level_;
  Index pixels_;  // in a row
  std::vector<const float*> sums_, scatters_;
  AlignedFloats scratch_;
};

// Makes rows of cells from above to below, of a ring of as many rows of blocks as a cell is high.
class ColorCells {
 public:
  explicit ColorCells(const ColorLevel& level)
      : level_(level),
        per_cell_(level.PerCell()),
        count_(level.CellsInRow()),
        runs_(level),
        ring_(internal::MakeAlignedFloats(6 * static_cast<std::size_t>(count_) * per_cell_)),
        totals_(internal::MakeAlignedFloats(6 * static_cast<std::size_t>(count_))),
        sums_(per_cell_),
        scatters_(per_cell_) {}

  void Make(int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int top = level_.rows.positions[k] / level_.block;
      for (next_ = std::max(next_, top); next_ < top + per_cell_; ++next_) {
        for (int c = 0; c < 3; ++c) {
          runs_.Make(c, next_, Slot(next_, c), Slot(next_, c) + count_);
        }
      }
      MakeRow(top, level_.Row(k));
    }
  }

 private:
  // Sums, then scatters.
  float* Slot(int row, int channel) const {
    return ring_.get() + (row % per_cell_ * 3 + channel) * 2 * static_cast<Index>(count_);
  }

  void MakeRow(int top, float* firsts) {
    const float *sum_of[3], *scatter_of[3];
    for (int c = 0; c < 3; ++c) {
      for (int g = 0; g < per_cell_; ++g) {
        sums_[g] = Slot(top + g, c);
        scatters_[g] = sums_[g] + count_;
      }
      float* sum = totals_.get() + 2 * static_cast<Index>(c) * count_;
      color_kernels::Merge(sums_.data(), scatters_.data(), per_cell_, level_.bin * level_.block,
                           count_, sum, sum + count_);
      sum_of[c] = sum;
      scatter_of[c] = sum + count_;
    }
    color_kernels::MeansAndDeviations(sum_of, scatter_of, level_.bin * level_.bin, level_.unit,
                                      count_, firsts, firsts + level_.RowSize() / 2);
  }

  const ColorLevel& level_;
  int per_cell_, count_;
  RunMaker runs_;
  AlignedFloats ring_, totals_;
  std::vector<const float*> sums_, scatters_;
  int next_ = 0;  // the first row of blocks that is not in the ring yet
};

void Describe(const ColorLevel& level, int row, float* out) {
  const Index to_lasts = level.RowSize() / 2;
  const float* cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = level.Row(level.rows.cells[4 * row + i]);
  out += (level.grid.first + static_cast<Index>(row) * level.grid.columns) * kDimension;
  const int* columns = level.columns.data();
  for (int p = 0; p < level.grid.columns; ++p, columns += 4) {
    const Index offsets[4] = {4 * Index{columns[0]}, 4 * Index{columns[1]}, 4 * Index{columns[2]},
                              4 * Index{columns[3]}};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j, out += 6) {
        const float* cell = cells[i] + offsets[j];
        std::memcpy(out, cell, 4 * sizeof(float));
        std::memcpy(out + 2, cell + to_lasts, 4 * sizeof(float));
      }
    }
  }
}

std::vector<ColorLevel> MakeLevels(const PatchGrid& grid, const internal::LevelPlanes& planes,
                                   int channels, float unit, int threads) {
  std::vector<ColorLevel> levels(grid.levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    ColorLevel& level = levels[l];
    level.grid = grid.levels[l];
    for (int c = 0; c < 3; ++c) {  // a grey image has one plane
      level.planes[c] = planes.Plane(static_cast<Index>(l), std::min(c, channels - 1));
    }
    level.unit = unit;
    level.bin = grid.patch / 4;
    level.block = std::gcd(grid.step, level.bin);
    level.blocks = ((level.grid.columns - 1) * grid.step + grid.patch) / level.block;
    level.rows = internal::MakeCellAxis(level.grid.rows, grid.step, level.bin);
    const CellAxis columns = internal::MakeCellAxis(level.grid.columns, grid.step, level.bin);
    for (const int cell : columns.cells) {
      level.columns.push_back(columns.positions[cell] / level.block);
    }
    level.kept_rows = internal::KeptCellRows(level.rows, threads);
    level.cells = internal::MakeAlignedFloats(level.kept_rows * level.RowSize());
  }
  return levels;
}

}  // namespace

Descriptors ExtractColorStatistics(const Image& image, const GridOptions& grid_options,
                                   const ColorOptions& /*options*/, int threads) {
  Require(threads >= 1, "threads", ">= 1", threads);
  PatchGrid grid = MakePatchGrid(image, grid_options);
  CheckImage(image);
  const float scale = internal::RangeScale(image);
  const internal::LevelPlanes planes(image, scale, grid.levels, threads);
  const std::vector<ColorLevel> levels =
      MakeLevels(grid, planes, image.channels, 1 / scale, threads);

  Descriptors descriptors;
  descriptors.width = image.original_width;
  descriptors.height = image.original_height;
  descriptors.values.resize(static_cast<Index>(grid.patches.size()), kDimension);
  descriptors.patches = std::move(grid.patches);

  internal::DescribeLevels<ColorCells>(levels, threads, [&](const ColorLevel& level, int row) {
    Describe(level, row, descriptors.values.data());
  });
  constexpr int kMirrored[] = {0, 1, 2, 3, 4, 5};
  if (grid_options.mirror) internal::AppendMirrored(kMirrored, descriptors);
  return descriptors;
}

}  // namespace alcedo
