// What a store refuses: other configs, other folders, second writers, damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "alcedo/base/error.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/store/feature_store_testing.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

using io_testing::MessageOf;
using io_testing::ReadFile;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;
using store_testing::Append;
using store_testing::Bad;
using store_testing::Config;
using store_testing::FastFolder;
using store_testing::FilesOf;
using store_testing::Header;
using store_testing::Image;
using store_testing::Json;
using store_testing::RunOver;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::vector<StoreEntry>& Inputs() {
  static const std::vector<StoreEntry> inputs = {
      Image("a"), Bad("b", "bad"), Image("c"), Image("d"), Image("e"), Image("f"), Image("g")};
  return inputs;
}

void MakeStore(const fs::path& folder) {
  FeatureStore store = FeatureStore::OpenToAppend(folder, Header());
  RunOver(store, Inputs());
}

std::string RefusalToAppend(const fs::path& folder, const StoreHeader& header) {
  return MessageOf<InvalidArgument>([&] { FeatureStore::OpenToAppend(folder, header); });
}

std::string RefusalToRead(const fs::path& folder) {
  return MessageOf<FormatError>([&] { FeatureStore::OpenToRead(folder); });
}

TEST(FeatureStoreHeader, AnotherConfigIsNamed) {
  TemporaryFolder folder = FastFolder();
  MakeStore(folder.path());
  const auto before = FilesOf(folder.path());
  const auto refusal = [&](const std::function<void(StoreHeader&)>& change) {
    StoreHeader header = Header();
    change(header);
    const std::string message = RefusalToAppend(folder.path(), header);
    const std::string start = folder.path().string() + " was made ";
    const std::string end = "; choose another folder, or resume with the options of this one";
    EXPECT_THAT(message, StartsWith(start));
    EXPECT_THAT(message, EndsWith(end));
    return message.substr(start.size(), message.size() - start.size() - end.size());
  };
  const auto of_config = [&](const std::function<void(Json&)>& change) {
    Json config = Config();
    change(config);
    return refusal([&](auto& h) { h.config = config.dump(); });
  };
  EXPECT_EQ(of_config([](Json& c) { c["pooling"] = "sum"; }), "with pooling = gmp, not sum");
  EXPECT_EQ(of_config([](Json& c) { c["lambda"] = {1.0}; }), "with lambda = [1.0,0.1], not [1.0]");
  EXPECT_EQ(of_config([](Json& c) {
              c["grid"]["size"] = 16;
              c["grid"]["step"] = 8;
            }),
            "with grid.step = 4, not 8");
  EXPECT_EQ(of_config([](Json& c) { c["grid"] = 3; }),
            R"(with grid = {"step":4,"size":24}, not 3)");
  EXPECT_EQ(of_config([](Json& c) { c["power"] = 0.5; }), "without power, which is now 0.5");
  EXPECT_EQ(of_config([](Json& c) { c["grid"].erase("size"); }),
            "with grid.size = 24, which is now left out");
  EXPECT_EQ(refusal([](auto& h) { h.type = ValueType::kFloat64; }), "with dtype = f4, not f8");
  EXPECT_EQ(refusal([](auto& h) { h.shape = {3, 2}; }), "with shape = [2], not [3,2]");
  EXPECT_EQ(refusal([](auto& h) { h.images_per_shard = 4; }), "with images_per_shard = 3, not 4");
  EXPECT_EQ(FilesOf(folder.path()), before);
}

TEST(FeatureStoreHeader, TheSameConfigInOtherWordsIsTheSame) {
  TemporaryFolder folder = FastFolder();
  MakeStore(folder.path());
  StoreHeader header = Header();
  header.config = R"( {"grid": {"size": 24, "step": 4},"lambda":[1, 1e-1], "pooling":"gmp"})";
  const auto before = FilesOf(folder.path());
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), header);
  Append(store, {Image("h")});  // its config_hash is that of the store
  EXPECT_EQ(FilesOf(folder.path()).at("store.json"), before.at("store.json"));
  EXPECT_EQ(FeatureStore::OpenToRead(folder.path()).shards(), 4);
}

