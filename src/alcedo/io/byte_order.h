// Numbers out of and into the little-endian byte strings of file headers.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "alcedo/io/byte_source.h"

namespace alcedo::internal {

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
