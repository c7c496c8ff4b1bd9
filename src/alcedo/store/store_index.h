// What a store knows of its images, in memory: about 175 bytes each, at names of 40; and the tables
// for people and scripts that are made of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

class StoreIndex {
 public:
  StoreIndex();
  StoreIndex(const StoreIndex&) = delete;
  StoreIndex& operator=(const StoreIndex&) = delete;

  // The entries of a shard that is not there yet, in any order of shards; the hash of its array.
  void Add(Index shard, std::span<const StoreEntry> entries, const std::string& npy_hash);

  struct Entry {
    std::string_view name, hash, failure;  // live as long as the index
    Index shard = 0;
    Index row = 0;  // -1: it failed
    std::int64_t bytes = 0;
    std::int64_t patches = 0;
  };

  // All entries that no later one of the same name replaces, in the order of the shards.
  template <class Visitor>
  void VisitValid(Visitor&& visit) const {
    for (const auto& [number, shard] : shards_) {
      for (std::uint32_t i = shard.begin; i < shard.end; ++i) {
        if (records_[i].valid) visit(Get(i));
      }
    }
  }
  // The failures among them. Fast if there are few.
  std::vector<Entry> ValidFailures() const;

  bool Has(std::string_view name, std::string_view hash) const;
  // The last shard that has an entry of that name; -1: none.
  Index LastShardOf(std::string_view name) const;

  bool HasShard(Index shard) const { return shards_.contains(shard); }
  const std::string& NpyHash(Index shard) const { return shards_.at(shard).npy_hash; }
  // One more than the largest number of a shard.
  Index end() const { return shards_.empty() ? 0 : shards_.rbegin()->first + 1; }
  // The lowest number of a shard that is not there.
  Index first_free() const { return first_free_; }
  std::vector<Index> Missing() const;
  Index rows() const { return rows_; }
  // The number of valid failures.
  std::size_t failures() const { return failures_; }
  // Grows with every change of the list of valid failures.
  std::size_t failure_changes() const { return failure_changes_; }

 private:
  // Name, hash and failure lie one after the other in `arena_`.
  struct Record {
    const char* text;
    std::uint32_t name_size, hash_size, failure_size;
    std::uint32_t shard;
    std::int64_t bytes, patches;
    std::int32_t row;
    bool valid;
  };
  struct Shard {
    std::uint32_t begin, end;  // records
    std::string npy_hash;
  };

  // Finds records by name, without a copy of it.
  struct Hash {
    using is_transparent = void;
    const StoreIndex* index;
    std::size_t operator()(std::string_view name) const;
    std::size_t operator()(std::uint32_t record) const;
  };
  struct Equal {
    using is_transparent = void;
    const StoreIndex* index;
    bool operator()(std::uint32_t a, std::uint32_t b) const;
    bool operator()(std::string_view name, std::uint32_t record) const;
    bool operator()(std::uint32_t record, std::string_view name) const;
  };

  std::string_view NameOf(std::uint32_t record) const;
  Entry Get(std::uint32_t record) const;
  void AddOne(Index shard, const StoreEntry& entry, std::int32_t row);
  void CountFailure(int change);

  std::pmr::monotonic_buffer_resource arena_;
  std::vector<Record> records_;
  std::map<Index, Shard> shards_;
  std::pmr::unordered_set<std::uint32_t, Hash, Equal> last_of_name_;
  Index first_free_ = 0;
  Index rows_ = 0;
  std::vector<std::uint32_t> failed_;  // some may not be valid any more
  std::size_t failures_ = 0;
  std::size_t failure_changes_ = 0;
};

// Nothing of these is read back: the shards know it all.
void WriteIndexCsv(const std::filesystem::path& path, const StoreIndex& index);
void WriteFailuresCsv(const std::filesystem::path& path, const StoreIndex& index);

}  // namespace alcedo::internal
