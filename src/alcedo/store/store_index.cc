#include "alcedo/store/store_index.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/utf8.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"

namespace alcedo::internal {
namespace {

// Writes a .csv of any length without holding it in memory.
class CsvFile {
 public:
  explicit CsvFile(const std::filesystem::path& path) : file_(path) {}
  void Write(std::initializer_list<std::string_view> fields) {
    AppendCsvRecord(buffer_, fields);
    if (buffer_.size() >= kFlush) Flush();
  }
  void Commit() {
    Flush();
    file_.Commit();
  }

 private:
  static constexpr std::size_t kFlush = 1 << 20;
  void Flush() {
    file_.Write(buffer_);
    buffer_.clear();
  }

  AtomicFile file_;
  std::string buffer_;
};

}  // namespace

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

void StoreIndex::Add(Index shard, std::span<const StoreEntry> entries,
                     const std::string& npy_hash) {
  const auto begin = static_cast<std::uint32_t>(records_.size());
  std::int32_t row = 0;
  for (const StoreEntry& entry : entries) AddOne(shard, entry, entry.failure.empty() ? row++ : -1);
  rows_ += row;
  shards_[shard] = {begin, static_cast<std::uint32_t>(records_.size()), npy_hash};
  while (HasShard(first_free_)) ++first_free_;
}

void StoreIndex::AddOne(Index shard, const StoreEntry& entry, std::int32_t row) {
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
                      static_cast<std::uint32_t>(shard), entry.bytes, entry.patches, row, true});
  if (row < 0) failed_.push_back(id);

  if (const auto found = last_of_name_.find(entry.name); found != last_of_name_.end()) {
    Record& other = records_[*found];
    if (other.shard > shard) {  // this shard fills a gap
      records_[id].valid = false;
      return;
    }
    other.valid = false;
    if (other.row < 0) CountFailure(-1);
    last_of_name_.erase(found);
  }
  last_of_name_.insert(id);
  if (row < 0) CountFailure(+1);
}

void StoreIndex::CountFailure(int change) {
  failures_ += static_cast<std::size_t>(change);
  ++failure_changes_;
}

StoreIndex::Entry StoreIndex::Get(std::uint32_t record) const {
  const Record& r = records_[record];
  const char* hash = r.text + r.name_size;
  return {{r.text, r.name_size},
          {hash, r.hash_size},
          {hash + r.hash_size, r.failure_size},
          r.shard,
          r.row,
          r.bytes,
          r.patches};
}

std::vector<StoreIndex::Entry> StoreIndex::ValidFailures() const {
  std::vector<Entry> failures;
  for (const std::uint32_t record : failed_) {
    if (records_[record].valid) failures.push_back(Get(record));
  }
  // Those of a shard were added in their order.
  std::ranges::stable_sort(failures, {}, &Entry::shard);
  return failures;
}

bool StoreIndex::Has(std::string_view name, std::string_view hash) const {
  const auto found = last_of_name_.find(name);
  return found != last_of_name_.end() && Get(*found).hash == hash;
}

Index StoreIndex::LastShardOf(std::string_view name) const {
  const auto found = last_of_name_.find(name);
  return found == last_of_name_.end() ? -1 : Index{records_[*found].shard};
}

std::vector<Index> StoreIndex::Missing() const {
  std::vector<Index> missing;
  Index next = first_free_;
  for (auto shard = shards_.lower_bound(first_free_); shard != shards_.end(); ++shard, ++next) {
    for (; next < shard->first; ++next) missing.push_back(next);
  }
  return missing;
}

void WriteIndexCsv(const std::filesystem::path& path, const StoreIndex& index) {
  CsvFile file(path);
  file.Write({"name", "shard", "row", "hash"});
  index.VisitValid([&](const StoreIndex::Entry& entry) {
    if (entry.row < 0) return;
    file.Write({EscapeText(entry.name), std::to_string(entry.shard), std::to_string(entry.row),
                EscapeText(entry.hash)});
  });
  file.Commit();
}

void WriteFailuresCsv(const std::filesystem::path& path, const StoreIndex& index) {
  CsvFile file(path);
  file.Write({"name", "reason"});
  for (const StoreIndex::Entry& entry : index.ValidFailures()) {
    file.Write({EscapeText(entry.name), EscapeText(entry.failure)});
  }
  file.Commit();
}

}  // namespace alcedo::internal
