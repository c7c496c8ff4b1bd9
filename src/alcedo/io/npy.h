// The .npy format: a magic string, a version, a header that is a Python dict literal, the elements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/byte_source.h"
#include "alcedo/io/payload.h"

namespace alcedo::internal {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// How many bytes ParseNpyPreamble wants; fewer are enough if the file itself is shorter.
inline constexpr std::size_t kNpyPreambleSize = 12;

// Where the header's text lies; the elements follow it.
struct NpyPreamble {
  std::uint64_t text_offset = 0;
  std::uint64_t text_size = 0;

  std::uint64_t data_offset() const { return text_offset + text_size; }
};

struct NpyDtype {
  ElementType type = ElementType::kUnsupported;
  bool swap_bytes = false;
  std::string refusal;  // for kUnsupported: names the dtype and says what to do
};

struct NpyHeader {
  std::vector<Index> shape;
  NpyDtype dtype;
  bool fortran_order = false;
};

// A dtype string such as "<f4". Never throws: what is not supported carries its refusal.
NpyDtype ParseNpyDtype(std::string_view descr);

// All of these throw a FormatError at `where`.
NpyPreamble ParseNpyPreamble(std::string_view start, const Place& where);
NpyHeader ParseNpyHeader(std::string_view text, const Place& where);
// Checks that header and elements together fill `total` bytes exactly (unless the type is
// unsupported).
void CheckNpySize(const ArrayInfo& info, std::uint64_t data_offset, std::uint64_t total,
                  const Place& where);

ArrayTable ReadNpyTable(const ByteSource& source);

}  // namespace alcedo::internal