TEST(FeatureStoreHeader, BadHeadersAreRefused) {
  TemporaryFolder folder = FastFolder();
  const auto refusal = [&](const std::function<void(StoreHeader&)>& change) {
    StoreHeader header = Header();
    change(header);
    return RefusalToAppend(folder / "new", header);
  };
  const std::vector<std::pair<std::string, std::string>> bad_configs = {
      {"3", "3"}, {"{", "{"}, {"{\"a\": \"caf\xe9\"}", R"({"a": "caf\xe9"})"}};
  for (const auto& [config, shown] : bad_configs) {
    EXPECT_EQ(refusal([&](auto& h) { h.config = config; }),
              "config must be a JSON object, got " + shown);
  }
  EXPECT_EQ(refusal([](auto& h) { h.images_per_shard = 0; }),
            "images_per_shard must be >= 1, got 0");
  EXPECT_EQ(refusal([](auto& h) { h.shape = {}; }), "shape must have 1 or 2 dimensions, got 0");
  EXPECT_EQ(refusal([](auto& h) { h.shape = {1, 2, 3}; }),
            "shape must have 1 or 2 dimensions, got 3");
  EXPECT_THAT(refusal([](auto& h) { h.shape = {3, 0}; }), HasSubstr("positive"));
  EXPECT_THAT(refusal([](auto& h) { h.shape = {1 << 30, Index{1} << 31}; }),
              HasSubstr("fit into memory"));
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(FeatureStoreFolder, SomethingElseIsRefusedAndLeftAlone) {
  TemporaryFolder folder = FastFolder();
  const std::string path = folder.path().string();
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { FeatureStore::OpenToRead(folder.path()); }),
            path + " is not a feature store: it has no store.json");
  EXPECT_EQ(MessageOf<IoError>([&] { FeatureStore::OpenToRead(folder / "no"); }),
            path + "/no: cannot be listed: No such file or directory");
  WriteFile(folder / "shard-000000.npy", "mine");
  EXPECT_EQ(RefusalToAppend(folder.path(), Header()),
            path +
                " is not a feature store: it holds shard-000000.npy, but no store.json; choose "
                "another folder");
  WriteFile(folder / "holiday\n.jpg", "x");
  EXPECT_THAT(RefusalToAppend(folder.path(), Header()), HasSubstr(R"(holds holiday\x0a.jpg, but)"));
  EXPECT_THAT(folder.Names(), ElementsAre("holiday\n.jpg", "shard-000000.npy"));
  const auto refusal = [&] {
    return MessageOf<IoError>(
        [&] { FeatureStore::OpenToAppend(folder / "shard-000000.npy", Header()); });
  };
  EXPECT_EQ(refusal(), path + "/shard-000000.npy: cannot be made: Not a directory");
}

