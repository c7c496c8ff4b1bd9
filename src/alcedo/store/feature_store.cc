#include "alcedo/store/feature_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/utf8.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/store/store_folder.h"
#include "alcedo/store/store_format.h"
#include "alcedo/store/store_index.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

using internal::FolderContents;
using internal::ShardName;
using internal::ShardRecord;
using internal::StoreIndex;

constexpr std::string_view kChanged = "was changed: its hash is not that in its .json";
constexpr std::int64_t kMaxJsonBytes = std::int64_t{1} << 30;

ElementType ElementOf(const StoreHeader& header) {
  return header.type == ValueType::kFloat32 ? ElementType::kFloat32 : ElementType::kFloat64;
}

std::vector<Index> ShardShape(const StoreHeader& header, Index rows) {
  std::vector<Index> shape{rows};
  shape.insert(shape.end(), header.shape.begin(), header.shape.end());
  return shape;
}

[[noreturn]] void ThrowDamaged(Index shard, const FormatError& error) {
  throw FormatError(error.file(), fmt::format("{}; remove {}.npy and {}.json, then run again",
                                              error.reason(), ShardName(shard), ShardName(shard)));
}

void CheckEntries(const StoreHeader& header, std::span<const StoreEntry> entries) {
  const auto count = static_cast<Index>(entries.size());
  if (count < 1 || count > header.images_per_shard) {
    throw InvalidArgument(
        fmt::format("a shard must have 1 to {} images, got {}", header.images_per_shard, count));
  }
  for (const StoreEntry& entry : entries) {
    if (entry.name.empty()) throw InvalidArgument("an image of a shard must have a name, got ''");
    if (entry.bytes >= 0 && entry.patches >= 0) continue;
    throw InvalidArgument(fmt::format("{}: bytes and patches must be >= 0, got {} and {}",
                                      internal::EscapeText(entry.name), entry.bytes,
                                      entry.patches));
  }
}

// The FormatError that check() throws, if any, for each of the shards. What the system refuses to
// read is not known to be damaged, and ends the check.
std::vector<std::optional<Failure>> CheckEach(const std::vector<Index>& shards, int threads,
                                              const std::function<void(Index)>& check) {
  std::vector<std::optional<Failure>> found(shards.size());
  ParallelFor(std::ssize(shards), threads, [&](Index i) {
    try {
      check(shards[static_cast<std::size_t>(i)]);
    } catch (const FormatError& error) {
      found[static_cast<std::size_t>(i)] = Failure{error.file(), error.reason()};
    }
  });
  return found;
}

}  // namespace

struct FeatureStore::Impl {
  explicit Impl(const fs::path& folder_path) : folder(folder_path) {}

  fs::path folder;
  internal::Lock lock;
  bool writable = false;
  Share share;
  StoreHeader header;
  std::string config_hash;
  std::unique_ptr<StoreIndex> index = std::make_unique<StoreIndex>();
  std::size_t failure_changes_written = 0;  // when failures.csv was written

  fs::path ShardFile(Index shard, std::string_view ending) const {
    return folder / (ShardName(shard) + std::string(ending));
  }

  void SetHeader(StoreHeader stored) {
    header = std::move(stored);
    config_hash = internal::ConfigHash(header);
  }
  void ReadHeader() {
    const fs::path file = folder / internal::kStoreFile;
    SetHeader(internal::ParseStoreText(ReadFileBytes(file, kMaxJsonBytes), file.string()));
  }

  // Those that are not known yet. A damaged one is a FormatError that says how to repair the store.
  void ReadShards(const std::vector<Index>& shards) {
    for (const Index shard : shards) {
      if (index->HasShard(shard)) continue;
      try {
        const ShardRecord record = ReadRecord(shard);
        CheckArray(shard, internal::CountRows(record.entries));
        index->Add(shard, record.entries, record.npy_hash);
      } catch (const FormatError& error) {
        ThrowDamaged(shard, error);
      }
    }
  }

  ShardRecord ReadRecord(Index shard) const {
    const fs::path file = ShardFile(shard, ".json");
    const std::string name = file.string();
    ShardRecord record = internal::ParseShardText(ReadFileBytes(file, kMaxJsonBytes), name);
    if (record.number != shard) {
      throw FormatError(name, fmt::format("is the record of shard {}", record.number));
    }
    if (record.config_hash != config_hash) {
      throw FormatError(name, "is of a store with another config");
    }
    const auto images = static_cast<Index>(record.entries.size());
    if (images < 1 || images > header.images_per_shard) {
      throw FormatError(name, fmt::format("has {} images, but a shard has 1 to {}", images,
                                          header.images_per_shard));
    }
    return record;
  }

