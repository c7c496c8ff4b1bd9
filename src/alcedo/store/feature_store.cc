#include "alcedo/store/feature_store.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/store/feature_store_contents.h"
#include "alcedo/store/feature_store_entries.h"
#include "alcedo/store/feature_store_folder.h"
#include "alcedo/store/feature_store_header.h"
#include "alcedo/store/feature_store_shard.h"
#include "alcedo/store/feature_store_tables.h"
#include "alcedo/base/escape.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

using internal::FolderContents;
using internal::FolderLock;
using internal::ShardRecord;
using internal::StoreIndex;

}  // namespace

struct FeatureStore::Impl {
  explicit Impl(const fs::path& folder) : contents(folder) {}

  FolderLock lock;
  bool writable = false;
  internal::StoreContents contents;
  std::size_t failure_changes_written = 0;  // when failures.csv was written

  void RequireWritable() const {
    if (writable) return;
    throw InvalidArgument(
        fmt::format("{} must be opened to append to be written to", contents.folder.string()));
  }

  void WriteFailures() {
    internal::WriteFailuresCsv(contents.folder / internal::kFailuresFile, contents.index);
    failure_changes_written = contents.index.failure_changes();
  }

  // Whoever looks into a run that was killed finds its failures. The whole list is written, so that
  // it is never cut off; where it is long only when it has changed by a sixteenth, so that shards
  // do not become slower with every failure. The shards themselves always have all of them.
  void UpdateFailures() {
    constexpr std::size_t kShort = 1024;
    const StoreIndex& index = contents.index;
    const std::size_t changes = index.failure_changes() - failure_changes_written;
    if (changes > 0 && (index.failures() <= kShort || changes >= index.failures() / 16)) {
      WriteFailures();
    }
  }
};

FeatureStore::FeatureStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FeatureStore::FeatureStore(FeatureStore&&) noexcept = default;
FeatureStore& FeatureStore::operator=(FeatureStore&&) noexcept = default;
FeatureStore::~FeatureStore() = default;

FeatureStore FeatureStore::OpenToAppend(const fs::path& folder, const StoreHeader& header) {
  StoreHeader wanted = internal::NormalizedHeader(header);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    throw IoError(fmt::format("{}: cannot make this folder: {}", folder.string(),
                              error ? error.message() : "it is no folder"));
  }
  auto impl = std::make_unique<Impl>(folder);
  impl->lock = FolderLock(folder);
  impl->writable = true;
  const FolderContents found = internal::ListFolder(folder);
  if (found.has_store) {
    impl->contents.ReadHeader();
    internal::CheckSameHeader(folder, impl->contents.header, wanted);
    impl->contents.ReadShards(found.shards);
  } else if (!found.files.empty()) {
    throw InvalidArgument(fmt::format(
        "{} is not a feature store: it holds {}, but no store.json; choose another folder",
        folder.string(), internal::EscapeText(found.files[0])));
  }
  for (const std::string& name : found.leftovers) internal::RemoveFile(folder / name);
  if (!found.has_store) {
    impl->contents.SetHeader(std::move(wanted));
    WriteWholeFile(folder / internal::kStoreFile, internal::StoreText(impl->contents.header));
  }
  return FeatureStore(std::move(impl));
}

FeatureStore FeatureStore::OpenToRead(const fs::path& folder) {
  auto impl = std::make_unique<Impl>(folder);
  const FolderContents found = internal::ListFolder(folder);
  if (!found.has_store) {
    throw InvalidArgument(
        fmt::format("{} is not a feature store: it has no store.json", folder.string()));
  }
  impl->contents.ReadHeader();
  impl->contents.ReadShards(found.shards);
  return FeatureStore(std::move(impl));
}

const StoreHeader& FeatureStore::header() const { return impl_->contents.header; }
Index FeatureStore::shards() const { return impl_->contents.index.shards(); }
Index FeatureStore::size() const { return impl_->contents.index.rows(); }

bool FeatureStore::Has(std::string_view name, std::string_view hash) const {
  return impl_->contents.index.Has(name, hash);
}

void FeatureStore::Append(std::span<const StoreEntry> entries, std::string_view values) {
  impl_->RequireWritable();
  internal::StoreContents& contents = impl_->contents;
  internal::CheckEntries(contents.header, entries, values);
  const std::string npy =
      NpyBytes({"", internal::ShardShape(contents.header, internal::CountRows(entries)),
                internal::ElementOf(contents.header), values});
  const ShardRecord record{
      shards(), contents.config_hash, ContentHash(npy), {entries.begin(), entries.end()}};
  WriteWholeFile(contents.ShardFile(shards(), ".npy"), npy);
  WriteWholeFile(contents.ShardFile(shards(), ".json"), internal::ShardText(record));
  contents.Add(record);
  impl_->UpdateFailures();
}

void FeatureStore::Finish() {
  impl_->RequireWritable();
  internal::WriteIndexCsv(impl_->contents.folder / internal::kIndexFile, impl_->contents.index);
  impl_->WriteFailures();
}

std::vector<StoredImage> FeatureStore::Images() const {
  std::vector<StoredImage> images;
  for (std::size_t i = 0; i < impl_->contents.index.entries(); ++i) {
    const StoreIndex::Entry entry = impl_->contents.index.Get(i);
    if (entry.row < 0 || !impl_->contents.index.Counts(i)) continue;
    images.push_back(
        {std::string(entry.name), std::string(entry.hash), entry.shard, entry.row, entry.patches});
  }
  return images;
}

std::vector<StoreEntry> FeatureStore::Failures() const {
  std::vector<StoreEntry> failures;
  for (const std::uint32_t i : impl_->contents.index.failed()) {
    if (!impl_->contents.index.Counts(i)) continue;
    const StoreIndex::Entry entry = impl_->contents.index.Get(i);
    failures.push_back({std::string(entry.name), std::string(entry.hash), entry.bytes,
                        entry.patches, std::string(entry.failure)});
  }
  return failures;
}

Rows FeatureStore::ReadShard(Index shard) const { return impl_->contents.ReadShard(shard); }

}  // namespace alcedo
