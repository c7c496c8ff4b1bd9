// Reads .npy, .npz and .safetensors: hardened, since these files come from anywhere. A file that
// lies about itself gives a FormatError that names the file and what is wrong with it, before any
// memory of the size it claims is allocated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/io/array.h"

namespace alcedo {

// Whether the name ends like that of an array file: .npy, .npz or .safetensors, in any case.
bool HasArrayExtension(const std::filesystem::path& path);

class ArrayReader {
 public:
  // Opens a file; the format is told by its first bytes, not by its name. A file stays open and its
  // elements are read when they are asked for; a pipe is read to its end.
  static ArrayReader Open(const std::filesystem::path& path);
  // The same from memory (standard input, tests). `name` stands for the file in messages.
  static ArrayReader FromBytes(std::string bytes, std::string name);
  // The same without a copy: the bytes must outlive the reader.
  static ArrayReader FromView(std::string_view bytes, std::string name);

  ArrayReader(ArrayReader&&) noexcept;
  ArrayReader& operator=(ArrayReader&&) noexcept;
  ~ArrayReader();

  const std::string& file_name() const;
  // One for a .npy; in the file's order otherwise.
  const std::vector<ArrayInfo>& arrays() const;
  // The "__metadata__" of a .safetensors; empty for other formats.
  const std::map<std::string, std::string>& metadata() const;
  // The index of the array of that name; FormatError listing the names there are otherwise.
  std::size_t Find(const std::string& name) const;

  // A floating-point array as rows: the last dimension is the columns, all others together the rows
  // (a vector is one row). NaN, infinity, and a double beyond the range of float are a
  // FormatError that names the file, the array, the row and the column (and before them the item,
  // for an array of more than two dimensions). Integer arrays are refused.
  Rows ReadRows(std::size_t array) const;

  // The same in double: nothing is rounded.
  Matrix ReadMatrix(std::size_t array) const;

  // A floating-point array (of any shape) in C order as double. NaN and infinity are refused as
  // above.
  std::vector<double> ReadDoubles(std::size_t array) const;

  // An integer array (of any shape) in C order; true is 1. Floating-point arrays are refused, and
  // so are values beyond the range of int64.
  std::vector<std::int64_t> ReadIntegers(std::size_t array) const;

 private:
  struct Impl;
  explicit ArrayReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The most that is read from a pipe, or from standard input: arrays in memory.
inline constexpr std::int64_t kMaxPipeBytes = std::int64_t{1} << 34;

// True if the first bytes are those of an array file that can be read.
bool LooksLikeArrays(std::string_view first_bytes);

}  // namespace alcedo