  // By its header and its size alone: a store of terabytes opens in seconds.
  void CheckArray(Index shard, Index rows) const {
    const fs::path file = ShardFile(shard, ".npy");
    std::error_code error;
    // A file that may not be looked at is an IoError of whoever opens it.
    if (!fs::exists(file, error) && !error) {
      throw FormatError(file.string(), "is missing, but its .json is there");
    }
    const ArrayReader reader = ArrayReader::Open(file);
    const std::vector<Index> shape = ShardShape(header, rows);
    const bool fits = reader.arrays().size() == 1 && reader.arrays()[0].shape == shape &&
                      reader.arrays()[0].type == ElementOf(header);
    if (fits) return;
    throw FormatError(file.string(),
                      fmt::format("must hold shape ({}) of {}, as its .json and store.json say",
                                  fmt::join(shape, ", "), Name(header.type)));
  }

  void RequireWritable() const {
    if (writable) return;
    throw InvalidArgument(
        fmt::format("{} must be opened to append to be written to", folder.string()));
  }

  void WriteFailures() {
    internal::WriteFailuresCsv(folder / internal::kFailuresFile, *index);
    failure_changes_written = index->failure_changes();
  }

  // Whoever looks into a run that was killed finds its failures. The whole list is written, so that
  // it is never cut off; if it is long only when it has changed by a sixteenth, so that shards do
  // not become slower with every failure. The shards themselves always have all of them.
  void UpdateFailures() {
    constexpr std::size_t kShort = 1024;
    const std::size_t changes = index->failure_changes() - failure_changes_written;
    if (changes > 0 && (index->failures() <= kShort || changes >= index->failures() / 16)) {
      WriteFailures();
    }
  }

  void CheckValues(Index shard, const std::string& npy_hash) const {
    const fs::path file = ShardFile(shard, ".npy");
    if (FileHash(file) != npy_hash) throw FormatError(file.string(), std::string(kChanged));
  }

  // The largest number of a shard that has one of the names; -1: none has.
  Index LastShardOf(std::span<const StoreEntry> entries) const {
    Index last = -1;
    for (const StoreEntry& e : entries) last = std::max(last, index->LastShardOf(e.name));
    return last;
  }
};

FeatureStore::FeatureStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FeatureStore::FeatureStore(FeatureStore&&) noexcept = default;
FeatureStore& FeatureStore::operator=(FeatureStore&&) noexcept = default;
FeatureStore::~FeatureStore() = default;

FeatureStore FeatureStore::OpenToAppend(const fs::path& folder, const StoreHeader& header,
                                        const Share& share) {
  StoreHeader wanted = internal::NormalizedHeader(header);
  Require(share.ranks >= 1, "share.ranks", ">= 1", static_cast<double>(share.ranks));
  Require(share.rank >= 0 && share.rank < share.ranks, "share.rank",
          fmt::format(">= 0 and < {}", share.ranks), static_cast<double>(share.rank));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    throw IoError(folder.string(),
                  "cannot be made: " + (error ? error.message() : std::string("not a folder")));
  }
  auto impl = std::make_unique<Impl>(folder);
  impl->writable = true;
  impl->share = share;
  std::vector<Index> shards;
  {
    const internal::Lock others_wait = internal::Lock::OfFolder(folder);
    const FolderContents found = internal::ListFolder(folder);
    if (found.has_store) {
      impl->ReadHeader();
      internal::CheckSameHeader(folder, impl->header, wanted);
    } else if (!found.files.empty()) {
      throw InvalidArgument(fmt::format(
          "{} is not a feature store: it holds {}, but no store.json; choose another folder",
          folder.string(), internal::EscapeText(found.files[0])));
    } else {
      impl->SetHeader(std::move(wanted));
      WriteWholeFile(folder / internal::kStoreFile, internal::StoreText(impl->header));
    }
    impl->lock = internal::Lock::OfWriter(folder, share);
    // Listed again, since nobody else writes these shards any more.
    FolderContents own = internal::ListFolder(folder);
    for (const FolderContents::Leftover& leftover : own.leftovers) {
      if (leftover.shard >= 0 && !share.Has(leftover.shard)) continue;
      internal::RemoveFile(folder / leftover.name);
    }
    shards = std::move(own.shards);
  }
  impl->ReadShards(shards);
  return FeatureStore(std::move(impl));
}

