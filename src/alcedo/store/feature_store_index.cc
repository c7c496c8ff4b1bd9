#include "alcedo/store/feature_store_index.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "alcedo/base/error.h"

namespace alcedo::internal {

std::size_t StoreIndex::Hash::operator()(std::string_view name) const {
  return std::hash<std::string_view>()(name);
}
std::size_t StoreIndex::Hash::operator()(std::uint32_t record) const {
  return (*this)(index->NameOf(record));
}
bool StoreIndex::Equal::operator()(std::uint32_t a, std::uint32_t b) const {
  return a == b || index->NameOf(a) == index->NameOf(b);
}
bool StoreIndex::Equal::operator()(std::string_view name, std::uint32_t record) const {
  return name == index->NameOf(record);
}
bool StoreIndex::Equal::operator()(std::uint32_t record, std::string_view name) const {
  return name == index->NameOf(record);
}

StoreIndex::StoreIndex() : last_of_name_(0, Hash{this}, Equal{this}, &arena_) {}

std::string_view StoreIndex::NameOf(std::uint32_t record) const {
  return {records_[record].text, records_[record].name_size};
}

void StoreIndex::Add(std::span<const StoreEntry> entries) {
  std::int32_t row = 0;
  for (const StoreEntry& entry : entries) AddOne(entry, entry.failure.empty() ? row++ : -1);
  rows_ += row;
  ++shards_;
}

void StoreIndex::AddOne(const StoreEntry& entry, std::int32_t row) {
  if (records_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument("a feature store must have fewer than 2^32 images");
  }
  const auto id = static_cast<std::uint32_t>(records_.size());
  char* text = static_cast<char*>(
      arena_.allocate(entry.name.size() + entry.hash.size() + entry.failure.size(), 1));
  char* end = text;
  for (const std::string* part : {&entry.name, &entry.hash, &entry.failure}) {
    end = std::copy(part->begin(), part->end(), end);
  }
  const auto size = [](const std::string& part) { return static_cast<std::uint32_t>(part.size()); };
  records_.push_back({text, size(entry.name), size(entry.hash), size(entry.failure),
                      static_cast<std::uint32_t>(shards_), entry.bytes, entry.patches, row, true});

  if (const auto before = last_of_name_.find(entry.name); before != last_of_name_.end()) {
    Record& replaced = records_[*before];
    replaced.counts = false;
    if (replaced.row < 0) {
      --failures_;
      ++failure_changes_;
    }
    last_of_name_.erase(before);
  }
  last_of_name_.insert(id);
  if (row < 0) {
    failed_.push_back(id);
    ++failures_;
    ++failure_changes_;
  }
}

StoreIndex::Entry StoreIndex::Get(std::size_t entry) const {
  const Record& record = records_[entry];
  const char* hash = record.text + record.name_size;
  return {{record.text, record.name_size},
          {hash, record.hash_size},
          {hash + record.hash_size, record.failure_size},
          record.shard,
          record.row,
          record.bytes,
          record.patches};
}

bool StoreIndex::Counts(std::size_t entry) const { return records_[entry].counts; }

bool StoreIndex::Has(std::string_view name, std::string_view hash) const {
  const auto found = last_of_name_.find(name);
  return found != last_of_name_.end() && Get(*found).hash == hash;
}

}  // namespace alcedo::internal
