// shard-NNNNNN.json: what the rows of a shard belong to.
#pragma once

#include <string>
#include <vector>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

struct ShardRecord {
  Index number = 0;
  std::string config_hash;  // of the store it belongs to
  std::string npy_hash;     // of the whole .npy
  std::vector<StoreEntry> entries;
};

// One image a line. The last field is the hash of all bytes before it.
std::string ShardText(const ShardRecord& shard);
// FormatError that `where` opens.
ShardRecord ParseShardText(const std::string& text, const std::string& where);

}  // namespace alcedo::internal
