// A feature store: the vectors of many images in a folder that is never half written.
//
//   store.json           format, version, config and its hash, shape of a vector, images per shard
//   shard-000000.npy     n x [lambdas x] dimension, rows in the order of the inputs
//   shard-000000.json    name, content hash, size and patches of every image; its failures; the
//                        hashes of the .npy and of itself
//   index.csv            every image: name, shard, row, hash (made anew when a run ends)
//   failures.csv         every bad image: name, reason (made anew also while a run goes on)
//
// A shard is there when its .json is: the .npy is written first, both whole (temporary file, fsync,
// rename), and what has no .json is written over. Shards appear in order, each for a fixed number
// of inputs, so that a store that was killed and resumed equals an undisturbed one byte for byte:
// no file holds a time, a process or a thread count. docs/formats.md has every field.
//
// Names are bytes. In files what is not printable UTF-8 stands as \xNN and a backslash as \\;
// callers see names as they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/config/config.h"

namespace alcedo {

// One input of a shard: an image that has a row, or one that failed.
struct StoreEntry {
  std::string name;        // at least one byte
  std::string hash;        // of the file's contents; empty where they could not be read
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
  Json config;  // an object; everything that values depend on: a store holds one config
  std::vector<Index> shape;  // of one image's values: {dimension} or {lambdas, dimension}
  ValueType type = ValueType::kFloat32;
  int images_per_shard = 128;
};

class FeatureStore {
 public:
  // Opens a store to go on with, or begins one (in a folder that is not there, or empty). Locks the
  // folder against a second writer until the object or the process ends; on a network file system
  // against those of the same machine. Leftovers of a killed run (temporary files, a shard without
  // its .json) are removed.
  //
  // A store of another header, a folder that is something else or is locked is an InvalidArgument
  // that names the first difference; a damaged shard a FormatError that names the file and what to
  // do. Headers of arrays are checked here, their values when they are read.
  static FeatureStore OpenToAppend(const std::filesystem::path& folder, const StoreHeader& header);
  // Sees the shards that are there now, also while somebody appends.
  static FeatureStore OpenToRead(const std::filesystem::path& folder);

  FeatureStore(FeatureStore&&) noexcept;
  FeatureStore& operator=(FeatureStore&&) noexcept;
  ~FeatureStore();

  // As stored: the config has gone through JSON text.
  const StoreHeader& header() const;
  Index shards() const;
  // Rows in all shards, also those that a later one of the same name replaces.
  Index size() const;

  // Of several entries of one name the last counts, be it a row or a failure: contents that changed
  // are appended, and so are those that changed back.
  //
  // Whether the entry that counts has this hash: the image is done, or known to fail.
  bool Has(std::string_view name, std::string_view hash) const;

  // Adds one shard: entries in the order of the inputs, 1 to images_per_shard of them; `values` the
  // elements (finite, little-endian, header().type) of those that did not fail, one image after the
  // other. When it returns the shard is on the disk. Writes failures.csv too where that changes.
  // After an IoError the shard is there whole or not at all, and all before it is untouched.
  void Append(std::span<const StoreEntry> entries, std::string_view values);

  // Writes index.csv and failures.csv. The store can be appended to again.
  void Finish();

  // What counts, in the order of the shards.
  std::vector<StoredImage> Images() const;
  std::vector<StoreEntry> Failures() const;

  // A whole shard, one row per image (lambda after lambda where there are several). FormatError
  // where the file is no longer what was written.
  Rows ReadShard(Index shard) const;

 private:
  struct Impl;
  explicit FeatureStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alcedo
