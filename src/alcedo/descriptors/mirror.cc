#include "alcedo/descriptors/mirror.h"

#include <algorithm>

namespace alcedo::internal {

void AppendMirrored(std::span<const int> cell, Descriptors& descriptors) {
  constexpr int kCells = 4;
  const Index count = descriptors.values.rows();
  const auto size = static_cast<Index>(cell.size());
  descriptors.values.conservativeResize(2 * count, Eigen::NoChange);
  for (Index n = 0; n < count; ++n) {
    const float* row = descriptors.values.data() + n * descriptors.values.cols();
    float* to = descriptors.values.data() + (count + n) * descriptors.values.cols();
    for (int y = 0; y < kCells; ++y, row += kCells * size) {
      for (int x = kCells - 1; x >= 0; --x) {
        for (const int value : cell) *to++ = row[x * size + value];
      }
    }
  }
  descriptors.patches.resize(static_cast<std::size_t>(2 * count));
  std::copy_n(descriptors.patches.begin(), count, descriptors.patches.begin() + count);
}

}  // namespace alcedo::internal
