// What can be asked of the entries of a shard.
#pragma once

#include <span>
#include <string_view>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

// Entries that have a row.
Index CountRows(std::span<const StoreEntry> entries);

// InvalidArgument unless the entries and the bytes of their values may become a shard.
void CheckEntries(const StoreHeader& header, std::span<const StoreEntry> entries,
                  std::string_view values);

}  // namespace alcedo::internal
