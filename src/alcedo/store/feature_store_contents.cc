#include "alcedo/store/feature_store_contents.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/store/feature_store_entries.h"
#include "alcedo/store/feature_store_folder.h"
#include "alcedo/store/feature_store_header.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxJsonBytes = std::int64_t{1} << 30;

// Only a file that is certainly not there is missing: one that may not be looked at is an IoError
// of whoever opens it.
bool Exists(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error) || error;
}

[[noreturn]] void ThrowDamaged(Index shard, const std::string& what) {
  const std::string name = ShardName(shard);
  throw FormatError(fmt::format("{}; remove {}.npy, {}.json and all later shards, then run again",
                                what, name, name));
}

}  // namespace

std::vector<Index> ShardShape(const StoreHeader& header, Index rows) {
  std::vector<Index> shape{rows};
  shape.insert(shape.end(), header.shape.begin(), header.shape.end());
  return shape;
}

ElementType ElementOf(const StoreHeader& header) {
  return header.type == ValueType::kFloat32 ? ElementType::kFloat32 : ElementType::kFloat64;
}

fs::path StoreContents::ShardFile(Index shard, std::string_view ending) const {
  return folder / (ShardName(shard) + std::string(ending));
}

void StoreContents::SetHeader(StoreHeader stored) {
  header = std::move(stored);
  config_hash = ConfigHash(header);
}

void StoreContents::ReadHeader() {
  const fs::path file = folder / kStoreFile;
  SetHeader(ParseStoreText(ReadFileBytes(file, kMaxJsonBytes), file.string()));
}

void StoreContents::ReadShards(Index count) {
  for (Index shard = 0; shard < count; ++shard) {
    try {
      const ShardRecord record = ReadRecord(shard, count);
      CheckArray(shard, CountRows(record.entries));
      Add(record);
    } catch (const FormatError& error) {
      ThrowDamaged(shard, error.what());
    }
  }
}

ShardRecord StoreContents::ReadRecord(Index shard, Index count) const {
  const fs::path file = ShardFile(shard, ".json");
  const std::string name = file.string();
  if (!Exists(file)) {
    throw FormatError(
        fmt::format("{}: is missing, but {}.json is there", name, ShardName(count - 1)));
  }
  ShardRecord record = ParseShardText(ReadFileBytes(file, kMaxJsonBytes), name);
  if (record.number != shard) {
    throw FormatError(fmt::format("{}: is the record of shard {}", name, record.number));
  }
  if (record.config_hash != config_hash) {
    throw FormatError(fmt::format("{}: is of a store with another config", name));
  }
  const auto images = static_cast<Index>(record.entries.size());
  if (images < 1 || images > header.images_per_shard) {
    throw FormatError(fmt::format("{}: has {} images, but a shard has 1 to {}", name, images,
                                  header.images_per_shard));
  }
  return record;
}

// By its header and its size alone: a store of terabytes opens in seconds.
void StoreContents::CheckArray(Index shard, Index rows) const {
  const fs::path file = ShardFile(shard, ".npy");
  if (!Exists(file)) {
    throw FormatError(fmt::format("{}: is missing, but its .json is there", file.string()));
  }
  const ArrayReader reader = ArrayReader::Open(file);
  const std::vector<Index> shape = ShardShape(header, rows);
  const bool fits = reader.arrays().size() == 1 && reader.arrays()[0].shape == shape &&
                    reader.arrays()[0].type == ElementOf(header);
  if (fits) return;
  throw FormatError(fmt::format("{}: must hold shape ({}) of {}, as its .json and store.json say",
                                file.string(), fmt::join(shape, ", "), Name(header.type)));
}

void StoreContents::Add(const ShardRecord& record) {
  index.Add(record.entries);
  npy_hashes.push_back(record.npy_hash);
}

Rows StoreContents::ReadShard(Index shard) const {
  if (shard < 0 || shard >= index.shards()) {
    throw InvalidArgument(fmt::format("shard must be >= 0 and < {}, as many as {} has, got {}",
                                      index.shards(), folder.string(), shard));
  }
  constexpr std::int64_t kMaxNpyHeader = 1 << 20;
  const Index row_bytes = RowBytes(header);
  const fs::path file = ShardFile(shard, ".npy");
  std::string bytes = ReadFileBytes(file, header.images_per_shard * row_bytes + kMaxNpyHeader);
  if (ContentHash(bytes) != npy_hashes[static_cast<std::size_t>(shard)]) {
    ThrowDamaged(shard, file.string() + ": was changed: its hash is not that in its .json");
  }
  Rows rows = ArrayReader::FromBytes(std::move(bytes), file.string()).ReadRows(0);
  const Index row_size = row_bytes / (header.type == ValueType::kFloat32 ? 4 : 8);
  rows.resize(rows.size() / row_size, row_size);  // keeps the values: their number is the same
  return rows;
}

}  // namespace alcedo::internal
