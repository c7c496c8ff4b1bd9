// What opening a file yields, whatever its format: the arrays, and where each one's elements lie.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/array.h"
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

}  // namespace alcedo::internal
