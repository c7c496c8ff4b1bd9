// The completion scripts in real shells, and the copies the program prints.
#include "fixture.h"

namespace end_to_end {
namespace {

class Completion : public EndToEnd {
 protected:
  static std::string Run(const Args& shell, const std::string& script) {
    Args command = shell;
    command.push_back(script);
    const Result result = RunCommand(command);
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  static constexpr const char* kPath = "PATH=$(dirname '" ALCEDO_PROGRAM "'):$PATH\n";

  // What bash offers for the last of `words`, one a line.
  static std::string Complete(const std::string& words, int count) {
    return Run({"bash", "-c"},
               std::string(kPath) + "source <(alcedo completion bash)\nCOMP_WORDS=(" + words +
                   ")\nCOMP_CWORD=" + std::to_string(count - 1) +
                   "\nfunction=$(complete -p alcedo | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
                   "$function alcedo\n"
                   "printf '%s\\n' \"${COMPREPLY[@]}\"");
  }

  // What zsh would add for the last of `words`, with the functions of its completion system
  // replaced by such that print; "files" where it looks for files.
  static std::string CompleteInZsh(const std::string& words) {
    return Run({"zsh", "-f", "-c"}, std::string(kPath) +
                                        "compdef() { }\n"
                                        "compadd() { shift; print -l -- $IPREFIX${^@}; }\n"
                                        "_files() { print files; }\n"
                                        "source <(alcedo completion zsh)\nwords=(" +
                                        words +
                                        ")\nCURRENT=$#words PREFIX=$words[-1] IPREFIX=\n"
                                        "_alcedo");
  }

  // What fish offers at the end of a command line, sorted.
  static std::string CompleteInFish(const std::string& line) {
    return Run({"fish", "--no-config", "-c"}, "set PATH (dirname '" ALCEDO_PROGRAM
                                              "') $PATH\n"
                                              "alcedo completion fish | source\n"
                                              "complete -C '" +
                                                  line + "' | sort");
  }
};

TEST_F(Completion, TheProgramPrintsTheInstalledScripts) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(Succeed({"completion", shell}).out,
              ReadFile(std::string(ALCEDO_COMPLETIONS) + "/alcedo." + shell));
  }
}

TEST_F(Completion, Commands) {
  EXPECT_EQ(Complete("alcedo p", 2), "pool\n");
  EXPECT_EQ(Complete("alcedo e", 2), "encode\nevaluate\n");
  EXPECT_EQ(Complete("alcedo --v", 2), "--version\n");
  EXPECT_EQ(Complete("alcedo completion ''", 3), "bash\nzsh\nfish\n--help\n");
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

TEST_F(Completion, Zsh) {
  if (!HasCommand("zsh")) GTEST_SKIP() << "no zsh here";
  EXPECT_EQ(CompleteInZsh("alcedo p"), "pool\n");
  EXPECT_EQ(CompleteInZsh("alcedo pool a.npy --lam"), "--lambda\n--lambda-relative\n");
  EXPECT_EQ(CompleteInZsh("alcedo pool --pooling s"), "sum\nsoftmax\n");
  EXPECT_EQ(CompleteInZsh("alcedo pool 'a b' --solver=d"), "--solver=direct\n--solver=dual\n");
  EXPECT_EQ(CompleteInZsh("alcedo pool --solver ''"), "auto\ncg\ndirect\nprimal\ndual\n");
  EXPECT_EQ(CompleteInZsh("alcedo pool a"), "files\n");
}

TEST_F(Completion, Fish) {
  if (!HasCommand("fish")) GTEST_SKIP() << "no fish here";
  WriteFile("patches.npy", "");
  EXPECT_EQ(CompleteInFish("alcedo poo"), "pool\n");
  EXPECT_EQ(CompleteInFish("alcedo pool a.npy --lam"), "--lambda\n--lambda-relative\n");
  EXPECT_EQ(CompleteInFish("alcedo pool --pooling s"), "softmax\nsum\n");
  EXPECT_EQ(CompleteInFish("alcedo pool --solver=d"), "--solver=direct\n--solver=dual\n");
  EXPECT_EQ(CompleteInFish("alcedo pool pat"), "patches.npy\n");
}

}  // namespace
}  // namespace end_to_end
