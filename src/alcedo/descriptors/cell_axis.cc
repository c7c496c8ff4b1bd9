#include "alcedo/descriptors/cell_axis.h"

#include <cstddef>

namespace alcedo::internal {

CellAxis MakeCellAxis(int patches, int step, int bin) {
  CellAxis axis;
  std::vector<int> place((patches - 1) * step + 3 * bin + 1, -1);
  for (int p = 0; p < patches; ++p) {
    for (int i = 0; i < 4; ++i) place[p * step + i * bin] = 0;
  }
  for (std::size_t x = 0; x < place.size(); ++x) {
    if (place[x] < 0) continue;
    place[x] = static_cast<int>(axis.positions.size());
    axis.positions.push_back(static_cast<int>(x));
  }
  for (int p = 0; p < patches; ++p) {
    for (int i = 0; i < 4; ++i) axis.cells.push_back(place[p * step + i * bin]);
  }
  return axis;
}

}  // namespace alcedo::internal
