#include "alcedo/io/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/io/element.h"

namespace alcedo::internal {
namespace {

// An array without elements has no bytes to vouch for its other dimensions, yet callers size things
// by them: (2^60, 0) must not become 2^60 rows of weights.
constexpr std::uint64_t kMaxExtentWithoutElements = std::uint64_t{1} << 24;

std::string ShapeText(const std::vector<Index>& shape) {
  constexpr std::size_t kShown = 16;
  std::string text = "(";
  for (std::size_t i = 0; i < std::min(shape.size(), kShown); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  }
  if (shape.size() == 1) text += ",";
  if (shape.size() > kShown) text += fmt::format(", ... {} dimensions", shape.size());
  return text + ")";
}

}  // namespace

std::uint64_t CheckedByteCount(const ArrayInfo& info, const Place& where) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  const std::uint64_t element = std::max<std::uint64_t>(ElementSize(info.type), 1);
  std::uint64_t product = element;  // of the dimensions that are not zero
  bool empty = false;
  for (const Index dimension : info.shape) {
    if (dimension < 0) {
      where.Fail(fmt::format("{} has a negative dimension", Describe(info)));
    }
    const auto extent = static_cast<std::uint64_t>(dimension);
    empty = empty || extent == 0;
    if (extent > 1 && product > kMax / extent) {
      where.Fail(fmt::format("{} is larger than any memory; the header is wrong", Describe(info)));
    }
    if (extent > 1) product *= extent;
  }
  if (empty && product / element > kMaxExtentWithoutElements) {
    where.Fail(
        fmt::format("{} has no elements, so no other dimension may be that large", Describe(info)));
  }
  return empty ? 0 : product;
}

std::string Describe(const ArrayInfo& info) {
  return fmt::format("shape {} of {}", ShapeText(info.shape), ElementName(info.type));
}

Place ArrayPlace(const std::string& file, const std::string& array) {
  return {file, array.empty() ? "" : fmt::format("array {}", Quote(array))};
}

namespace {

template <typename Raw>
void SwapBytes(std::span<Raw> values) {
  for (Raw& value : values) {
    std::array<char, sizeof(Raw)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(Raw));
    std::reverse(bytes.begin(), bytes.end());
    std::memcpy(&value, bytes.data(), sizeof(Raw));
  }
}

template <typename Raw>
std::span<char> AsBytes(std::span<Raw> values) {
  return {reinterpret_cast<char*>(values.data()), values.size_bytes()};
}

// Where row `row` (all dimensions but the last, flattened in C order) begins in Fortran order.
Index FortranOffset(const std::vector<Index>& shape, Index row) {
  Index stride = 1;
  for (std::size_t d = 0; d + 2 < shape.size(); ++d) stride *= shape[d];
  Index offset = 0;
  for (std::size_t d = shape.size() - 1; d-- > 0;) {
    offset += row % shape[d] * stride;
    row /= shape[d];
    if (d > 0) stride /= shape[d - 1];
  }
  return offset;
}

// Takes a few rows at a time: their elements of one column share cache lines on the Fortran side.
template <typename T>
void FortranToC(std::span<const T> in, const std::vector<Index>& shape, std::span<T> out) {
  const Index columns = shape.back();
  const Index rows = static_cast<Index>(out.size()) / columns;
  constexpr Index kRowsAtOnce = 16;
  std::array<Index, kRowsAtOnce> offsets;
  for (Index first = 0; first < rows; first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, rows - first);
    for (Index r = 0; r < count; ++r) offsets[r] = FortranOffset(shape, first + r);
    for (Index c = 0; c < columns; ++c) {
      for (Index r = 0; r < count; ++r) {
        out[(first + r) * columns + c] = in[offsets[r] + c * rows];
      }
    }
  }
}

}  // namespace

PayloadReader::PayloadReader(const ByteSource& file, const ArrayInfo& info, const Payload& payload)
    : info_(info), payload_(payload), source_(&file), offset_(payload.offset) {
  if (!payload.member) return;
  if (payload.member->deflated) {
    inflated_ = ByteSource::FromBytes(InflateMember(file, *payload.member), file.name());
    source_ = inflated_.get();
  } else {
    CheckStoredMember(file, *payload.member);
    offset_ += payload.member->offset;
  }
}

template <typename Raw, typename T, typename Convert>
void PayloadReader::Decode(std::span<T> out, Convert convert) const {
  if constexpr (std::is_same_v<Raw, T>) {
    source_->ReadAt(offset_, AsBytes(out));
    if (payload_.swap_bytes) SwapBytes(out);
  } else {
    std::array<Raw, 8192> chunk;
    for (std::size_t done = 0; done < out.size();) {
      const auto part = std::span(chunk).first(std::min(chunk.size(), out.size() - done));
      source_->ReadAt(offset_ + done * sizeof(Raw), AsBytes(part));
      if (payload_.swap_bytes) SwapBytes(part);
      for (const Raw value : part) out[done++] = static_cast<T>(convert(value));
    }
  }
}

template <typename T>
void PayloadReader::ReadInFileOrder(std::span<T> out) const {
  const auto same = [](auto value) { return value; };
  if constexpr (std::is_floating_point_v<T>) {
    switch (info_.type) {
      case ElementType::kFloat16:
        return Decode<std::uint16_t>(out, HalfToFloat);
      case ElementType::kBfloat16:
        return Decode<std::uint16_t>(out, Bfloat16ToFloat);
      case ElementType::kFloat32:
        return Decode<float>(out, same);
      case ElementType::kFloat64:
        return Decode<double>(out, same);
      default:
        break;
    }
  } else {
    switch (info_.type) {
      case ElementType::kBool:
        return Decode<std::uint8_t>(out, [](std::uint8_t value) { return value != 0; });
      case ElementType::kInt8:
        return Decode<std::int8_t>(out, same);
      case ElementType::kInt16:
        return Decode<std::int16_t>(out, same);
      case ElementType::kInt32:
        return Decode<std::int32_t>(out, same);
      case ElementType::kInt64:
        return Decode<std::int64_t>(out, same);
      case ElementType::kUint8:
        return Decode<std::uint8_t>(out, same);
      case ElementType::kUint16:
        return Decode<std::uint16_t>(out, same);
      case ElementType::kUint32:
        return Decode<std::uint32_t>(out, same);
      case ElementType::kUint64:
        return Decode<std::uint64_t>(out, same);
      default:
        break;
    }
  }
  ArrayPlace(source_->name(), info_.name)
      .Fail(fmt::format("{} is of another kind than what is asked for", Describe(info_)));
}

template <typename T>
void PayloadReader::Read(std::span<T> out) const {
  if (out.empty()) return;
  if (!payload_.fortran_order || info_.shape.size() < 2) return ReadInFileOrder(out);
  std::vector<T> in_file_order(out.size());
  ReadInFileOrder(std::span(in_file_order));
  FortranToC(std::span<const T>(in_file_order), info_.shape, out);
}

template void PayloadReader::Read(std::span<float>) const;
template void PayloadReader::Read(std::span<double>) const;
template void PayloadReader::Read(std::span<std::int64_t>) const;

}  // namespace alcedo::internal
