// What a store knows of its images, in memory: about 175 bytes each, at names of 40.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
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

  // The entries of the next shard.
  void Add(std::span<const StoreEntry> entries);

  struct Entry {
    std::string_view name, hash, failure;  // live as long as the index
    Index shard = 0;
    Index row = 0;  // -1: it failed
    std::int64_t bytes = 0;
    std::int64_t patches = 0;
  };

  // Entries that were added; some may not count any more.
  std::size_t entries() const { return records_.size(); }
  Entry Get(std::size_t entry) const;
  // No later entry has its name.
  bool Counts(std::size_t entry) const;
  bool Has(std::string_view name, std::string_view hash) const;

  Index shards() const { return shards_; }
  Index rows() const { return rows_; }
  // The entries that failed, in order; not all may count.
  const std::vector<std::uint32_t>& failed() const { return failed_; }
  // Those that count.
  std::size_t failures() const { return failures_; }
  // Grows with every change of the list of failures that count.
  std::size_t failure_changes() const { return failure_changes_; }

 private:
  // Name, hash and failure lie one after the other in `arena_`.
  struct Record {
    const char* text;
    std::uint32_t name_size, hash_size, failure_size;
    std::uint32_t shard;
    std::int64_t bytes, patches;
    std::int32_t row;
    bool counts;
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
  void AddOne(const StoreEntry& entry, std::int32_t row);

  std::pmr::monotonic_buffer_resource arena_;
  std::vector<Record> records_;
  std::pmr::unordered_set<std::uint32_t, Hash, Equal> last_of_name_;
  Index shards_ = 0;
  Index rows_ = 0;
  std::vector<std::uint32_t> failed_;
  std::size_t failures_ = 0;
  std::size_t failure_changes_ = 0;
};

}  // namespace alcedo::internal