TEST(FeatureStoreFolder, StrangersInAStoreAreLeftAlone) {
  TemporaryFolder folder = FastFolder();
  MakeStore(folder.path());
  const std::vector<std::string> strangers = {
      "notes.txt",           ".notes.txt.tmp-1-0", ".store.json.tmp-x", "shard-1.npy",
      "shard-0000003.npy",   "shard-000009.npy~",  ".tmp-1-2",          "shard--00001.npy",
      ".shard-01.npy.tmp-3", "shard-.npy"};
  for (const std::string& name : strangers) WriteFile(folder / name, "mine");
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  EXPECT_EQ(store.shards(), 3);
  for (const std::string& name : strangers) EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST(FeatureStoreFolder, LeftoversOfAKilledRunAreRemoved) {
  TemporaryFolder folder = FastFolder();
  WriteFile(folder / ".store.json.tmp-4711-0", "{");
  MakeStore(folder.path());
  const auto before = FilesOf(folder.path());
  for (const char* name :
       {".store.json.tmp-1-2", ".shard-000003.npy.tmp-123-4", ".shard-000003.json.tmp-123-5",
        ".index.csv.tmp-1-0", ".failures.csv.tmp-1-0", "shard-000003.npy", "shard-000005.npy"}) {
    WriteFile(folder / name, "left");
  }
  FeatureStore::OpenToAppend(folder.path(), Header());
  EXPECT_EQ(FilesOf(folder.path()), before);
}

TEST(FeatureStoreFolder, ASecondWriterIsRefused) {
  TemporaryFolder folder = FastFolder();
  {
    const FeatureStore first = FeatureStore::OpenToAppend(folder.path(), Header());
    EXPECT_EQ(RefusalToAppend(folder.path(), Header()),
              folder.path().string() +
                  " is being written by another run; wait until it ends, or choose another folder");
    const pid_t child = fork();
    if (child == 0) {
      int status = 1;
      try {
        FeatureStore::OpenToAppend(folder.path(), Header());
      } catch (const InvalidArgument&) {
        status = 0;
      }
      _exit(status);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  FeatureStore again = FeatureStore::OpenToAppend(folder.path(), Header());
  again = FeatureStore::OpenToRead(folder.path());  // lets the lock go
  FeatureStore::OpenToAppend(folder.path(), Header());
  EXPECT_THAT(folder.Names(), ElementsAre("store.json"));
}

TEST(FeatureStoreFolder, NoPermissionNamesThePathAndLosesNothing) {
  TemporaryFolder folder = FastFolder();
  const fs::path path = folder / "store";
  MakeStore(path);
  const auto before = FilesOf(path);
  FeatureStore store = FeatureStore::OpenToAppend(path, Header());
  for (const fs::path& sealed : {path, folder.path()}) {
    fs::permissions(sealed, fs::perms(0555));
  }
  {
    const io_testing::Unprivileged unprivileged;
    EXPECT_EQ(MessageOf<IoError>([&] { Append(store, {Image("h")}); }),
              path.string() +
                  "/shard-000003.npy: cannot be written: a file beside it cannot be created: "
                  "Permission denied");
    EXPECT_THAT(MessageOf<IoError>([&] { store.Finish(); }),
                StartsWith(path.string() + "/index.csv: "));
    EXPECT_THAT(MessageOf<IoError>([&] { FeatureStore::OpenToAppend(folder / "new", Header()); }),
                HasSubstr("/new: cannot be made: Permission denied"));
  }
  for (const fs::path& sealed : {path, folder.path()}) {
    fs::permissions(sealed, fs::perms(0755));
  }
  EXPECT_EQ(FilesOf(path), before);
  EXPECT_EQ(store.shards(), 3);
}

// A limit on the size of files stands for a full disk: the same path through the code.
std::string AppendToFullDisk(FeatureStore& store, const std::vector<StoreEntry>& entries,
                             rlim_t max_bytes) {
  rlimit limit{};
  EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{max_bytes, limit.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    Append(store, entries);
  } catch (const IoError& error) {
    message = error.what();
  }
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, handler);
  return message;
}

TEST(FeatureStoreFolder, AFullDiskLosesNothing) {
  TemporaryFolder folder = FastFolder();
  MakeStore(folder / "reference");
  const fs::path path = folder / "store";
  FeatureStore store = FeatureStore::OpenToAppend(path, Header());
  Append(store, {Inputs().begin(), Inputs().begin() + 3});
  const auto before = FilesOf(path);
  const std::vector<StoreEntry> next(Inputs().begin() + 3, Inputs().begin() + 6);
  EXPECT_EQ(AppendToFullDisk(store, next, 100),
            (path / "shard-000001.npy").string() + ": cannot be written: File too large");
  EXPECT_EQ(FilesOf(path), before);
  EXPECT_EQ(AppendToFullDisk(store, next, 200),
            (path / "shard-000001.json").string() + ": cannot be written: File too large");
  EXPECT_EQ(store.shards(), 1);
  EXPECT_FALSE(store.Has("d", "h1"));
  EXPECT_EQ(FeatureStore::OpenToRead(path).shards(), 1);
  RunOver(store, Inputs());  // the same object continues when there is room again
  EXPECT_EQ(FilesOf(path), FilesOf(folder / "reference"));
}

class DamagedStore : public ::testing::Test {
 protected:
  DamagedStore() { MakeStore(folder.path()); }

  std::string Path(const std::string& name) const { return (folder / name).string(); }
  void Write(const std::string& name, const std::string& bytes) const {
    WriteFile(folder / name, bytes);
  }
  // The message without its start (the file) and its end (what to do).
  std::string Damage(const std::string& file, const std::string& shard) const {
    std::string message = RefusalToRead(folder.path());
    const std::string start = Path(file) + ": ";
    const std::string end = "; remove " + shard + ".npy and " + shard + ".json, then run again";
    EXPECT_THAT(message, StartsWith(start));
    EXPECT_THAT(message, EndsWith(end));
    EXPECT_EQ(MessageOf<FormatError>([&] { FeatureStore::OpenToAppend(folder.path(), Header()); }),
              message);
    if (message.size() < start.size() + end.size()) return message;
    return message.substr(start.size(), message.size() - start.size() - end.size());
  }
  // Of shard 1, with a seal that fits.
  std::string DamageByRecord(const std::function<void(Json&)>& change) const {
    const std::string original = ReadFile(folder / "shard-000001.json");
    Json json = Json::parse(original);
    change(json);
    json.erase("json_hash");
    std::string text = json.dump();
    text.back() = ',';
    text += "\"json_hash\": \"" + ContentHash(text) + "\"\n}\n";
    Write("shard-000001.json", text);
    const std::string message = Damage("shard-000001.json", "shard-000001");
    Write("shard-000001.json", original);
    return message;
  }

  TemporaryFolder folder = FastFolder();
};

TEST_F(DamagedStore, EveryByteOfAShardsJsonCounts) {
  const std::string good = ReadFile(folder / "shard-000001.json");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    Write("shard-000001.json", bad);
    ASSERT_THAT(RefusalToRead(folder.path()), HasSubstr("shard-000001.json: ")) << i;
    Write("shard-000001.json", good.substr(0, i));
    ASSERT_THAT(RefusalToRead(folder.path()), HasSubstr("shard-000001.json: ")) << i;
  }
  Write("shard-000001.json", good + "\n");
  EXPECT_EQ(Damage("shard-000001.json", "shard-000001"),
            "is truncated, or not the record of a shard");
}

TEST_F(DamagedStore, EveryByteOfStoreJsonCounts) {
  const std::string good = ReadFile(folder / "store.json");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    Write("store.json", bad);
    if (good[i] == '\n' && i + 1 == good.size()) continue;
    RefusalToRead(folder.path());  // fails the test if nothing is thrown
  }
  Write("store.json", "[]");
  EXPECT_EQ(RefusalToRead(folder.path()), Path("store.json") +
                                              ": is not the header of a feature store; choose "
                                              "another folder");
  Json newer = Json::parse(good);
  newer["version"] = 2;
  Write("store.json", newer.dump());
  EXPECT_THAT(RefusalToRead(folder.path()),
              HasSubstr("is of version 2, and this program knows only version 1"));
  for (const char* field : {"dtype", "shape", "images_per_shard", "config", "config_hash"}) {
    Json json = Json::parse(good);
    json.erase(field);
    Write("store.json", json.dump());
    EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("store.json: ")) << field;
    json[field] = 1.5;
    Write("store.json", json.dump());
    EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("store.json: ")) << field;
  }
}

