// Ctrl-C in the middle of a folder, and going on after it.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr int kBags = 400;

class Interrupt : public EndToEnd {
 protected:
  Interrupt() {
    // Large enough that the bags take seconds, of a kind whose result is checked elsewhere.
    const std::string bytes = Npy(RandomRows(1500, 300, 1));
    for (int i = 0; i < kBags; ++i) WriteFile("in/" + std::to_string(1000 + i) + ".npy", bytes);
  }

  static std::size_t Written() {
    std::size_t count = 0;
    if (!fs::exists("out")) return 0;
    for (const auto& entry : fs::directory_iterator("out")) {
      count += entry.path().extension() == ".npy" ? 1 : 0;
    }
    return count;
  }
};

TEST_F(Interrupt, LeavesWholeBagsAndResumes) {
  const Args args{"pool", "in", "-o", "out/", "--lambda", "1e-3", "--solver", "primal"};
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    Args resumed = args;
    resumed.push_back("--resume");
    const std::size_t before = Written();
    const pid_t process = StartProgram(resumed);
    while (Written() < before + 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(process, signal_number);
    EXPECT_EQ(WaitFor(process), 130);
    const std::size_t after = Written();
    ASSERT_LT(after, std::size_t{kBags});  // it was interrupted, not finished
    EXPECT_THAT(ReadFile(".stderr"),
                HasSubstr("alcedo: interrupted after " + std::to_string(after) + " of " +
                          std::to_string(kBags) + " bags"));
    EXPECT_THAT(ReadFile(".stderr"), HasSubstr("--resume"));
    for (const auto& entry : fs::directory_iterator("out")) {
      const std::string name = entry.path().filename();
      if (name == "alcedo.json") continue;
      ASSERT_EQ(entry.path().extension(), ".npy") << name;  // no temporary file is left
      EXPECT_EQ(ParseNpy(ReadFile(entry.path())).shape, (std::vector<std::size_t>{300}));
    }
  }
  // The rest of it, with few bags left to do.
  for (int i = 40; i < kBags; ++i) fs::remove("in/" + std::to_string(1000 + i) + ".npy");
  Args resumed = args;
  resumed.push_back("--resume");
  Succeed(resumed);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(fs::exists("out/" + std::to_string(1000 + i) + ".npy"));
}

TEST_F(Interrupt, WritesNothingOfAStack) {
  const pid_t process = StartProgram({"pool", "in", "-o", "out.npy", "--solver", "primal"});
  // Not a race that matters: whenever the signal comes before the end, there must be nothing.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(process, SIGINT);
  const int exit_code = WaitFor(process);
  EXPECT_TRUE(exit_code == 130 || exit_code == 1000 + SIGINT) << exit_code;
  EXPECT_EQ(FilesHere(), (std::vector<std::string>{".stderr", ".stdin", ".stdout", "in"}));
}

}  // namespace
}  // namespace end_to_end
