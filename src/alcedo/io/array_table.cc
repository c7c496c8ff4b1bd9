#include "alcedo/io/array_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

std::uint64_t CheckedByteCount(const ArrayInfo& info, std::string_view where) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  const std::uint64_t element = std::max<std::uint64_t>(ElementSize(info.type), 1);
  std::uint64_t product = element;  // of the dimensions that are not zero
  bool empty = false;
  for (const Index dimension : info.shape) {
    if (dimension < 0) {
      throw FormatError(fmt::format("{}: {} has a negative dimension", where, Describe(info)));
    }
    const auto extent = static_cast<std::uint64_t>(dimension);
    empty = empty || extent == 0;
    if (extent > 1 && product > kMax / extent) {
      throw FormatError(fmt::format("{}: {} is larger than any memory; the header is wrong", where,
                                    Describe(info)));
    }
    if (extent > 1) product *= extent;
  }
  if (empty && product / element > kMaxExtentWithoutElements) {
    throw FormatError(fmt::format("{}: {} has no elements, so no other dimension may be that large",
                                  where, Describe(info)));
  }
  return empty ? 0 : product;
}

std::string Describe(const ArrayInfo& info) {
  return fmt::format("shape {} of {}", ShapeText(info.shape), ElementName(info.type));
}

std::string Quote(std::string_view name) {
  constexpr std::size_t kShown = 80;
  std::string text = "'";
  for (const char c : name.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + (name.size() > kShown ? "...'" : "'");
}

std::string Where(const std::string& file, const std::string& array) {
  return array.empty() ? file : fmt::format("{}: array {}", file, Quote(array));
}

}  // namespace alcedo::internal
