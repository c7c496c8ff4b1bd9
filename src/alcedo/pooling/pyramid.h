// Spatial pyramids (Lazebnik et al. 2006): pool every cell of the image by itself, concatenate.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {

// A region of the image in relative coordinates: left <= x < right, top <= y < bottom, where 1 is
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

// cells x D: one pooled vector per cell (zero for a cell without patches). One position per row,
// except for the pyramid of the whole image alone, which needs none. Weighted pooling takes one
// weight per row of all, and uses those of the cell. Reports, where asked for, are one per cell.
Matrix PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                   std::span<const RelativePosition> positions, const PoolingOptions& options,
                   std::vector<SolveReport>* reports = nullptr);

}  // namespace alcedo
