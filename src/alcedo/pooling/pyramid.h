// Spatial pyramids (Lazebnik et al. 2006): pool every cell of the image by itself, concatenate.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {

// A region of the image in relative coordinates: left <= x < right, top <= y < bottom. 1 is
// the right or bottom border and belongs to the last cell. Requires 0 <= left < right <= 1, and the
// same of top and bottom.
struct PyramidCell {
  double left = 0, top = 0, right = 1, bottom = 1;

  friend bool operator==(const PyramidCell&, const PyramidCell&) = default;
};

// At least one cell. Cells may overlap, and need not cover the image.
struct Pyramid {
  std::vector<PyramidCell> cells;
};
void Check(const Pyramid& pyramid);

// "1" is the whole image; "RxC" R rows of C cells, row by row, with R and C from 1 to 100; a list
// joins them: "1,3x1" is the paper's pyramid (section 5.4, whole + three horizontal strips), which
// is also called "paper". A cell of its own is "left:top:right:bottom", e.g. "0.25:0.25:0.75:0.75".
// Blanks around an item do not matter. InvalidArgument otherwise.
Pyramid ParsePyramid(std::string_view text);

struct RelativePosition {
  double x = 0, y = 0;  // in [0, 1]
};

// The numbers of the rows of each cell, increasing. Positions outside [0, 1] are refused.
std::vector<std::vector<Index>> RowsOfCells(const Pyramid& pyramid,
                                            std::span<const RelativePosition> positions);

// Whether this is the whole image alone.
bool IsWholeImage(const Pyramid& pyramid);

struct PooledPyramid {
  Matrix values;  // poolings x (cells x D): the vectors of the cells one after the other
  // As PoolMany() gives them: all poolings of the first cell, then those of the second.
  std::vector<SolveReport> reports;
};
// Several poolings of every cell, as PoolMany() pools the rows of one. A cell without rows gives
// zeros. One position per row, except for the whole image alone, which needs none. Weighted pooling
// takes one weight per row of all, and uses those of the cell.
PooledPyramid PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                          std::span<const RelativePosition> positions,
                          std::span<const PoolingOptions> poolings,
                          std::optional<int> threads = std::nullopt);

// One pooling: cells x D. Reports, if asked for, are one per cell.
Matrix PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                   std::span<const RelativePosition> positions, const PoolingOptions& options,
                   std::vector<SolveReport>* reports = nullptr);

}  // namespace alcedo
