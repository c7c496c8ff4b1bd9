// A run into a feature store that is killed at any moment, and goes on.
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "encode_fixture.h"
#include "until_signal.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kKills = 50;

class StoreKill : public Encode {
 protected:
  StoreKill() {
    MakePictures("in", 24, 40);
    WriteFile("in/bad.png", "this is a text");
    WriteFile("in/p0007x.jpg", TinyJpeg().substr(0, 100));
    LearnOfPictures();
  }

  static void LearnOfPictures() { RunProgram(SmallLearn("in", "v.safetensors")); }

  static Args Run(const std::string& output) {
    return EncodeArgs({"in", "-o", output, "--images-per-shard", "3", "--lambda", "1,10"});
  }

  // The shards that count: those with a .json.
  static std::map<std::string, std::string> Committed(const std::string& folder) {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder)) return files;
    const auto all = FilesBelow(folder);
    for (const auto& [name, bytes] : all) {
      if (!name.starts_with("shard-") || !name.ends_with(".json")) continue;
      const std::string array = fs::path(name).replace_extension(".npy");
      files[name] = bytes;
      EXPECT_TRUE(all.count(array)) << name;
      if (all.count(array) > 0) files[array] = all.at(array);
    }
    return files;
  }

  // Reads nothing: files of a run under way come and go.
  static int CountShards(const std::string& folder) {
    int count = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const std::string name = entry.path().filename();
      count += name.starts_with("shard-") && name.ends_with(".json") ? 1 : 0;
    }
    return count;
  }

  static void ExpectPartOf(const std::map<std::string, std::string>& part,
                           const std::map<std::string, std::string>& whole) {
    for (const auto& [name, bytes] : part) {
      ASSERT_TRUE(whole.count(name)) << name;
      EXPECT_EQ(bytes, whole.at(name)) << name;
    }
  }
};

TEST_F(StoreKill, LosesNothingAndEndsTheSame) {
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(RunProgram(Run("whole")).exit_code, 3);
  const auto duration = Clock::now() - start;
  const auto whole = FilesBelow("whole");
  ASSERT_EQ(Committed("whole").size(), 2u * 9);

  std::mt19937 random(4);
  int killed = 0;
  bool halfway = false;
  for (int i = 0; i < kKills; ++i) {
    const auto before = Committed("store");
    const pid_t process = StartProgram(Run("store"));
    std::this_thread::sleep_for(duration * (random() % 1000) / 1000.0);
    kill(process, SIGKILL);
    killed += WaitFor(process) == 1000 + SIGKILL ? 1 : 0;
    const auto after = Committed("store");
    ExpectPartOf(before, after);
    ExpectPartOf(after, whole);
    halfway = halfway || (!after.empty() && after.size() < 2u * 9);
    // Sometimes it is killed again before it comes to the end.
    if (random() % 3 == 0) continue;
    EXPECT_EQ(RunProgram(Run("store")).exit_code, 3);
    EXPECT_EQ(FilesBelow("store"), whole);
    fs::remove_all("store");
  }
  EXPECT_GT(killed, 0);
  EXPECT_TRUE(halfway);
}

TEST_F(StoreKill, StopsCleanlyWhenAskedTo) {
  EXPECT_EQ(RunProgram(Run("whole")).exit_code, 3);
  for (const int signal_number : {SIGINT, SIGTERM}) {
    EXPECT_EQ(EndBySignal(
                  Run("store"), signal_number, [] { fs::remove_all("store"); },
                  [] { return CountShards("store") > 0; }, 3),
              130);
    EXPECT_THAT(ReadFile(".stderr"), HasSubstr("alcedo: interrupted with " +
                                               std::to_string(3 * Committed("store").size() / 2) +
                                               " of 26 images stored; run the same command again"));
    // No write was cut off.
    for (const auto& [name, bytes] : FilesBelow("store")) {
      EXPECT_EQ(name.find(".tmp"), std::string::npos) << name;
    }
  }
  EXPECT_EQ(RunProgram(Run("store")).exit_code, 3);
  EXPECT_EQ(FilesBelow("store"), FilesBelow("whole"));
}

TEST_F(StoreKill, WritesNothingOfAFile) {
  // Earlier and earlier, until it is killed: at the latest before it has begun.
  auto wait = std::chrono::microseconds(4000);
  const auto asleep = [&] {
    std::this_thread::sleep_for(wait);
    wait /= 2;
    return true;
  };
  ASSERT_EQ(
      EndBySignal(
          EncodeArgs({"in", "-o", "out.npy"}), SIGKILL, [] { fs::remove("out.npy"); }, asleep),
      1000 + SIGKILL);
  // At worst a hidden file that was not finished.
  for (const std::string& name : FilesHere()) {
    EXPECT_TRUE(name == "in" || name == "v.safetensors" || name == "v.safetensors.failures.csv" ||
                name.starts_with("."))
        << name;
  }
}

}  // namespace
}  // namespace end_to_end