FeatureStore FeatureStore::OpenToRead(const fs::path& folder) {
  auto impl = std::make_unique<Impl>(folder);
  const FolderContents found = internal::ListFolder(folder);
  if (!found.has_store) {
    throw InvalidArgument(
        fmt::format("{} is not a feature store: it has no store.json", folder.string()));
  }
  impl->ReadHeader();
  impl->ReadShards(found.shards);
  return FeatureStore(std::move(impl));
}

const StoreHeader& FeatureStore::header() const { return impl_->header; }
Index FeatureStore::shards() const { return impl_->index->end(); }
bool FeatureStore::HasShard(Index shard) const { return impl_->index->HasShard(shard); }
std::vector<Index> FeatureStore::Missing() const { return impl_->index->Missing(); }
Index FeatureStore::size() const { return impl_->index->rows(); }

bool FeatureStore::Has(std::string_view name, std::string_view hash) const {
  return impl_->index->Has(name, hash);
}

std::vector<PlannedShard> FeatureStore::Plan(std::span<const std::string> names) const {
  const StoreIndex& index = *impl_->index;
  std::vector<PlannedShard> mine;
  std::set<Index> taken;
  std::unordered_map<std::string_view, Index> planned;  // the last shard of a name
  const auto total = static_cast<Index>(names.size());
  for (Index begin = 0; begin < total; begin += impl_->header.images_per_shard) {
    const Index size = std::min<Index>(impl_->header.images_per_shard, total - begin);
    const auto list =
        names.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    Index number = index.first_free();
    for (const std::string& name : list) {
      number = std::max(number, index.LastShardOf(name) + 1);
      if (const auto other = planned.find(name); other != planned.end()) {
        number = std::max(number, other->second + 1);
      }
    }
    while (index.HasShard(number) || taken.contains(number)) ++number;
    taken.insert(number);
    for (const std::string& name : list) planned[name] = number;
    if (impl_->share.Has(number)) mine.push_back({number, begin, size});
  }
  return mine;
}

void FeatureStore::Append(std::span<const StoreEntry> entries, const ShardValues& values) {
  Index number = std::max(impl_->index->first_free(), impl_->LastShardOf(entries) + 1);
  while (impl_->index->HasShard(number) || !impl_->share.Has(number)) ++number;
  Append(number, entries, values);
}

void FeatureStore::Append(Index shard, std::span<const StoreEntry> entries,
                          const ShardValues& values) {
  impl_->RequireWritable();
  const StoreHeader& header = impl_->header;
  CheckEntries(header, entries);
  const auto require = [&](bool ok, const std::string& rule) {
    if (!ok) throw InvalidArgument("shard", rule, fmt::format("{}", shard));
  };
  require(shard >= 0 && impl_->share.Has(shard),
          fmt::format("must be {} modulo {}", impl_->share.rank, impl_->share.ranks));
  require(!impl_->index->HasShard(shard), "must be one that is not there");
  require(shard > impl_->LastShardOf(entries), "must be later than the shards of its images");
  const Index images = internal::CountRows(entries);
  std::string storage;
  const std::string_view bytes =
      values.Bytes(header.type, images, internal::RowSize(header), storage);
  const std::string npy = NpyBytes({"", ShardShape(header, images), ElementOf(header), bytes});
  const ShardRecord record{
      shard, impl_->config_hash, ContentHash(npy), {entries.begin(), entries.end()}};
  WriteWholeFile(impl_->ShardFile(shard, ".npy"), npy);
  WriteWholeFile(impl_->ShardFile(shard, ".json"), internal::ShardText(record));
  impl_->index->Add(shard, entries, record.npy_hash);
  if (impl_->share.ranks == 1) impl_->UpdateFailures();
}

std::vector<Index> FeatureStore::Finish() {
  impl_->RequireWritable();
  internal::Lock others_wait;
  if (impl_->share.ranks > 1) {
    // Whoever comes last sees the shards of all.
    others_wait = internal::Lock::OfFolder(impl_->folder);
    impl_->ReadShards(internal::ListFolder(impl_->folder).shards);
  }
  std::vector<Index> missing = Missing();
  if (impl_->share.ranks > 1 && !missing.empty()) return missing;
  internal::WriteIndexCsv(impl_->folder / internal::kIndexFile, *impl_->index);
  impl_->WriteFailures();
  return missing;
}

