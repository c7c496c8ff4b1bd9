#include "alcedo/io/npy.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/io/byte_order.h"

namespace alcedo::internal {
namespace {

// NumPy writes about a hundred bytes, and stops reading at ten thousand.
constexpr std::uint64_t kMaxHeaderSize = 1 << 20;

}  // namespace

NpyPreamble ParseNpyPreamble(std::string_view start, const std::string& where) {
  ByteCursor cursor(start, where + ": the .npy header");
  if (cursor.Take(kNpyMagic.size()) != kNpyMagic) {
    throw FormatError(where + ": does not begin with the magic string of a .npy");
  }
  const int major = cursor.Get<std::uint8_t>();
  const int minor = cursor.Get<std::uint8_t>();
  if (major < 1 || major > 3 || minor != 0) {
    throw FormatError(fmt::format("{}: .npy version {}.{} is not supported, only 1.0, 2.0 and 3.0",
                                  where, major, minor));
  }
  NpyPreamble preamble;
  preamble.text_size = major == 1 ? cursor.Get<std::uint16_t>() : cursor.Get<std::uint32_t>();
  preamble.text_offset = major == 1 ? 10 : 12;
  if (preamble.text_size > kMaxHeaderSize) {
    throw FormatError(fmt::format("{}: the .npy header claims {} bytes, more than the limit of {}",
                                  where, preamble.text_size, kMaxHeaderSize));
  }
  return preamble;
}

void CheckNpySize(const ArrayInfo& info, std::uint64_t data_offset, std::uint64_t total,
                  const std::string& where) {
  const std::uint64_t expected = CheckedByteCount(info, where);
  if (info.type == ElementType::kUnsupported) return;
  const std::uint64_t actual = total - data_offset;
  if (actual < expected) {
    throw FormatError(fmt::format("{}: is truncated: {} needs {} bytes of data, but {} are there",
                                  where, Describe(info), expected, actual));
  }
  if (actual > expected) {
    throw FormatError(
        fmt::format("{}: has {} bytes after its data: {} needs {} bytes, but {} are "
                    "there",
                    where, actual - expected, Describe(info), expected, actual));
  }
}

ArrayTable ReadNpyTable(const ByteSource& source) {
  const std::string& where = source.name();
  const NpyPreamble preamble = ParseNpyPreamble(
      source.ReadString(0, std::min<std::uint64_t>(source.size(), kNpyPreambleSize)), where);
  if (preamble.data_offset() > source.size()) {
    throw FormatError(
        fmt::format("{}: is truncated: the .npy header ends at byte {}, but the file "
                    "after {}",
                    where, preamble.data_offset(), source.size()));
  }
  NpyHeader header =
      ParseNpyHeader(source.ReadString(preamble.text_offset, preamble.text_size), where);
  if (!header.dtype.refusal.empty())
    throw FormatError(fmt::format("{}: {}", where, header.dtype.refusal));

  ArrayInfo info{"", std::move(header.shape), header.dtype.type};
  CheckNpySize(info, preamble.data_offset(), source.size(), where);
  Payload payload;
  payload.offset = preamble.data_offset();
  payload.fortran_order = header.fortran_order;
  payload.swap_bytes = header.dtype.swap_bytes;
  ArrayTable table;
  table.Add(std::move(info), std::move(payload));
  return table;
}

}  // namespace alcedo::internal
