// What has been committed to a store: read and checked when it is opened, kept in step later.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/io/array.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/store/feature_store_index.h"
#include "alcedo/store/feature_store_shard.h"

namespace alcedo::internal {

// Of the array of a shard.
std::vector<Index> ShardShape(const StoreHeader& header, Index rows);
ElementType ElementOf(const StoreHeader& header);

struct StoreContents {
  explicit StoreContents(const std::filesystem::path& folder_path) : folder(folder_path) {}

  std::filesystem::path folder;
  StoreHeader header;
  std::string config_hash;
  StoreIndex index;
  std::vector<std::string> npy_hashes;  // of every shard

  std::filesystem::path ShardFile(Index shard, std::string_view ending) const;

  void SetHeader(StoreHeader stored);
  void ReadHeader();

  // Shards 0 to count - 1, which must be there and fit the header. A damaged one is a FormatError
  // that says what mends the store.
  void ReadShards(Index count);

  // One that has just been written.
  void Add(const ShardRecord& record);

  Rows ReadShard(Index shard) const;

 private:
  ShardRecord ReadRecord(Index shard, Index count) const;
  void CheckArray(Index shard, Index rows) const;
};

}  // namespace alcedo::internal
