// Feature stores: their texts alone, and the whole folder with its arrays.
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/store/store_format.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

using alcedo::internal::ShardRecord;

constexpr const char* kRecord = "shard-000000.json";
constexpr const char* kArray = "shard-000000.npy";

StoreHeader Header() {
  StoreHeader header;
  header.config = R"({"pooling":"gmp","lambda":[1,10],"grid":{"step":4}})";
  header.shape = {2, 3};
  header.images_per_shard = 4;
  return alcedo::internal::NormalizedHeader(header);
}

std::string Array() {
  std::vector<float> values;
  for (int i = 0; i < 12; ++i) values.push_back(static_cast<float>(i) - 5);
  return io_testing::Npy("<f4", "(2, 2, 3)", io_testing::Bytes(values));
}

Bundle StoreFiles() {
  ShardRecord shard;
  shard.config_hash = alcedo::internal::ConfigHash(Header());
  shard.npy_hash = ContentHash(Array());
  shard.entries = {{"a.png", ContentHash("a"), 100, 7, ""},
                   {"bad \xff.jpg", "", 0, 0, "is not an image"},
                   {"sub/b.png", ContentHash("b"), 200, 0, ""}};
  return {{"store.json", alcedo::internal::StoreText(Header())},
          {kRecord, alcedo::internal::ShardText(shard)},
          {kArray, Array()}};
}

// Replaces the 32 digits after `key`, if they are there.
void SetHash(std::string& text, const std::string& key, const std::string& hash) {
  const std::string before = "\"" + key + "\": \"";
  const std::size_t digits = text.rfind(before);
  if (digits == std::string::npos || digits + before.size() + hash.size() > text.size()) return;
  text.replace(digits + before.size(), hash.size(), hash);
}

std::string SealedRecord(std::string text) {
  const std::size_t seal = text.rfind("\"json_hash\"");
  if (seal != std::string::npos) SetHash(text, "json_hash", ContentHash(text.substr(0, seal)));
  return text;
}

bool ReadStore(const Bundle& files) {
  for (const auto& [name, bytes] : files) PutFile("store/" + name, bytes);
  return Succeeds([&] {
    const FeatureStore store = FeatureStore::OpenToRead("store");
    for (Index shard = 0; shard < store.shards(); ++shard) {
      if (store.HasShard(shard)) ExpectFiniteArray(store.ReadShard(shard), "a value");
    }
    for (const StoredImage& image : store.Images()) {
      if (image.row < 0 || image.row >= store.size()) throw BrokenPromise("a row is not there");
    }
    store.Failures();
  });
}

}  // namespace

void internal::AddStoreReaders(std::vector<Reader>& readers) {
  const auto sample = [](const char* name) {
    return [name] { return std::vector{StoreFiles().at(name)}; };
  };
  const auto read_record = [](const std::string& bytes) {
    return Succeeds([&] { alcedo::internal::ParseShardText(bytes, "file"); });
  };
  readers.push_back({"store-header", sample("store.json"),
                     [](const std::string& bytes) {
                       return Succeeds([&] { alcedo::internal::ParseStoreText(bytes, "file"); });
                     },
                     256});
  readers.push_back({"store-record", sample(kRecord), read_record, 256});
  readers.push_back({"store-record-right-checksum", sample(kRecord),
                     [=](const std::string& bytes) { return read_record(SealedRecord(bytes)); },
                     256});
  const auto whole = [] { return std::vector{Join(StoreFiles())}; };
  readers.push_back({"store", whole,
                     [](const std::string& bytes) { return ReadStore(Split(bytes, StoreFiles())); },
                     256});
  readers.push_back({"store-right-checksums", whole,
                     [](const std::string& bytes) {
                       Bundle files = Split(bytes, StoreFiles());
                       SetHash(files[kRecord], "npy_hash", ContentHash(files[kArray]));
                       files[kRecord] = SealedRecord(files[kRecord]);
                       return ReadStore(files);
                     },
                     256});
}

}  // namespace alcedo::fuzz
