// The JSON header of a .safetensors file, word for word: nothing is checked against the data yet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/index.h"

namespace alcedo::internal {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;
  std::vector<Index> shape;
  std::uint64_t begin = 0;  // data_offsets
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the header's order
  std::map<std::string, std::string> metadata;
};

// A FormatError that `file` opens for anything but the structure above, duplicate keys included.
SafetensorsHeader ParseSafetensorsHeader(std::string_view text, const std::string& file);

}  // namespace alcedo::internal
