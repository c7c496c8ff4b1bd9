// Writes .npy and .safetensors.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/array.h"

namespace alcedo {

// One array to write: `bytes` are its elements in C order, little-endian. The bytes must live as
// long as the call.
struct ArrayToWrite {
  std::string name;
  std::vector<Index> shape;
  ElementType type = ElementType::kFloat32;
  std::string_view bytes;
};

// The bytes of a whole .npy file, version 1.0 (2.0 if the header needs it), data aligned to 64.
std::string NpyBytes(const ArrayToWrite& array);

// The bytes of a whole .safetensors file. `metadata` becomes "__metadata__". Arrays are written in
// the order given, the data aligned to 8 bytes; the same input gives the same bytes.
std::string SafetensorsBytes(std::span<const ArrayToWrite> arrays,
                             const std::map<std::string, std::string>& metadata);

// What stands before the elements of such files, for those that are too large for memory: the
// elements follow it as they are, and nothing comes after them. Of a .safetensors with one array.
std::string NpyHeaderBytes(const std::vector<Index>& shape, ElementType type);
std::string SafetensorsHeaderBytes(const ArrayInfo& array,
                                   const std::map<std::string, std::string>& metadata);

}  // namespace alcedo