TEST_F(DamagedStore, ARecordMustFitItsPlace) {
  EXPECT_EQ(DamageByRecord([](Json& j) { j["shard"] = 2; }), "is the record of shard 2");
  EXPECT_EQ(DamageByRecord([](Json& j) { j["config_hash"] = "x"; }),
            "is of a store with another config");
  EXPECT_EQ(DamageByRecord([](Json& j) { j["format"] = "x"; }), "is not the record of a shard");
  EXPECT_EQ(DamageByRecord([](Json& j) {
              j["images"] = Json::array();
              j["rows"] = 0;
            }),
            "has 0 images, but a shard has 1 to 3");
  EXPECT_EQ(DamageByRecord([](Json& j) {
              j["images"].push_back(j["images"][0]);
              j["rows"] = 4;
            }),
            "has 4 images, but a shard has 1 to 3");
  EXPECT_THAT(DamageByRecord([](Json& j) { j["rows"] = 2; }),
              HasSubstr("has another number of rows"));
  EXPECT_EQ(DamageByRecord([](Json& j) { j["images"][0]["name"] = ""; }),
            "has an image without a name");
  EXPECT_EQ(DamageByRecord([](Json& j) { j["images"][0]["name"] = "\\n"; }),
            "a name has an unknown escape");
  EXPECT_EQ(DamageByRecord([](Json& j) { j["images"][1]["bytes"] = -1; }),
            "bytes must be an integer >= 0, got -1");
  EXPECT_EQ(DamageByRecord([](Json& j) { j["images"][1]["patches"] = 1.5; }),
            "patches must be an integer >= 0, got 1.5");
  for (const char* field : {"name", "hash", "bytes", "patches"}) {
    EXPECT_EQ(DamageByRecord([&](Json& j) { j["images"][2].erase(field); }),
              "is not JSON, lacks a field or has one of the wrong type")
        << field;
  }
  EXPECT_THAT(DamageByRecord([](Json& j) { j["images"][0]["name"] = 3; }), HasSubstr("wrong type"));
  EXPECT_THAT(DamageByRecord([](Json& j) { j["images"] = 3; }), HasSubstr("wrong type"));
}

