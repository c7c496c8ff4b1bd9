// Kills writers at every operation that changes a folder, and at random moments, and compares what
// the next run makes of it with an undisturbed store, byte for byte.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "alcedo/base/error.h"
#include "alcedo/store/feature_store_testing.h"

namespace {

// In a child that is to die: the operations left until then, and whether it dies in the middle of
// the last one (of a write, when half of the bytes are written) or before it.
struct Death {
  int operations = 0;  // 0: none
  bool midway = false;
};
Death g_death;

// Counts an operation; true if it must be left half done.
bool DiesNow() {
  if (g_death.operations == 0 || --g_death.operations > 0) return false;
  if (g_death.midway) return true;
  raise(SIGKILL);
  return false;
}

}  // namespace

// These stand before the system library's: the store's own code is what runs. Bytes survive the
// death of a process without reaching the disk, so flushing is only counted, and the test is fast.
extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  if (!DiesNow()) return syscall(SYS_write, file, bytes, size);
  syscall(SYS_write, file, bytes, size / 2);
  raise(SIGKILL);
  return -1;
}
extern "C" int fsync(int /*file*/) {
  if (DiesNow()) raise(SIGKILL);
  return 0;
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (!DiesNow()) return static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
  syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
  raise(SIGKILL);
  return -1;
}
extern "C" int unlink(const char* path) noexcept {
  if (!DiesNow()) return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
  syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  raise(SIGKILL);
  return -1;
}

namespace alcedo {
namespace {

using store_testing::Bad;
using store_testing::FilesOf;
using store_testing::Header;
using store_testing::Image;
using store_testing::RunOver;

// Two runs over a collection that changes between them.
const std::vector<std::vector<StoreEntry>>& Runs() {
  static const std::vector<std::vector<StoreEntry>> runs = {
      {Image("a"), Image("b"), Bad("c", "cut off"), Image("d"), Image("e"), Image("f"),
       Bad("g", "no image"), Image("h")},
      {Image("a", "h2"), Image("b"), Image("c", "h2"), Image("d"), Bad("e", "now bad", "h2"),
       Image("f"), Bad("g", "no image"), Image("h"), Image("i"), Image("j")}};
  return runs;
}

void RunOnce(const std::filesystem::path& folder, std::size_t run, const Share& share = {}) {
  FeatureStore store = FeatureStore::OpenToAppend(folder, Header(), share);
  if (share.ranks == 1) {
    RunOver(store, Runs()[run]);
  } else {
    store_testing::RunPlanned(store, Runs()[run]);
  }
}

// The same in a process of its own; false if it was killed.
template <class Interrupt>
bool RunInChild(const std::filesystem::path& folder, std::size_t run, const Death& death,
                const Interrupt& interrupt, const Share& share = {}) {
  const pid_t child = fork();
  if (child == 0) {
    g_death = death;
    try {
      RunOnce(folder, run, share);
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  interrupt(child);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) {
    EXPECT_EQ(WEXITSTATUS(status), 0) << "a run failed";
    return true;
  }
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  return false;
}
bool RunInChild(const std::filesystem::path& folder, std::size_t run, const Death& death) {
  return RunInChild(folder, run, death, [](pid_t) {});
}

class FeatureStoreCrash : public ::testing::Test {
 protected:
  FeatureStoreCrash() {
    for (std::size_t run = 0; run < Runs().size(); ++run) {
      RunOnce(folder / "reference", run);
      references.push_back(FilesOf(folder / "reference"));
    }
  }

  // A store that was killed can be read at once, and what it has is what it should have.
  void CheckReadable(const std::filesystem::path& path, std::size_t run) const {
    if (!std::filesystem::exists(path / "store.json")) return;
    const FeatureStore store = FeatureStore::OpenToRead(path);
    for (Index shard = 0; shard < store.shards(); ++shard) {
      if (!store.HasShard(shard)) continue;
      store.ReadShard(shard);
      char name[32];
      snprintf(name, sizeof name, "shard-%06d.json", static_cast<int>(shard));
      EXPECT_EQ(io_testing::ReadFile(path / name), references[run].at(name));
    }
  }

  io_testing::TemporaryFolder folder = store_testing::FastFolder();
  std::vector<std::map<std::string, std::string>> references;  // after each run
};

TEST_F(FeatureStoreCrash, AtEveryOperation) {
  int kills = 0;
  for (std::size_t run = 0; run < Runs().size(); ++run) {
    for (const bool midway : {false, true}) {
      bool killed = true;
      for (int operations = 1; killed; ++operations) {
        const std::filesystem::path path =
            folder / (std::to_string(run) + (midway ? "m" : "b") + std::to_string(operations));
        for (std::size_t before = 0; before < run; ++before) RunOnce(path, before);
        killed = !RunInChild(path, run, {operations, midway});
        kills += killed ? 1 : 0;
        CheckReadable(path, run);
        RunOnce(path, run);
        ASSERT_EQ(FilesOf(path), references[run])
            << "run " << run << ", killed " << (midway ? "in" : "before") << " operation "
            << operations;
      }
    }
  }
  EXPECT_GT(kills, 100);
}

TEST_F(FeatureStoreCrash, OneOfTwoWriters) {
  int kills = 0;
  for (std::size_t run = 0; run < Runs().size(); ++run) {
    for (const int rank : {0, 1}) {
      bool killed = true;
      for (int operations = 1; killed; ++operations) {
        const std::filesystem::path path =
            folder /
            (std::to_string(run) + "of" + std::to_string(rank) + "-" + std::to_string(operations));
        for (std::size_t before = 0; before < run; ++before) RunOnce(path, before);
        killed = !RunInChild(path, run, {operations, operations % 2 == 0}, [](pid_t) {}, {rank, 2});
        kills += killed ? 1 : 0;
        CheckReadable(path, run);
        RunOnce(path, run, {1 - rank, 2});
        CheckReadable(path, run);
        RunOnce(path, run, {rank, 2});
        ASSERT_EQ(FilesOf(path), references[run])
            << "run " << run << ", writer " << rank << " killed in operation " << operations;
      }
    }
  }
  EXPECT_GT(kills, 40);
}

TEST_F(FeatureStoreCrash, AgainAndAgain) {
  std::mt19937 random(7);
  int kills = 0;
  for (int repetition = 0; repetition < 12; ++repetition) {
    const std::filesystem::path path = folder / ("again" + std::to_string(repetition));
    for (std::size_t run = 0; run < Runs().size(); ++run) {
      // A run that is always killed early never ends: the limit grows.
      int most = 8;
      while (!RunInChild(path, run, {1 + static_cast<int>(random() % most), random() % 2 == 0})) {
        ++kills;
        ++most;
        CheckReadable(path, run);
      }
      ASSERT_EQ(FilesOf(path), references[run]) << "repetition " << repetition << ", run " << run;
    }
  }
  EXPECT_GT(kills, 50);
}

TEST_F(FeatureStoreCrash, AtRandomMoments) {
  std::mt19937 random(11);
  for (int repetition = 0; repetition < 60; ++repetition) {
    const std::filesystem::path path = folder / ("moment" + std::to_string(repetition));
    RunInChild(path, 0, {}, [&](pid_t child) {
      usleep(random() % 2000);
      kill(child, SIGKILL);
    });
    CheckReadable(path, 0);
    RunOnce(path, 0);
    ASSERT_EQ(FilesOf(path), references[0]) << "repetition " << repetition;
  }
}

}  // namespace
}  // namespace alcedo
