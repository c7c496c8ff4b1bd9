#include "alcedo/store/feature_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/store/feature_store_testing.h"

namespace alcedo {
namespace {

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
using store_testing::ParseCsv;
using store_testing::RunOver;
using store_testing::ValuesOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<StoreEntry> SevenInputs() {
  return {Image("a.jpg"), Bad("b.jpg", "is cut off"),
          Image("c.jpg"), Image("d.jpg"),
          Image("e.jpg"), Image("f.jpg"),
          Image("g.jpg")};
}

std::vector<std::string> NamesOf(const std::vector<StoredImage>& images) {
  std::vector<std::string> names;
  for (const StoredImage& image : images) names.push_back(image.name);
  return names;
}

TEST(FeatureStore, FilesAreWhatTheFormatSays) {
  TemporaryFolder folder = FastFolder();
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder / "features", Header());
    RunOver(store, SevenInputs());
    EXPECT_EQ(store.shards(), 3);
    EXPECT_EQ(store.size(), 6);
  }
  const auto files = FilesOf(folder / "features");
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("failures.csv", "index.csv", "shard-000000.json",
                                 "shard-000000.npy", "shard-000001.json", "shard-000001.npy",
                                 "shard-000002.json", "shard-000002.npy", "store.json"));

  const Json header = Json::parse(files.at("store.json"));
  EXPECT_EQ(header["format"], "alcedo feature store");
  EXPECT_EQ(header["version"], 1);
  EXPECT_EQ(header["dtype"], "f4");
  EXPECT_EQ(header["shape"], Json::parse("[2]"));
  EXPECT_EQ(header["images_per_shard"], 3);
  EXPECT_EQ(header["config"], Config());
  EXPECT_EQ(header["config_hash"], ContentHash(Config().dump()));

  const std::string& text = files.at("shard-000000.json");
  const Json shard = Json::parse(text);
  EXPECT_EQ(shard["format"], "alcedo feature shard");
  EXPECT_EQ(shard["shard"], 0);
  EXPECT_EQ(shard["rows"], 2);
  EXPECT_EQ(shard["config_hash"], header["config_hash"]);
  EXPECT_EQ(shard["npy_hash"], ContentHash(files.at("shard-000000.npy")));
  EXPECT_EQ(shard["json_hash"], ContentHash(text.substr(0, text.find("\"json_hash\""))));
  EXPECT_EQ(shard["images"], Json::parse(R"([
      {"name": "a.jpg", "hash": "h1", "bytes": 50, "patches": 7},
      {"name": "b.jpg", "hash": "h1", "bytes": 5, "patches": 0, "failure": "is cut off"},
      {"name": "c.jpg", "hash": "h1", "bytes": 50, "patches": 7}])"));

  const std::string& npy = files.at("shard-000000.npy");
  EXPECT_THAT(npy, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"));
  EXPECT_EQ(npy.substr(128), io_testing::Bytes(ValuesOf(Image("a.jpg"))) +
                                 io_testing::Bytes(ValuesOf(Image("c.jpg"))));
  EXPECT_EQ(files.at("index.csv"),
            "name,shard,row,hash\r\na.jpg,0,0,h1\r\nc.jpg,0,1,h1\r\nd.jpg,1,0,h1\r\n"
            "e.jpg,1,1,h1\r\nf.jpg,1,2,h1\r\ng.jpg,2,0,h1\r\n");
  EXPECT_EQ(files.at("failures.csv"), "name,reason\r\nb.jpg,is cut off\r\n");
}

