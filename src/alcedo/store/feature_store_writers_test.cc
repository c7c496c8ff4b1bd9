// Several writers of one store, and the gaps that they leave for each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "alcedo/base/error.h"
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
using store_testing::BytesOf;
using store_testing::FastFolder;
using store_testing::FilesOf;
using store_testing::Header;
using store_testing::Image;
using store_testing::RunOver;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Six shards, the last with one image.
std::vector<StoreEntry> Inputs() {
  std::vector<StoreEntry> inputs;
  for (char c = 'a'; c < 'a' + 16; ++c) {
    inputs.push_back(c % 5 == 0 ? Bad({c}, "is cut off") : Image({c}));
  }
  return inputs;
}

std::vector<Index> RunShare(const fs::path& folder, const std::vector<StoreEntry>& inputs,
                            const Share& share, int most = 1000) {
  FeatureStore store = FeatureStore::OpenToAppend(folder, Header(), share);
  return store_testing::RunPlanned(store, inputs, most);
}

std::string ArrayFile(Index shard) {
  char name[32];
  snprintf(name, sizeof name, "shard-%06d.npy", static_cast<int>(shard));
  return name;
}

class FeatureStoreWriters : public ::testing::Test {
 protected:
  FeatureStoreWriters() {
    FeatureStore store = FeatureStore::OpenToAppend(folder / "reference", Header());
    RunOver(store, Inputs());
    reference = FilesOf(folder / "reference");
  }

  TemporaryFolder folder = FastFolder();
  const fs::path path = folder / "store";
  std::map<std::string, std::string> reference;
};

TEST_F(FeatureStoreWriters, OneAfterTheOtherInAnyOrder) {
  for (const std::vector<int>& order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    const fs::path store = folder / ("order" + std::to_string(order[0]));
    for (const int rank : order) RunShare(store, Inputs(), {rank, 3});
    EXPECT_EQ(FilesOf(store), reference);
  }
}

TEST_F(FeatureStoreWriters, AWriterWritesItsOwnShardsOnly) {
  EXPECT_THAT(RunShare(path, Inputs(), {1, 2}), ElementsAre(0, 2, 4));
  std::vector<std::string> names;
  for (const auto& [name, bytes] : FilesOf(path)) {
    names.push_back(name);
    EXPECT_EQ(bytes, reference.at(name));
  }
  EXPECT_THAT(names, ElementsAre("shard-000001.json", "shard-000001.npy", "shard-000003.json",
                                 "shard-000003.npy", "shard-000005.json", "shard-000005.npy",
                                 "store.json"));
}

TEST_F(FeatureStoreWriters, AtTheSameTimeInThreads) {
  for (int repetition = 0; repetition < 10; ++repetition) {
    const fs::path store = folder / ("threads" + std::to_string(repetition));
    std::vector<std::thread> threads;
    for (Index rank = 0; rank < 4; ++rank) {
      threads.emplace_back([&store, rank] { RunShare(store, Inputs(), {rank, 4}); });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(FilesOf(store), reference) << repetition;
  }
}

// In a process of its own that is killed after so many shards.
void KillAfter(const fs::path& store, const Share& share, int shards) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      RunShare(store, Inputs(), share, shards);
    } catch (const std::exception&) {
      _exit(1);
    }
    // As in the middle of the next one.
    const Index next = share.rank + share.ranks * shards;
    std::string temporary = ArrayFile(next) + ".tmp-1-1";
    temporary.insert(temporary.begin(), '.');
    WriteFile(store / temporary, "half");
    WriteFile(store / ArrayFile(next), "no .json");
    raise(SIGKILL);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(FeatureStoreWriters, OneIsKilledBetweenItsShardsAndResumed) {
  for (const int shards : {0, 1, 2}) {
    const fs::path store = folder / ("killed" + std::to_string(shards));
    KillAfter(store, {0, 2}, shards);
    RunShare(store, Inputs(), {1, 2});  // does not touch what the other left behind
    EXPECT_EQ(ReadFile(store / ArrayFile(2 * shards)), "no .json");
    EXPECT_FALSE(fs::exists(store / "index.csv"));
    EXPECT_EQ(FeatureStore::OpenToRead(store).Missing().size(),
              static_cast<std::size_t>(3 - shards));
    EXPECT_THAT(RunShare(store, Inputs(), {0, 2}), IsEmpty());
    EXPECT_EQ(FilesOf(store), reference);
  }
}

TEST_F(FeatureStoreWriters, AnotherNumberOfWritersCanResume) {
  for (const Index ranks : {1, 2, 5}) {
    const fs::path store = folder / ("resumed" + std::to_string(ranks));
    KillAfter(store, {2, 3}, 1);
    KillAfter(store, {0, 3}, 1);
    for (Index rank = ranks - 1; rank >= 0; --rank) RunShare(store, Inputs(), {rank, ranks});
    EXPECT_EQ(FilesOf(store), reference) << ranks;
  }
}

TEST_F(FeatureStoreWriters, AShardThatIsWrittenTwiceStaysTheSame) {
  {
    FeatureStore store = FeatureStore::OpenToAppend(path, Header(), {0, 2});
    // Somebody else writes all shards meanwhile.
    for (const auto& [name, bytes] : reference) WriteFile(path / name, bytes);
    const std::vector<StoreEntry> inputs = Inputs();
    Append(store, {inputs.begin(), inputs.begin() + 3});
    EXPECT_THAT(store.Finish(), IsEmpty());
    EXPECT_EQ(store.shards(), 6);
  }
  EXPECT_EQ(FilesOf(path), reference);
}

