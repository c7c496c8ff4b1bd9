// What opening a file yields, whatever its format: the arrays, where each one's elements lie, and
// the elements, converted to the type the caller wants, in C order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/array.h"
#include "alcedo/io/byte_source.h"
#include "alcedo/io/zip.h"

namespace alcedo::internal {

// Where and how the elements of one array are stored.
struct Payload {
  std::optional<ZipMember> member;  // of a .npz; otherwise the elements lie in the file itself
  std::uint64_t offset = 0;         // of the first element in the file, or in the inflated member
  bool fortran_order = false;
  bool swap_bytes = false;  // the other byte order than this machine's
  std::string refusal;      // for ElementType::kUnsupported: the sentence to answer a read with
};

struct ArrayTable {
  std::vector<ArrayInfo> arrays;
  std::vector<Payload> payloads;  // one per array
  std::map<std::string, std::string> metadata;

  void Add(ArrayInfo info, Payload payload) {
    arrays.push_back(std::move(info));
    payloads.push_back(std::move(payload));
  }
};

// The bytes that an array of this shape occupies. A FormatError unless the number and every partial
// product of dimensions fit an Index, so that nobody's arithmetic on an accepted shape overflows.
// An unsupported type counts one byte per element.
std::uint64_t CheckedByteCount(const ArrayInfo& info, const Place& where);

// "shape (3, 4) of float32".
std::string Describe(const ArrayInfo& info);

// How a message names an array: "bags.npz: array 'a'", or the file alone for a .npy.
Place ArrayPlace(const std::string& file, const std::string& array);

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