std::vector<StoredImage> FeatureStore::Images() const {
  std::vector<StoredImage> images;
  impl_->index->VisitValid([&](const StoreIndex::Entry& entry) {
    if (entry.row < 0) return;
    images.push_back(
        {std::string(entry.name), std::string(entry.hash), entry.shard, entry.row, entry.patches});
  });
  return images;
}

std::vector<Failure> FeatureStore::Failures() const {
  std::vector<Failure> failures;
  for (const StoreIndex::Entry& entry : impl_->index->ValidFailures()) {
    failures.push_back({std::string(entry.name), std::string(entry.failure)});
  }
  return failures;
}

std::vector<Failure> FeatureStore::RemoveDamaged(int threads) {
  impl_->RequireWritable();
  std::vector<Index> shards;
  for (Index shard = 0; shard < impl_->index->end(); ++shard) {
    if (impl_->index->HasShard(shard) && impl_->share.Has(shard)) shards.push_back(shard);
  }
  const auto found = CheckEach(shards, threads, [&](Index shard) {
    impl_->CheckValues(shard, impl_->index->NpyHash(shard));
  });
  std::vector<Failure> damaged;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (!found[i]) continue;
    damaged.push_back(*found[i]);
    // The record first: an array without one is a leftover.
    internal::RemoveFile(impl_->ShardFile(shards[i], ".json"));
    internal::RemoveFile(impl_->ShardFile(shards[i], ".npy"));
  }
  if (damaged.empty()) return damaged;
  // What the entries of these shards had replaced is valid again.
  impl_->index = std::make_unique<StoreIndex>();
  impl_->failure_changes_written = 0;
  impl_->ReadShards(internal::ListFolder(impl_->folder).shards);
  return damaged;
}

StoreCheck CheckStore(const fs::path& folder, int threads) {
  FeatureStore::Impl impl(folder);
  const std::vector<Index> shards = internal::ListFolder(folder).shards;
  StoreCheck check;
  try {
    impl.ReadHeader();
  } catch (const FileError& error) {
    check.damaged.push_back({error.file(), error.reason()});
    return check;
  }
  const auto found = CheckEach(shards, threads, [&](Index shard) {
    try {
      const ShardRecord record = impl.ReadRecord(shard);
      impl.CheckArray(shard, internal::CountRows(record.entries));
      impl.CheckValues(shard, record.npy_hash);
    } catch (const IoError& error) {
      throw FormatError(error.file(), error.reason());
    }
  });
  for (const std::optional<Failure>& damaged : found) {
    if (damaged) {
      check.damaged.push_back(*damaged);
    } else {
      ++check.whole;
    }
  }
  return check;
}

std::string FeatureStore::ReadShardBytes(Index shard) const {
  const StoreHeader& header = impl_->header;
  if (shard < 0 || shard >= shards()) {
    throw InvalidArgument(
        "shard",
        fmt::format("must be >= 0 and < {}, as many as {} has", shards(), impl_->folder.string()),
        fmt::format("{}", shard));
  }
  const fs::path file = impl_->ShardFile(shard, ".npy");
  if (!HasShard(shard)) throw IoError(file.string(), "is missing: its writer has not written it");
  constexpr std::int64_t kMaxNpyHeader = 1 << 20;
  const Index most = header.images_per_shard * internal::RowBytes(header) + kMaxNpyHeader;
  std::string bytes = ReadFileBytes(file, most);
  if (ContentHash(bytes) != impl_->index->NpyHash(shard)) {
    ThrowDamaged(shard, FormatError(file.string(), std::string(kChanged)));
  }
  return bytes;
}

Rows FeatureStore::ReadShard(Index shard) const {
  std::string bytes = ReadShardBytes(shard);
  const std::string name = impl_->ShardFile(shard, ".npy").string();
  Rows rows = ArrayReader::FromBytes(std::move(bytes), name).ReadRows(0);
  const Index row_size = internal::RowSize(impl_->header);
  rows.resize(rows.size() / row_size, row_size);  // keeps the values: their number is the same
  return rows;
}

}  // namespace alcedo
