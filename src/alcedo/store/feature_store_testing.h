// For tests of the feature store: small inputs, and naive readers of its files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alcedo/io/io_testing.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::store_testing {

using Json = nlohmann::ordered_json;

// In memory if the system has such a folder: replacing files on a disk waits for it.
inline io_testing::TemporaryFolder FastFolder() {
  struct Restore {
    ~Restore() { had ? setenv("TMPDIR", value.c_str(), 1) : unsetenv("TMPDIR"); }
    bool had = getenv("TMPDIR") != nullptr;
    std::string value = had ? getenv("TMPDIR") : "";
  } restore;
  if (access("/dev/shm", W_OK | X_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  return io_testing::TemporaryFolder();
}

inline Json Config() {
  return {{"pooling", "gmp"}, {"lambda", {1.0, 0.1}}, {"grid", {{"step", 4}, {"size", 24}}}};
}

inline StoreHeader Header(const Json& config = Config()) {
  StoreHeader header;
  header.config = config.dump();
  header.shape = {2};
  header.images_per_shard = 3;
  return header;
}

// Of a name and its contents, which make its values: two floats.
inline StoreEntry Image(const std::string& name, const std::string& hash = "h1") {
  return {name, hash, static_cast<std::int64_t>(10 * name.size()), 7, ""};
}
inline StoreEntry Bad(const std::string& name, const std::string& reason,
                      const std::string& hash = "h1") {
  return {name, hash, 5, 0, reason};
}
inline std::vector<float> ValuesOf(const StoreEntry& entry) {
  float sum = 0;
  for (const char c : entry.name + "/" + entry.hash) sum = 3 * sum / 4 + static_cast<float>(c);
  return {sum, -1 / sum};
}
inline std::string BytesOf(const std::vector<StoreEntry>& entries) {
  std::string bytes;
  for (const StoreEntry& entry : entries) {
    if (entry.failure.empty()) bytes += io_testing::Bytes(ValuesOf(entry));
  }
  return bytes;
}
inline void Append(FeatureStore& store, const std::vector<StoreEntry>& entries) {
  store.Append(entries, BytesOf(entries));
}

// What a program does with a list of inputs: what the store does not have, in shards, in order.
inline void RunOver(FeatureStore& store, const std::vector<StoreEntry>& inputs) {
  std::vector<StoreEntry> shard;
  for (const StoreEntry& input : inputs) {
    if (store.Has(input.name, input.hash)) continue;
    shard.push_back(input);
    if (static_cast<int>(shard.size()) < store.header().images_per_shard) continue;
    Append(store, shard);
    shard.clear();
  }
  if (!shard.empty()) Append(store, shard);
  store.Finish();
}

// The part of one of several writers; `most` shards of it, as if it had been killed then. Gives
// what is missing.
inline std::vector<Index> RunPlanned(FeatureStore& store, const std::vector<StoreEntry>& inputs,
                                     int most = 1000) {
  std::vector<StoreEntry> to_do;
  std::vector<std::string> names;
  for (const StoreEntry& input : inputs) {
    if (store.Has(input.name, input.hash)) continue;
    to_do.push_back(input);
    names.push_back(input.name);
  }
  for (const PlannedShard& shard : store.Plan(names)) {
    if (most-- == 0) return store.Missing();
    const std::vector<StoreEntry> part(to_do.begin() + shard.begin,
                                       to_do.begin() + shard.begin + shard.size);
    store.Append(shard.number, part, BytesOf(part));
  }
  return store.Finish();
}

// Every file of a folder: equal maps are equal folders.
inline std::map<std::string, std::string> FilesOf(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename().string()] = io_testing::ReadFile(entry.path());
  }
  return files;
}

// RFC 4180, and nothing else: lines that end in another way are a failure.
inline std::vector<std::vector<std::string>> ParseCsv(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  for (std::size_t i = 0; i < text.size();) {
    std::vector<std::string> record(1);
    for (; !text.substr(i).starts_with("\r\n"); ++i) {
      if (i >= text.size() || text[i] == '\r' || text[i] == '\n') {
        ADD_FAILURE() << "a line does not end in CR LF";
        return records;
      }
      if (text[i] == ',') {
        record.emplace_back();
      } else if (text[i] == '"') {
        for (++i; text[i] != '"' || text[i + 1] == '"'; ++i) {
          if (text[i] == '"') ++i;
          record.back() += text[i];
        }
      } else {
        record.back() += text[i];
      }
    }
    i += 2;
    records.push_back(record);
  }
  return records;
}

}  // namespace alcedo::store_testing