TEST_F(FeatureStoreWriters, ReadersSeeGaps) {
  RunShare(path, Inputs(), {1, 2});
  const FeatureStore store = FeatureStore::OpenToRead(path);
  EXPECT_EQ(store.shards(), 6);
  EXPECT_THAT(store.Missing(), ElementsAre(0, 2, 4));
  EXPECT_TRUE(store.HasShard(1));
  EXPECT_FALSE(store.HasShard(2));
  EXPECT_TRUE(store.Has("d", "h1"));
  EXPECT_FALSE(store.Has("a", "h1"));
  EXPECT_GT(store.ReadShard(1).rows(), 0);
  EXPECT_EQ(MessageOf<IoError>([&] { store.ReadShard(2); }),
            (path / "shard-000002.npy").string() + ": is missing: its writer has not written it");
  std::vector<Index> shards;
  for (const StoredImage& image : store.Images()) shards.push_back(image.shard);
  EXPECT_TRUE(std::ranges::is_sorted(shards));
}

TEST_F(FeatureStoreWriters, TwoOfOneShareAreRefused) {
  const FeatureStore first = FeatureStore::OpenToAppend(path, Header(), {0, 2});
  const auto refused = [&](const Share& share) {
    return MessageOf<InvalidArgument>([&] { FeatureStore::OpenToAppend(path, Header(), share); });
  };
  const std::string sentence =
      path.string() +
      " is being written by another run; wait until it ends, or choose another folder";
  EXPECT_EQ(refused({0, 2}), sentence);
  EXPECT_EQ(refused({0, 1}), sentence);
  EXPECT_EQ(refused({0, 3}), sentence);
  EXPECT_EQ(refused({1, 3}), sentence);  // its shards are also those of the other
  const FeatureStore second = FeatureStore::OpenToAppend(path, Header(), {1, 2});
  EXPECT_EQ(refused({1, 2}), sentence);
  EXPECT_EQ(refused({1, 4}), sentence);
  EXPECT_EQ(refused({-1, 2}), "share.rank must be >= 0 and < 2, got -1");
  EXPECT_EQ(refused({2, 2}), "share.rank must be >= 0 and < 2, got 2");
  EXPECT_EQ(refused({0, 0}), "share.ranks must be >= 1, got 0");
}

TEST_F(FeatureStoreWriters, AppendTakesTheNextShardOfTheWriter) {
  FeatureStore store = FeatureStore::OpenToAppend(path, Header(), {1, 2});
  Append(store, {Image("a")});
  Append(store, {Image("b")});
  EXPECT_THAT(store.Missing(), ElementsAre(0, 2));
  const auto refusal = [&](Index shard, const StoreEntry& entry) {
    return MessageOf<InvalidArgument>(
        [&] { store.Append(shard, std::vector{entry}, BytesOf({entry})); });
  };
  EXPECT_EQ(refusal(2, Image("c")), "shard must be 1 modulo 2, got 2");
  EXPECT_EQ(refusal(-1, Image("c")), "shard must be 1 modulo 2, got -1");
  EXPECT_EQ(refusal(3, Image("c")), "shard must be one that is not there, got 3");
}

// What is appended later must be what is valid, so it never goes into a gap before its old entry.
TEST_F(FeatureStoreWriters, ChangedImagesDoNotFillGapsBeforeThem) {
  {
    FeatureStore store = FeatureStore::OpenToAppend(path, Header(), {1, 2});
    Append(store, {Image("a", "h1"), Image("b")});
  }
  FeatureStore store = FeatureStore::OpenToAppend(path, Header());
  EXPECT_THAT(store.Missing(), ElementsAre(0));
  const std::vector<std::string> names = {"c", "a", "d", "e", "f", "g", "a"};
  EXPECT_THAT(store.Plan(names),
              ElementsAre(PlannedShard{2, 0, 3}, PlannedShard{0, 3, 3}, PlannedShard{3, 6, 1}));
  EXPECT_THAT(MessageOf<InvalidArgument>([&] {
                store.Append(0, std::vector{Image("a", "h2")}, BytesOf({Image("a", "h2")}));
              }),
              HasSubstr("shard must be later than the shards of its images, got 0"));
  Append(store, {Image("a", "h2")});
  EXPECT_TRUE(store.Has("a", "h2"));
  Append(store, {Image("c")});
  EXPECT_THAT(store.Missing(), IsEmpty());
  store.Finish();
  EXPECT_EQ(ReadFile(path / "index.csv"),
            "name,shard,row,hash\r\nc,0,0,h1\r\nb,1,1,h1\r\na,2,0,h2\r\n");
}

// Shards of others may be read in another order than they were written in.
TEST_F(FeatureStoreWriters, TheLastShardIsValidInWhateverOrderTheyAreSeen) {
  FeatureStore second = FeatureStore::OpenToAppend(path, Header(), {1, 2});
  Append(second, {Image("a", "h2"), Bad("b", "new and bad", "h2"), Image("c", "h2")});
  FeatureStore first = FeatureStore::OpenToAppend(path / ".." / "other", Header(), {0, 2});
  Append(first, {Image("a", "h1"), Image("b", "h1"), Bad("c", "old and bad", "h1")});
  for (const char* name : {"shard-000000.npy", "shard-000000.json"}) {
    fs::copy_file(folder / "other" / name, path / name);
  }
  EXPECT_THAT(second.Finish(), IsEmpty());
  EXPECT_TRUE(second.Has("a", "h2"));
  EXPECT_EQ(ReadFile(path / "index.csv"), "name,shard,row,hash\r\na,1,0,h2\r\nc,1,1,h2\r\n");
  EXPECT_EQ(ReadFile(path / "failures.csv"), "name,reason\r\nb,new and bad\r\n");
}

}  // namespace
}  // namespace alcedo