TEST(FeatureStore, ReadsWhatWasWritten) {
  TemporaryFolder folder = FastFolder();
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
    RunOver(store, SevenInputs());
  }
  const FeatureStore store = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(store.header().config, Config().dump());
  EXPECT_EQ(store.header().shape, Header().shape);
  EXPECT_EQ(store.header().images_per_shard, 3);
  EXPECT_EQ(store.shards(), 3);
  EXPECT_EQ(store.size(), 6);
  ASSERT_EQ(store.Images().size(), 6u);
  for (const StoredImage& image : store.Images()) {
    EXPECT_EQ(image.hash, "h1");
    EXPECT_EQ(image.patches, 7);
    const Rows rows = store.ReadShard(image.shard);
    ASSERT_EQ(rows.cols(), 2);
    EXPECT_EQ(rows(image.row, 0), ValuesOf(Image(image.name))[0]);
    EXPECT_EQ(rows(image.row, 1), ValuesOf(Image(image.name))[1]);
  }
  ASSERT_EQ(store.Failures().size(), 1u);
  EXPECT_EQ(store.Failures()[0], (Failure{"b.jpg", "is cut off"}));
  EXPECT_TRUE(store.Has("a.jpg", "h1"));
  EXPECT_TRUE(store.Has("b.jpg", "h1"));
  EXPECT_FALSE(store.Has("a.jpg", "h2"));
  EXPECT_FALSE(store.Has("z.jpg", "h1"));
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { store.ReadShard(3); }),
              HasSubstr("shard must be >= 0 and < 3"));
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { store.ReadShard(-1); }), HasSubstr("got -1"));
}

TEST(FeatureStore, SeveralLambdasInDoubleAreOneRowPerImage) {
  TemporaryFolder folder = FastFolder();
  StoreHeader header = Header();
  header.shape = {2, 3};
  header.type = ValueType::kFloat64;
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), header);
    const std::vector<double> values = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, 1e-300};
    store.Append(std::vector{Image("a"), Image("b")}, io_testing::Bytes(values));
  }
  EXPECT_THAT(ReadFile(folder / "shard-000000.npy"), HasSubstr("'<f8', 'fortran_order': False, "
                                                               "'shape': (2, 2, 3)"));
  const FeatureStore store = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(store.header().type, ValueType::kFloat64);
  Rows expected(2, 6);
  expected << 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, 0;
  EXPECT_EQ(store.ReadShard(0), expected);
  EXPECT_EQ(store.ReadShardBytes(0), ReadFile(folder / "shard-000000.npy"));
}

TEST(FeatureStore, TakesFloatsAndDoubles) {
  TemporaryFolder folder = FastFolder();
  const std::vector<StoreEntry> entries = {Image("a"), Bad("b", "bad"), Image("c")};
  Rows rows(2, 2);
  rows << 0.1f, -2, 3e-30f, 0;
  Matrix matrix(2, 2);
  matrix << 0.1, -2, 3e-30, 0;
  StoreHeader header = Header();
  for (const ValueType type : {ValueType::kFloat32, ValueType::kFloat64}) {
    header.type = type;
    const std::string name(Name(type));
    const bool is_float = type == ValueType::kFloat32;
    FeatureStore::OpenToAppend(folder / (name + " rows"), header).Append(entries, rows);
    FeatureStore::OpenToAppend(folder / (name + " matrix"), header).Append(entries, matrix);
    const auto data = [&](const std::string& kind) {
      return ReadFile(folder / (name + kind) / "shard-000000.npy").substr(128);
    };
    const std::vector<float> floats = {0.1f, -2, 3e-30f, 0};
    EXPECT_EQ(data(" rows"),
              is_float ? io_testing::Bytes(floats)
                       : io_testing::Bytes(std::vector<double>(floats.begin(), floats.end())));
    EXPECT_EQ(data(" matrix"), is_float
                                   ? io_testing::Bytes(floats)
                                   : io_testing::Bytes(std::vector<double>{0.1, -2, 3e-30, 0}));
  }
  FeatureStore store = FeatureStore::OpenToAppend(folder / "refused", Header());
  const auto refusal = [&](const ShardValues& values) {
    return MessageOf<InvalidArgument>([&] { store.Append(entries, values); });
  };
  EXPECT_EQ(refusal(Rows(Rows::Ones(3, 2))), "the values of a shard must be 2 x 2, got 3 x 2");
  EXPECT_EQ(refusal(Matrix(Matrix::Ones(2, 4))), "the values of a shard must be 2 x 2, got 2 x 4");
  EXPECT_THAT(refusal(Matrix(Matrix::Constant(2, 2, 1e60))), HasSubstr("beyond the range of f4"));
  EXPECT_THAT(refusal(Rows(Rows::Constant(2, 2, std::nanf("")))), HasSubstr("must be finite"));
  EXPECT_EQ(store.shards(), 0);
  store.Append(std::vector{Bad("a", "bad")}, Rows());
  EXPECT_EQ(store.ReadShard(0).rows(), 0);
}

