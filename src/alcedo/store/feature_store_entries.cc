#include "alcedo/store/feature_store_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "alcedo/base/error.h"
#include "alcedo/store/feature_store_header.h"
#include "alcedo/base/escape.h"

namespace alcedo::internal {
namespace {

// The first value that is no number, counted from the start of `values`; -1 where all are.
template <typename T>
Index FirstNotFinite(std::string_view values) {
  for (std::size_t i = 0; i < values.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, values.data() + i, sizeof(T));
    if (!std::isfinite(value)) return static_cast<Index>(i / sizeof(T));
  }
  return -1;
}

}  // namespace

Index CountRows(std::span<const StoreEntry> entries) {
  return std::count_if(entries.begin(), entries.end(),
                       [](const StoreEntry& entry) { return entry.failure.empty(); });
}

void CheckEntries(const StoreHeader& header, std::span<const StoreEntry> entries,
                  std::string_view values) {
  const auto count = static_cast<Index>(entries.size());
  if (count < 1 || count > header.images_per_shard) {
    throw InvalidArgument(
        fmt::format("a shard must have 1 to {} images, got {}", header.images_per_shard, count));
  }
  for (const StoreEntry& entry : entries) {
    if (entry.name.empty()) throw InvalidArgument("an image of a shard must have a name, got ''");
    if (entry.bytes >= 0 && entry.patches >= 0) continue;
    throw InvalidArgument(fmt::format("{}: bytes and patches must be >= 0, got {} and {}",
                                      EscapeText(entry.name), entry.bytes, entry.patches));
  }
  const Index row_bytes = RowBytes(header);
  const Index expected = CountRows(entries) * row_bytes;
  if (static_cast<Index>(values.size()) != expected) {
    throw InvalidArgument(
        fmt::format("the values of a shard must have {} bytes, got {}", expected, values.size()));
  }
  const bool is_float = header.type == ValueType::kFloat32;
  const Index bad = is_float ? FirstNotFinite<float>(values) : FirstNotFinite<double>(values);
  if (bad < 0) return;
  const Index row_size = row_bytes / (is_float ? 4 : 8);
  throw InvalidArgument(
      fmt::format("the values of a shard must be finite; row {}, column {} is NaN or infinite",
                  bad / row_size, bad % row_size));
}

}  // namespace alcedo::internal
