#include "alcedo/io/array_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

}  // namespace alcedo::internal
