// Files of a run that is resumed, damaged by a byte: the result is that of an undisturbed run, or
// the run is refused with a sentence. Never another result.
#include <signal.h>

#include <filesystem>
#include <functional>
#include <map>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// Every file below a folder, by its path in there.
std::map<std::string, std::string> Below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[fs::relative(entry.path(), folder).string()] = ReadFile(entry.path());
  }
  return files;
}

void Put(const fs::path& folder, const std::map<std::string, std::string>& files) {
  fs::remove_all(folder);
  for (const auto& [name, bytes] : files) WriteFile(folder / name, bytes);
}

struct Outcomes {
  int same = 0, refused = 0;
};

// Flips a byte at `positions` places of every file of the folder, one after the other, and runs.
// `result` gives what must not change.
Outcomes DamageAll(const fs::path& folder, const std::map<std::string, std::string>& files,
                   std::size_t positions, const Args& args, const std::string& expected,
                   const std::function<std::string()>& result,
                   const std::function<void()>& before) {
  Outcomes outcomes;
  for (const auto& [name, good] : files) {
    for (std::size_t i = 0; i < positions && i < good.size(); ++i) {
      const std::size_t at = (2 * i + 1) * good.size() / (2 * positions);
      std::map<std::string, std::string> bad = files;
      bad[name][at] = static_cast<char>(bad[name][at] ^ 2);
      Put(folder, bad);
      before();
      const Result run = RunProgram(args);
      SCOPED_TRACE(name + " at " + std::to_string(at) + ": " + run.err);
      if (run.exit_code == 0) {
        EXPECT_TRUE(result() == expected);
        ++outcomes.same;
      } else {
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_THAT(run.err, HasSubstr("alcedo: "));
        ++outcomes.refused;
      }
    }
  }
  return outcomes;
}

class Damage : public EndToEnd {
 protected:
  Damage() {
    Succeed({"synth", "photos", "--classes", "2", "--images", "8", "--width", "64", "--height",
             "64", "--quiet"});
  }
};

TEST_F(Damage, OfAStoreIsMendedByEncoding) {
  const Args encode{"encode", "photos", "--images-per-shard", "5", "-o", "store/", "--quiet"};
  Succeed(encode);
  const auto files = Below("store");
  const auto text = [](const std::map<std::string, std::string>& all) {
    std::string joined;
    for (const auto& [name, bytes] : all) joined += name + bytes;
    return joined;
  };
  const Outcomes outcomes = DamageAll(
      "store", files, 4, encode, text(files), [&] { return text(Below("store")); }, [] {});
  EXPECT_GT(outcomes.same, 10);
  // And it says so.
  auto bad = files;
  bad["shard-000001.npy"].back() = static_cast<char>(bad["shard-000001.npy"].back() ^ 1);
  Put("store", bad);
  Args loud = encode;
  loud.pop_back();
  const Result result = RunProgram(loud);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err + result.out, HasSubstr("store/shard-000001.npy: was changed"));
}

TEST_F(Damage, OfATrainingRunIsNoticed) {
  const Args args{"train",       "photos", "-o",     "m.safetensors", "--samples", "2000",
                  "--gaussians", "8",      "--work", "work",          "--quiet"};
  Succeed(args);
  const std::string expected = ReadFile("m.safetensors");
  fs::remove("m.safetensors");
  // Killed when there are vectors, but no model.
  const pid_t process = StartProgram(args);
  WaitUntil(process, [] { return fs::exists("work/sift/shard-000000.json"); });
  kill(process, SIGKILL);
  WaitFor(process);
  if (fs::exists("m.safetensors")) GTEST_SKIP() << "it was done before it could be killed";
  const auto files = Below("work");
  ASSERT_TRUE(files.contains("sift.safetensors"));
  const Outcomes outcomes = DamageAll(
      "work", files, 4, args, expected, [] { return ReadFile("m.safetensors"); },
      [] { fs::remove("m.safetensors"); });
  EXPECT_GT(outcomes.refused, 0);
  EXPECT_GT(outcomes.same, 0);
}

TEST_F(Damage, OfAnExperimentIsNoticed) {
  const Args args{"reproduce",      "--data", "photos", "--dataset", "folder", "--lite",
                  "--table",        "1",      "-o",     "out",       "--work", "work",
                  "--keep-vectors", "--quiet"};
  Succeed(args);
  const std::string expected = ReadFile("out/results.csv");
  const auto files = Below("work");
  const Outcomes outcomes = DamageAll(
      "work", files, 1, args, expected, [] { return ReadFile("out/results.csv"); },
      [] { fs::remove_all("out"); });
  EXPECT_GT(outcomes.refused, 0);
  EXPECT_GT(outcomes.same, 0);
}

}  // namespace
}  // namespace end_to_end
