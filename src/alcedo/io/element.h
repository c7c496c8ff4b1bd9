// The element types one by one: sizes, names, and half precision.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alcedo/io/array.h"

namespace alcedo::internal {

// Bytes per element; 0 for kUnsupported.
std::size_t ElementSize(ElementType type);

// NumPy's name: "float32".
std::string_view ElementName(ElementType type);

bool IsFloatingPoint(ElementType type);
bool IsInteger(ElementType type);  // booleans too

// IEEE binary16, exact: every half is a float.
inline float HalfToFloat(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 0) {  // zero and subnormals: a multiple of 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const std::uint32_t wide_exponent = exponent == 31 ? 255 : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

// The upper half of a float.
inline float Bfloat16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace alcedo::internal
