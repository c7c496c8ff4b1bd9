// The element types one by one: sizes, names, and half precision.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "alcedo/io/array.h"
#include "alcedo/io/byte_source.h"

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

// Numbers out of and into the little-endian byte strings of file headers.
template <typename Unsigned>
Unsigned LoadLittle(const char* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return static_cast<Unsigned>(value);
}

template <typename Unsigned>
void AppendLittle(Unsigned value, std::string& out) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
  }
}

// Walks over a record whose end is known; running past it is a FormatError, never a wild read.
class ByteCursor {
 public:
  // `record` names it in messages: "the .npy header".
  ByteCursor(std::string_view bytes, Place place, std::string record)
      : bytes_(bytes), place_(std::move(place)), record_(std::move(record)) {}

  bool AtEnd() const { return bytes_.empty(); }

  std::string_view Take(std::size_t count) {
    if (count > bytes_.size()) {
      place_.Fail(fmt::format("{} is cut short: {} more bytes are needed, but {} are there",
                              record_, count, bytes_.size()));
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename Unsigned>
  Unsigned Get() {
    return LoadLittle<Unsigned>(Take(sizeof(Unsigned)).data());
  }

  void Skip(std::size_t count) { Take(count); }

 private:
  std::string_view bytes_;
  Place place_;
  std::string record_;
};

}  // namespace alcedo::internal
