// The completion script in a real bash, and the copy the program prints.
#include "fixture.h"

namespace end_to_end {
namespace {

class Completion : public EndToEnd {
 protected:
  // What bash offers for the last of `words`, one a line.
  static std::string Complete(const std::string& words, int count) {
    const std::string script = "PATH=$(dirname '" ALCEDO_PROGRAM
                               "'):$PATH\n"
                               "source <(alcedo completion bash)\n"
                               "COMP_WORDS=(" +
                               words +
                               ")\n"
                               "COMP_CWORD=" +
                               std::to_string(count - 1) +
                               "\n"
                               "function=$(complete -p alcedo | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
                               "$function alcedo\n"
                               "printf '%s\\n' \"${COMPREPLY[@]}\"";
    const Result result = RunCommand({"bash", "-c", script});
    EXPECT_EQ(result.err, "");
    return result.out;
  }
};

TEST_F(Completion, TheProgramPrintsTheInstalledScript) {
  EXPECT_EQ(Succeed({"completion", "bash"}).out, ReadFile(ALCEDO_COMPLETION_SCRIPT));
}

TEST_F(Completion, Commands) {
  EXPECT_EQ(Complete("alcedo p", 2), "pool\n");
  EXPECT_EQ(Complete("alcedo e", 2), "encode\nevaluate\n");
  EXPECT_EQ(Complete("alcedo --v", 2), "--version\n");
  EXPECT_EQ(Complete("alcedo completion ''", 3), "bash\n--help\n");
}

TEST_F(Completion, OptionsAndTheirValues) {
  EXPECT_EQ(Complete("alcedo pool a.npy --lam", 4), "--lambda\n--lambda-relative\n");
  EXPECT_EQ(Complete("alcedo pool --pooling s", 4), "sum\nsoftmax\n");
  EXPECT_EQ(Complete("alcedo pool --solver '=' d", 5), "direct\ndual\n");
  EXPECT_EQ(Complete("alcedo learn in --kind k", 5), "kmeans\n");
  EXPECT_EQ(Complete("alcedo encode in --fv-as", 4), "--fv-assignment\n");
  EXPECT_EQ(Complete("alcedo encode in --encoder s", 5), "soft-bov\nsparse\nsv\n");
  EXPECT_EQ(Complete("alcedo info --js", 3), "--json\n");
  EXPECT_EQ(Complete("alcedo pool a", 3), "\n");  // bash completes the file
}

}  // namespace
}  // namespace end_to_end
