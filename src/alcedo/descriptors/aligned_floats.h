// Memory for the kernels: aligned to vectors and cache lines, not initialised.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <new>

namespace alcedo::internal {

using AlignedFloats = hwy::AlignedFreeUniquePtr<float[]>;

inline AlignedFloats MakeAlignedFloats(std::size_t count) {
  AlignedFloats floats = hwy::AllocateAligned<float>(count);
  if (floats == nullptr) throw std::bad_alloc();
  return floats;
}

}  // namespace alcedo::internal
