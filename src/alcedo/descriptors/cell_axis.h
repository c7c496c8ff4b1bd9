// Where cells are along one axis of a grid of patches.
#pragma once

#include <vector>

namespace alcedo::internal {

// Patches p * step, each of 4 cells `bin` apart. Neighbouring patches share cells, so that there
// are fewer places than cells.
struct CellAxis {
  std::vector<int>
      positions;           // of cells, in pixels from the first cell of the first patch; ascending
  std::vector<int> cells;  // patches x 4: which of the positions
};
CellAxis MakeCellAxis(int patches, int step, int bin);

}  // namespace alcedo::internal
