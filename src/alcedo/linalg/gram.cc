#include "alcedo/linalg/gram.h"

#include <algorithm>

#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// 256 Ki doubles: 2 MiB, what stays in a second-level cache or near it.
constexpr Index kTileValues = Index{1} << 18;

}  // namespace

void AddGram(const float* rows, Index count, Index width, double* gram, GramScratch& scratch) {
  const Index tile =
      std::clamp<Index>(kTileValues / std::max<Index>(width, 1), 16, std::max<Index>(count, 16));
  scratch.resize(std::max<std::size_t>(scratch.size(), tile * width));
  for (Index begin = 0; begin < count; begin += tile) {
    const Index size = std::min(tile, count - begin);
    std::copy_n(rows + begin * width, size * width, scratch.data());
    blas::AddGram(scratch.data(), size, width, width, gram, width);
  }
}

void KernelMatrix(const float* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch) {
  std::fill_n(kernel, count * count, 0.0);
  // Tiles of columns: the kernel is only formed if there are few rows, which may be very wide.
  const Index tile =
      std::clamp<Index>(kTileValues / std::max<Index>(count, 1), 16, std::max<Index>(width, 16));
  scratch.resize(std::max<std::size_t>(scratch.size(), tile * count));
  for (Index begin = 0; begin < width; begin += tile) {
    const Index size = std::min(tile, width - begin);
    for (Index i = 0; i < count; ++i) {
      std::copy_n(rows + i * width + begin, size, scratch.data() + i * size);
    }
    blas::AddKernel(scratch.data(), count, size, size, kernel, count);
  }
}

}  // namespace alcedo
