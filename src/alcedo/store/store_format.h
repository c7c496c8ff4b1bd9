// The texts of a store: store.json, what all shards have in common, and shard-NNNNNN.json, what the
// rows of a shard belong to.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

// Checks the header (InvalidArgument) and gives it as store.json would give it back: config values
// that are the same in JSON become the same text.
StoreHeader NormalizedHeader(const StoreHeader& header);

// Of a normalized header's config.
std::string ConfigHash(const StoreHeader& header);

// The number of values of one image, and their bytes.
Index RowSize(const StoreHeader& header);
Index RowBytes(const StoreHeader& header);

// The text of store.json for a normalized header, and back: FormatError of `file`.
std::string StoreText(const StoreHeader& header);
StoreHeader ParseStoreText(const std::string& text, const std::string& file);

// InvalidArgument that names the first difference. Both are normalized.
void CheckSameHeader(const std::filesystem::path& folder, const StoreHeader& stored,
                     const StoreHeader& wanted);

// Entries that have a row.
Index CountRows(std::span<const StoreEntry> entries);

struct ShardRecord {
  Index number = 0;
  std::string config_hash;  // of the store it belongs to
  std::string npy_hash;     // of the whole .npy
  std::vector<StoreEntry> entries;
};

// One image a line. The last field is the hash of all bytes before it.
std::string ShardText(const ShardRecord& shard);
// FormatError of `file`.
ShardRecord ParseShardText(const std::string& text, const std::string& file);

}  // namespace alcedo::internal