TEST(FeatureStore, TheSameInputsGiveTheSameBytes) {
  TemporaryFolder folder = FastFolder();
  for (const char* name : {"one", "another"}) {
    FeatureStore store = FeatureStore::OpenToAppend(folder / name, Header());
    RunOver(store, SevenInputs());
  }
  EXPECT_EQ(FilesOf(folder / "one"), FilesOf(folder / "another"));
  for (const auto& [name, bytes] : FilesOf(folder / "one")) {
    EXPECT_EQ(bytes.find(folder.path().filename().string()), std::string::npos) << name;
  }
}

TEST(FeatureStore, ASecondRunHasNothingToDo) {
  TemporaryFolder folder = FastFolder();
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
    RunOver(store, SevenInputs());
  }
  const auto before = FilesOf(folder.path());
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  RunOver(store, SevenInputs());
  EXPECT_EQ(FilesOf(folder.path()), before);
}

TEST(FeatureStore, OfOneNameTheLastCounts) {
  TemporaryFolder folder = FastFolder();
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  Append(store, {Image("a", "h1"), Image("b", "h1")});
  Append(store, {Image("a", "h2")});
  EXPECT_TRUE(store.Has("a", "h2"));
  EXPECT_FALSE(store.Has("a", "h1"));  // changed back: to be appended once more
  EXPECT_EQ(store.size(), 3);
  store.Finish();
  EXPECT_EQ(ReadFile(folder / "index.csv"), "name,shard,row,hash\r\nb,0,1,h1\r\na,1,0,h2\r\n");

  const FeatureStore reader = FeatureStore::OpenToRead(folder.path());
  EXPECT_THAT(NamesOf(reader.Images()), ElementsAre("b", "a"));
  EXPECT_EQ(reader.Images()[1].shard, 1);
  EXPECT_EQ(reader.ReadShard(1)(0, 0), ValuesOf(Image("a", "h2"))[0]);

  Append(store, {Image("a", "h1"), Image("a", "h3")});  // also within one shard
  EXPECT_TRUE(store.Has("a", "h3"));
  EXPECT_EQ(store.Images()[1].row, 1);
  EXPECT_EQ(store.Images().size(), 2u);
}