TEST_F(DamagedStore, AnArrayMustFitItsRecord) {
  const std::string good = ReadFile(folder / "shard-000001.npy");
  const auto damage = [&](const std::string& bytes) {
    Write("shard-000001.npy", bytes);
    return Damage("shard-000001.npy", "shard-000001");
  };
  EXPECT_THAT(damage(good.substr(0, good.size() - 1)), HasSubstr("is truncated"));
  EXPECT_THAT(damage(good + "x"), HasSubstr("has 1 bytes after its data"));
  EXPECT_EQ(damage(""), "is empty");
  EXPECT_EQ(damage(ReadFile(folder / "shard-000000.npy")),
            "must hold shape (3, 2) of f4, as its .json and store.json say");
  std::string doubles = good + good.substr(128);
  doubles.replace(doubles.find("<f4"), 3, "<f8");
  EXPECT_THAT(damage(doubles), HasSubstr("must hold shape (3, 2) of f4"));
  EXPECT_THAT(damage(io_testing::Zip({{"a.npy", good}, {"b.npy", good}})),
              HasSubstr("must hold shape (3, 2) of f4"));
  fs::remove(folder / "shard-000001.npy");
  EXPECT_EQ(Damage("shard-000001.npy", "shard-000001"), "is missing, but its .json is there");
}

TEST_F(DamagedStore, EveryByteOfTheValuesIsCheckedWhenTheyAreRead) {
  const std::string good = ReadFile(folder / "shard-000001.npy");
  for (std::size_t i = 128; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    Write("shard-000001.npy", bad);
    const FeatureStore store = FeatureStore::OpenToRead(folder.path());
    EXPECT_EQ(store.ReadShard(0).rows(), 2);
    ASSERT_EQ(MessageOf<FormatError>([&] { store.ReadShard(1); }),
              Path("shard-000001.npy") +
                  ": was changed: its hash is not that in its .json; remove shard-000001.npy "
                  "and shard-000001.json, then run again");
  }
}

TEST_F(DamagedStore, AWriterMakesDamagedShardsAgain) {
  const auto good = FilesOf(folder.path());
  const std::string npy = good.at("shard-000001.npy");
  for (std::size_t i = 0; i < npy.size(); ++i) {
    std::string bad = npy;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    Write("shard-000001.npy", bad);
    try {
      FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
      EXPECT_THAT(store.RemoveDamaged(2),
                  ElementsAre(Failure{Path("shard-000001.npy"),
                                      "was changed: its hash is not that in its .json"}))
          << i;
      EXPECT_THAT(store.Missing(), ElementsAre(1));
      EXPECT_THAT(store.RemoveDamaged(1), IsEmpty());
      RunOver(store, Inputs());
    } catch (const FormatError&) {  // its header: refused when the store is opened
      ASSERT_LT(i, 128u);
      for (const char* name : {"shard-000001.npy", "shard-000001.json"}) fs::remove(folder / name);
      MakeStore(folder.path());
    }
    ASSERT_EQ(FilesOf(folder.path()), good) << i;
  }
}

