// Too little address space, and no threads: the program ends, with its result or with one sentence.
#include <unistd.h>

#include <filesystem>

#include "encode_fixture.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALCEDO_SANITIZED 1
#else
#define ALCEDO_SANITIZED 0
#endif

namespace end_to_end {
namespace {

using testing::StartsWith;
namespace fs = std::filesystem;

constexpr int kTimedOut = 124;  // of timeout(1)

class Limits : public Encode {
 protected:
  Limits() {
    MakePictures("a", 6, 40);
    MakePictures("photos/x", 4, 40);
    MakePictures("photos/y", 4, 40);
    LearnVocabulary();
    WriteFile("bag.npy", Npy(RandomRows(600, 200, 1)));
  }

  // With these words of the shell before it. A run that never ends is a failure, after minutes.
  static Result RunAfter(const std::string& limits, const std::string& args) {
    return RunCommand(
        {"sh", "-c", limits + "exec timeout -k 5 300 " + ALCEDO_PROGRAM + " " + args});
  }
};

TEST_F(Limits, OfAddressSpaceEndInAResultOrASentence) {
  if (ALCEDO_SANITIZED) GTEST_SKIP() << "sanitizers need address space without limit";
  const std::string commands[] = {
      "encode a --vocabulary v.safetensors -o o.npy",
      "learn a -o o.safetensors --pca-dimensions 8 --samples 800 --gaussians 4",
      "train photos -o o.safetensors --gaussians 4",
      "pool bag.npy --solver primal -o o.npy",
      "weights a --vocabulary v.safetensors -o o/",
  };
  int done = 0, refused = 0;
  for (const std::string& command : commands) {
    for (const char* kib : {"100000", "200000", "300000", "1000000"}) {
      for (const char* threads : {"1", "2", "16"}) {
        fs::remove_all("o");
        fs::remove_all("o.safetensors.work");
        const Result result = RunAfter(std::string("ulimit -v ") + kib + "; ",
                                       command + " --quiet --threads " + threads);
        SCOPED_TRACE(command + " " + kib + " KiB, " + threads + " threads: " + result.err);
        ASSERT_NE(result.exit_code, kTimedOut);
        if (result.exit_code == 0) {
          ++done;
          continue;
        }
        ++refused;
        ASSERT_EQ(result.exit_code, 1);
        EXPECT_THAT(result.err, StartsWith("alcedo: "));
        EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
      }
    }
  }
  // The limits are such that both happen.
  EXPECT_GT(done, 0);
  EXPECT_GT(refused, 0);
}

TEST_F(Limits, AnEndlessPipeThatIsNoArrayIsRefusedByItsBeginning) {
  if (ALCEDO_SANITIZED) GTEST_SKIP() << "sanitizers need address space without limit";
  for (const char* input : {"-", "/dev/stdin"}) {
    const Result result =
        RunCommand({"sh", "-c",
                    std::string("yes | (ulimit -v 2000000; exec timeout -k 5 300 ") +
                        ALCEDO_PROGRAM + " pool " + input + " -o o.npy)"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, testing::HasSubstr("is neither a .npy")) << input;
  }
}

TEST_F(Limits, OfProcessesLeaveTheResultAsItIs) {
  if (ALCEDO_SANITIZED) GTEST_SKIP() << "the leak checker needs a process of its own";
  fs::copy_file(ALCEDO_PROGRAM, "alcedo");
  fs::permissions(".", fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all);
  const Args program{"./alcedo", "encode", "a",       "--vocabulary", "v.safetensors",
                     "-o",       "o.npy",  "--quiet", "--threads",    "16"};
  Args limited{"timeout", "-k", "5", "300"};
  if (geteuid() != 0) {
    limited = limited + Args{"sh", "-c", "ulimit -u 1; exec \"$@\"", "sh"};
  } else if (HasCommand("setpriv") && HasCommand("prlimit")) {
    // These limits do not hold for root: a user without any other process.
    limited = limited + Args{"setpriv",        "--reuid=61234", "--regid=61234",
                             "--clear-groups", "prlimit",       "--nproc=1"};
  } else {
    GTEST_SKIP() << "without setpriv and prlimit root cannot become another user";
  }
  Succeed({"encode", "a", "--vocabulary", "v.safetensors", "-o", "expected.npy", "--quiet"});
  const Result result = RunCommand(limited + program);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(ReadFile("o.npy") == ReadFile("expected.npy"));
}

}  // namespace
}  // namespace end_to_end