TEST(FeatureStore, AFailureIsListedUntilTheImageSucceeds) {
  TemporaryFolder folder = FastFolder();
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  Append(store, {Bad("a", "broken"), Bad("b", "broken too", ""), Image("c")});
  EXPECT_EQ(ReadFile(folder / "failures.csv"), "name,reason\r\na,broken\r\nb,broken too\r\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "index.csv"));
  EXPECT_TRUE(store.Has("b", ""));

  Append(store, {Image("a", "h2")});
  EXPECT_EQ(ReadFile(folder / "failures.csv"), "name,reason\r\nb,broken too\r\n");
  // What has become bad has no row that counts: its old row is of other contents.
  Append(store, {Bad("c", "new and bad", "h2")});
  store.Finish();
  EXPECT_EQ(ReadFile(folder / "failures.csv"), "name,reason\r\nb,broken too\r\nc,new and bad\r\n");
  EXPECT_EQ(ReadFile(folder / "index.csv"), "name,shard,row,hash\r\na,1,0,h2\r\n");
  EXPECT_EQ(store.Failures().size(), 2u);
  Append(store, {Image("b"), Image("c")});
  store.Finish();
  EXPECT_EQ(ReadFile(folder / "failures.csv"), "name,reason\r\n");
  EXPECT_THAT(FeatureStore::OpenToRead(folder.path()).Failures(), IsEmpty());
}

TEST(FeatureStore, ALongListOfFailuresIsNotWrittenForEveryFew) {
  TemporaryFolder folder = FastFolder();
  StoreHeader header = Header();
  header.images_per_shard = 2000;
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), header);
  int next = 0;
  const auto append_bad = [&](int count) {
    std::vector<StoreEntry> entries;
    for (int i = 0; i < count; ++i) entries.push_back(Bad(std::to_string(next++), "bad"));
    Append(store, entries);
  };
  const auto lines = [&] { return ParseCsv(ReadFile(folder / "failures.csv")).size() - 1; };
  append_bad(1000);
  EXPECT_EQ(lines(), 1000u);
  append_bad(1);
  EXPECT_EQ(lines(), 1001u);
  append_bad(599);
  EXPECT_EQ(lines(), 1600u);
  append_bad(10);
  EXPECT_EQ(lines(), 1600u);
  append_bad(100);
  EXPECT_EQ(lines(), 1710u);
  append_bad(1);
  store.Finish();
  EXPECT_EQ(lines(), 1711u);
}

TEST(FeatureStore, AShardMayHaveNoRow) {
  TemporaryFolder folder = FastFolder();
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
    Append(store, {Bad("a", "x"), Bad("b", "y")});
    Append(store, {Image("c")});
  }
  const FeatureStore store = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(store.ReadShard(0).rows(), 0);
  EXPECT_EQ(store.ReadShard(0).cols(), 2);
  EXPECT_THAT(NamesOf(store.Images()), ElementsAre("c"));
  EXPECT_EQ(store.Images()[0].shard, 1);
}

TEST(FeatureStore, AnEmptyStoreIsAStore) {
  TemporaryFolder folder = FastFolder();
  FeatureStore::OpenToAppend(folder / "made/with/parents", Header()).Finish();
  const FeatureStore store = FeatureStore::OpenToRead(folder / "made/with/parents");
  EXPECT_EQ(store.shards(), 0);
  EXPECT_THAT(store.Images(), IsEmpty());
  EXPECT_EQ(ReadFile(folder / "made/with/parents/index.csv"), "name,shard,row,hash\r\n");
  EXPECT_EQ(ReadFile(folder / "made/with/parents/failures.csv"), "name,reason\r\n");
}

TEST(FeatureStore, NamesMayHaveAnyBytes) {
  TemporaryFolder folder = FastFolder();
  const std::vector<std::string> names = {"a,b \"c\"",
                                          "line\r\nbreak",
                                          "caf\xc3\xa9",
                                          "caf\xe9 latin-1",
                                          "back\\slash",
                                          "\\x41",
                                          std::string("\0zero", 5),
                                          "A",
                                          " ",
                                          "../%2f"};
  StoreHeader header = Header();
  header.images_per_shard = 100;
  {
    FeatureStore store = FeatureStore::OpenToAppend(folder.path(), header);
    std::vector<StoreEntry> entries;
    for (const std::string& name : names) entries.push_back(Image(name));
    entries.push_back(Bad("\xff", "no, \"\xfe\"\nis bad"));
    Append(store, entries);
    store.Finish();
    for (const std::string& name : names) EXPECT_TRUE(store.Has(name, "h1"));
  }
  const FeatureStore store = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(NamesOf(store.Images()), names);
  for (const std::string& name : names) EXPECT_TRUE(store.Has(name, "h1"));
  ASSERT_EQ(store.Failures().size(), 1u);
  EXPECT_EQ(store.Failures()[0].name, "\xff");
  EXPECT_EQ(store.Failures()[0].reason, "no, \"\xfe\"\nis bad");

  const auto index = ParseCsv(ReadFile(folder / "index.csv"));
  ASSERT_EQ(index.size(), names.size() + 1);
  const std::vector<std::string> escaped = {"a,b \"c\"",
                                            R"(line\x0d\x0abreak)",
                                            "caf\xc3\xa9",
                                            R"(caf\xe9 latin-1)",
                                            R"(back\\slash)",
                                            R"(\\x41)",
                                            R"(\x00zero)",
                                            "A",
                                            " ",
                                            "../%2f"};
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    EXPECT_THAT(index[i + 1], ElementsAre(escaped[i], "0", std::to_string(i), "h1"));
  }
  EXPECT_THAT(ParseCsv(ReadFile(folder / "failures.csv"))[1],
              ElementsAre(R"(\xff)", R"(no, "\xfe"\x0ais bad)"));
}