TEST_F(DamagedStore, WhatADamagedShardReplacedIsValidAgain) {
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
    Append(store, {Image("a", "newer")});
    ASSERT_TRUE(store.Has("a", "newer"));
  }
  std::string bytes = ReadFile(folder / "shard-000003.npy");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Write("shard-000003.npy", bytes);
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  EXPECT_EQ(store.RemoveDamaged(1).size(), 1u);
  EXPECT_FALSE(store.Has("a", "newer"));
  EXPECT_TRUE(store.Has("a", "h1"));
  EXPECT_EQ(store.shards(), 3);
}

TEST_F(DamagedStore, AWriterLeavesTheShardsOfOthersAlone) {
  std::string bytes = ReadFile(folder / "shard-000001.npy");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Write("shard-000001.npy", bytes);
  FeatureStore other = FeatureStore::OpenToAppend(folder.path(), Header(), {0, 2});
  EXPECT_THAT(other.RemoveDamaged(1), IsEmpty());
  FeatureStore owner = FeatureStore::OpenToAppend(folder.path(), Header(), {1, 2});
  EXPECT_EQ(owner.RemoveDamaged(1).size(), 1u);
  EXPECT_FALSE(fs::exists(folder / "shard-000001.json"));
}

TEST_F(DamagedStore, ACheckNamesAllThatIsDamaged) {
  EXPECT_EQ(CheckStore(folder.path(), 2).whole, 3);
  EXPECT_THAT(CheckStore(folder.path(), 2).damaged, IsEmpty());
  std::string bytes = ReadFile(folder / "shard-000000.npy");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Write("shard-000000.npy", bytes);
  Write("shard-000001.json", "{}");
  const StoreCheck check = CheckStore(folder.path(), 2);
  EXPECT_EQ(check.whole, 1);
  ASSERT_EQ(check.damaged.size(), 2u);
  EXPECT_EQ(check.damaged[0].name, Path("shard-000000.npy"));
  EXPECT_EQ(check.damaged[1].name, Path("shard-000001.json"));
  Write("store.json", "{}");
  EXPECT_EQ(CheckStore(folder.path(), 1).damaged.at(0).name, Path("store.json"));
}

TEST_F(DamagedStore, WhatTheMessageAdvisesMendsIt) {
  const auto good = FilesOf(folder.path());
  Write("shard-000001.json", "{}");
  EXPECT_EQ(Damage("shard-000001.json", "shard-000001"),
            "is truncated, or not the record of a shard");
  for (const char* name : {"shard-000001.npy", "shard-000001.json"}) fs::remove(folder / name);
  EXPECT_THAT(FeatureStore::OpenToRead(folder.path()).Missing(), ElementsAre(1));
  MakeStore(folder.path());
  EXPECT_EQ(FilesOf(folder.path()), good);
}

// Copies and comparisons of JSON go as deep as it is nested, and casts of 1e308 are undefined.
TEST(FeatureStoreHeader, DeepAndHugeHeadersAreRefused) {
  TemporaryFolder folder = FastFolder();
  MakeStore(folder.path());
  const fs::path file = folder.path() / "store.json";
  const std::string text = ReadFile(file);
  const std::string deep(200000, '['), end(200000, ']');
  WriteFile(file, deep + end);
  EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("is not the header of a feature store"));
  Json json = Json::parse(text);
  json["images_per_shard"] = 1e308;
  WriteFile(file, json.dump());
  EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("images_per_shard must be an integer"));
  json["images_per_shard"] = 1ull << 40;
  WriteFile(file, json.dump());
  EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("images_per_shard must be in the range"));
  json = Json::parse(text);
  json["shape"] = {1e308};
  WriteFile(file, json.dump());
  EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("shape must be an integer"));
  json["shape"] = {1ull << 63};
  WriteFile(file, json.dump());
  EXPECT_THAT(RefusalToRead(folder.path()), HasSubstr("shape must be an integer"));
}

}  // namespace
}  // namespace alcedo
