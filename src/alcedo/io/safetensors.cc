#include "alcedo/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/io/byte_order.h"
#include "alcedo/io/safetensors_header.h"

namespace alcedo::internal {
namespace {

constexpr std::uint64_t kLengthSize = 8;
constexpr std::uint64_t kMaxHeaderSize = 100'000'000;  // the limit of the format's own library

ElementType TypeOf(std::string_view dtype) {
  for (const auto& [name, type] : kSafetensorsTypes) {
    if (name == dtype) return type;
  }
  return ElementType::kUnsupported;
}

std::string ReadHeaderText(const ByteSource& source) {
  const std::string length = source.ReadString(0, kLengthSize);
  const auto size = LoadLittle<std::uint64_t>(length.data());
  if (size > kMaxHeaderSize) {
    throw FormatError(
        fmt::format("{}: the safetensors header claims {} bytes, more than the limit "
                    "of {}",
                    source.name(), size, kMaxHeaderSize));
  }
  if (size > source.size() - kLengthSize) {
    throw FormatError(
        fmt::format("{}: is truncated: the safetensors header claims {} bytes, but {} "
                    "are there",
                    source.name(), size, source.size() - kLengthSize));
  }
  return source.ReadString(kLengthSize, size);
}

void CheckSize(const ArrayInfo& info, const SafetensorsEntry& entry, const std::string& where) {
  const std::uint64_t expected = CheckedByteCount(info, where);
  if (entry.end < entry.begin) {
    throw FormatError(
        fmt::format("{}: its data_offsets [{}, {}] run backwards", where, entry.begin, entry.end));
  }
  const std::uint64_t actual = entry.end - entry.begin;
  if (info.type != ElementType::kUnsupported && actual != expected) {
    throw FormatError(fmt::format("{}: {} needs {} bytes, but its data_offsets [{}, {}] span {}",
                                  where, Describe(info), expected, entry.begin, entry.end, actual));
  }
}

// Arrays side by side from the first byte of the data to the last.
void CheckCoverage(const std::vector<SafetensorsEntry>& entries, std::uint64_t data_size,
                   const std::string& file) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(entries[a].begin, entries[a].end) <
           std::pair(entries[b].begin, entries[b].end);
  });
  std::uint64_t covered = 0;
  for (const std::size_t i : order) {
    const SafetensorsEntry& entry = entries[i];
    if (entry.begin != covered) {
      throw FormatError(
          fmt::format("{}: begins at byte {} of the data, {} the one before it, which "
                      "ends at {}",
                      Where(file, entry.name), entry.begin,
                      entry.begin < covered ? "inside" : "with a hole after", covered));
    }
    covered = entry.end;
  }
  if (covered > data_size) {
    throw FormatError(
        fmt::format("{}: is truncated: its arrays need {} bytes of data, but {} are "
                    "there",
                    file, covered, data_size));
  }
  if (covered < data_size) {
    throw FormatError(
        fmt::format("{}: has {} bytes after its data: its arrays need {} bytes, but "
                    "{} are there",
                    file, data_size - covered, covered, data_size));
  }
}

}  // namespace

ArrayTable ReadSafetensorsTable(const ByteSource& source) {
  const std::string text = ReadHeaderText(source);
  SafetensorsHeader header = ParseSafetensorsHeader(text, source.name());
  const std::uint64_t data_offset = kLengthSize + text.size();

  std::vector<ArrayInfo> infos;
  infos.reserve(header.entries.size());
  for (SafetensorsEntry& entry : header.entries) {
    infos.push_back({entry.name, std::move(entry.shape), TypeOf(entry.dtype)});
    CheckSize(infos.back(), entry, Where(source.name(), entry.name));
  }
  CheckCoverage(header.entries, source.size() - data_offset, source.name());

  ArrayTable table;
  table.metadata = std::move(header.metadata);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Payload payload;
    payload.offset = data_offset + header.entries[i].begin;
    payload.swap_bytes = std::endian::native != std::endian::little;
    if (infos[i].type == ElementType::kUnsupported) {
      payload.refusal = fmt::format("dtype {} is not supported; save the array as F32",
                                    Quote(header.entries[i].dtype));
    }
    table.Add(std::move(infos[i]), std::move(payload));
  }
  return table;
}

}  // namespace alcedo::internal
