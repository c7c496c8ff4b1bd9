// A feature store: the vectors of many images in a folder that is never half written.
//
//   store.json           format, version, config and its hash, shape of a vector, images per shard
//   shard-000000.npy     n x [lambdas x] dimension, rows in the order of the inputs
//   shard-000000.json    name, content hash, size and patches of every image; its failures; the
//                        hashes of the .npy and of itself
//   index.csv            every image: name, shard, row, hash (written when a run ends)
//   failures.csv         every bad image: name, reason (also written during a run)
//
// A shard is there if its .json is: the .npy is written first, both whole (temporary file, fsync,
// rename), and a .npy without a .json is written over. A shard holds a fixed number of consecutive
// inputs, so that a store that was killed and resumed, or written by several processes, equals an
// undisturbed one byte for byte: no file holds a time, a process or a thread count. docs/formats.md
// has every field.
//
// Names are bytes. In files, bytes that are not printable UTF-8 are written as \xNN and a backslash
// as \\; callers see names as they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/ranks.h"
#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/base/value_type.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {

// One input of a shard: an image that has a row, or one that failed.
struct StoreEntry {
  std::string name;        // at least one byte
  std::string hash;        // of the file's contents; empty if they could not be read
  std::int64_t bytes = 0;  // size of the file
  std::int64_t patches = 0;
  std::string failure;  // why it has no row; empty: it has one
};

// An image that has a row, and where.
struct StoredImage {
  std::string name;
  std::string hash;
  Index shard = 0;
  Index row = 0;  // of the shard
  std::int64_t patches = 0;
};

struct StoreHeader {
  // A JSON object, as text: everything that values depend on. A store holds one config.
  std::string config = "{}";
  std::vector<Index> shape;  // of one image's values: {dimension} or {lambdas, dimension}
  ValueType type = ValueType::kFloat32;
  int images_per_shard = 128;
};

// InvalidArgument that names the field.
void Check(const StoreHeader& header);

// A shard to be made of the inputs `begin` to `begin + size - 1` of a list.
struct PlannedShard {
  Index number = 0;
  Index begin = 0;
  Index size = 0;

  friend bool operator==(const PlannedShard&, const PlannedShard&) = default;
};

struct StoreCheck;

class FeatureStore {
 public:
  // Opens a store to resume it, or begins one (in a folder that does not exist or is empty). Until
  // the object or the process ends, no other writer of the same share, or of another number of
  // shares, can open it; on a network file system without locks the user has to take care. The
  // leftovers of a killed writer of this share (temporary files, a .npy without its .json) are
  // removed.
  //
  // Writers of different shares may work at the same time: writer `rank` of `ranks` writes the
  // shards whose number is `rank` modulo `ranks`, and no others. They must be given the same inputs
  // in the same order. Shards that other writers have not written yet are gaps, and not an error.
  //
  // A store with another header, a folder that is something else or is being written is an
  // InvalidArgument that names the first difference; a damaged shard a FormatError that names the
  // file and what to do. Headers of arrays are checked here, their values by
  // RemoveDamaged(), ReadShard() and CheckStore().
  static FeatureStore OpenToAppend(const std::filesystem::path& folder, const StoreHeader& header,
                                   const Share& share = {});
  // Sees the shards that are there now, also while others append.
  static FeatureStore OpenToRead(const std::filesystem::path& folder);

  FeatureStore(FeatureStore&&) noexcept;
  FeatureStore& operator=(FeatureStore&&) noexcept;
  ~FeatureStore();

  // As stored: the config is canonical JSON text.
  const StoreHeader& header() const;
  // One more than the largest number of a shard: as many as there are, unless some are missing.
  Index shards() const;
  bool HasShard(Index shard) const;
  // The numbers below shards() of shards that are not there: a writer still owes them.
  std::vector<Index> Missing() const;
  // Rows in all shards, also those that a later one of the same name replaces.
  Index size() const;

  // If several entries have one name, the last is valid, be it a row or a failure: contents that
  // changed are appended, and so are those that changed back.
  //
  // Whether the valid entry has this hash: the image is done, or known to fail.
  bool Has(std::string_view name, std::string_view hash) const;

  // Splits the inputs to be added, given by name, into shards, and gives those of this writer. Each
  // takes the lowest number that is free and larger than those of all shards that hold one of its
  // names. Writers that are given the same inputs agree on it, whichever shards they find.
  std::vector<PlannedShard> Plan(std::span<const std::string> names) const;

  // Adds one shard: entries in the order of the inputs, 1 to images_per_shard of them; finite
  // values of those that did not fail. When it returns the shard is on the disk. The number is the
  // first that Plan() would give to this writer, or the one given. A single writer also writes
  // failures.csv if that changes. After an IoError the shard is there whole or not at all, and all
  // others are untouched. A shard that somebody else wrote meanwhile is replaced by the same bytes.
  void Append(std::span<const StoreEntry> entries, const ShardValues& values);
  void Append(Index shard, std::span<const StoreEntry> entries, const ShardValues& values);

  // Writes index.csv and failures.csv; one of several writers does so only if no shard is missing,
  // with the shards of all writers: when all have finished, the tables are complete. Gives what is
  // missing. The store can be appended to again.
  std::vector<Index> Finish();

  // What is valid, in the order of the shards.
  std::vector<StoredImage> Images() const;
  std::vector<Failure> Failures() const;

  // Takes shards of this writer's share whose array is no longer what was written out of the store,
  // which then does not have their images any more, and gives the files, each with the reason.
  // Reads all arrays, on at most `threads` threads. A writer calls it before it relies on what is
  // there.
  std::vector<Failure> RemoveDamaged(int threads);

  // A whole shard, one row per image (lambda after lambda if there are several). FormatError if the
  // file is no longer what was written.
  Rows ReadShard(Index shard) const;
  // Its .npy as it was written, in the type of the store.
  std::string ReadShardBytes(Index shard) const;

 private:
  friend StoreCheck CheckStore(const std::filesystem::path& folder, int threads);
  struct Impl;
  explicit FeatureStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The files of a store, read to their end.
struct StoreCheck {
  Index whole = 0;               // shards
  std::vector<Failure> damaged;  // files that are not what was written, each with the reason
};
StoreCheck CheckStore(const std::filesystem::path& folder, int threads);

}  // namespace alcedo
