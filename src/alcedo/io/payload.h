// The elements of one array, converted to the type the caller wants, in C order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "alcedo/io/array_table.h"
#include "alcedo/io/byte_source.h"

namespace alcedo::internal {

// Makes sure on construction that the bytes are really there (a compressed member is inflated, a
// checksum verified), so that the caller may then allocate what info.size() says.
class PayloadReader {
 public:
  // All three must outlive the reader.
  PayloadReader(const ByteSource& file, const ArrayInfo& info, const Payload& payload);

  // Fills `out`, which has info.size() elements. T is float or double for floating-point arrays,
  // std::int64_t for integers (a uint64 beyond its range comes out negative). Bytes that are
  // already a C-order array of T are read in place.
  template <typename T>
  void Read(std::span<T> out) const;

 private:
  template <typename T>
  void ReadInFileOrder(std::span<T> out) const;
  template <typename Raw, typename T, typename Convert>
  void Decode(std::span<T> out, Convert convert) const;

  const ArrayInfo& info_;
  const Payload& payload_;
  std::unique_ptr<ByteSource> inflated_;
  const ByteSource* source_;
  std::uint64_t offset_;
};

}  // namespace alcedo::internal