TEST(FeatureStore, ChecksWhatIsAppended) {
  TemporaryFolder folder = FastFolder();
  FeatureStore store = FeatureStore::OpenToAppend(folder.path(), Header());
  const auto before = FilesOf(folder.path());
  const auto refusal = [&](const std::vector<StoreEntry>& entries, const std::string& values) {
    return MessageOf<InvalidArgument>([&] { store.Append(entries, values); });
  };
  const auto bytes = [](const std::vector<float>& values) { return io_testing::Bytes(values); };
  EXPECT_EQ(refusal({}, ""), "a shard must have 1 to 3 images, got 0");
  EXPECT_EQ(refusal({Image("a"), Image("b"), Image("c"), Bad("d", "x")}, bytes({1, 2, 3, 4, 5, 6})),
            "a shard must have 1 to 3 images, got 4");
  EXPECT_EQ(refusal({Image("")}, bytes({1, 2})), "an image of a shard must have a name, got ''");
  EXPECT_EQ(refusal({Image("a"), Bad("b", "x")}, bytes({1, 2, 3, 4})),
            "the values of a shard must have 8 bytes, got 16");
  EXPECT_EQ(refusal({{"a", "h", -1, 0, ""}}, bytes({1, 2})),
            "a: bytes and patches must be >= 0, got -1 and 0");
  EXPECT_EQ(refusal({{"a", "h", 1, -3, ""}}, bytes({1, 2})),
            "a: bytes and patches must be >= 0, got 1 and -3");
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(refusal({Image("a"), Image("b")}, bytes({1, 2, 3, bad})),
              "the values of a shard must be finite; row 1, column 1 is NaN or infinite");
  }
  EXPECT_EQ(FilesOf(folder.path()), before);
  EXPECT_EQ(store.shards(), 0);

  const FeatureStore kept = std::move(store);
  FeatureStore reader = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { Append(reader, {Image("a")}); }),
            folder.path().string() + " must be opened to append to be written to");
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { reader.Finish(); }), HasSubstr("must be opened"));
}

TEST(FeatureStore, ReadersSeeWhatIsCommittedWhileAWriterWorks) {
  TemporaryFolder folder = FastFolder();
  FeatureStore writer = FeatureStore::OpenToAppend(folder.path(), Header());
  Append(writer, {Image("a"), Image("b")});
  WriteFile(folder / ".shard-000001.npy.tmp-1-0", "half a sh");  // as while a shard is written
  WriteFile(folder / "shard-000001.npy", "no .json yet");
  const FeatureStore reader = FeatureStore::OpenToRead(folder.path());
  EXPECT_EQ(reader.shards(), 1);
  EXPECT_TRUE(std::filesystem::exists(folder / ".shard-000001.npy.tmp-1-0"));
  EXPECT_TRUE(std::filesystem::exists(folder / "shard-000001.npy"));
  Append(writer, {Image("c")});
  EXPECT_EQ(reader.shards(), 1);
  EXPECT_EQ(reader.ReadShard(0).rows(), 2);
  EXPECT_EQ(FeatureStore::OpenToRead(folder.path()).shards(), 2);
}

}  // namespace
}  // namespace alcedo
