#include "alcedo/cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/pool_command.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Complete(std::vector<std::string> words) {
  PoolArguments arguments;
  return arguments.app().Complete(std::move(words));
}

TEST(Complete, OffersOptionsByPrefix) {
  EXPECT_THAT(Complete({"in.npy", "--lamb"}), ElementsAre("--lambda", "--lambda-relative"));
  EXPECT_THAT(Complete({"--democratic-no"}), ElementsAre("--democratic-no-clip-negative"));
  EXPECT_THAT(Complete({"--"}), Contains("--output"));
  EXPECT_THAT(Complete({"--nothing-like-it"}), IsEmpty());
}

TEST(Complete, OffersTheValuesOfAClosedSet) {
  EXPECT_THAT(Complete({"--pooling", "m"}), ElementsAre("mean", "max"));
  EXPECT_THAT(Complete({"--solver", ""}), ElementsAre("auto", "cg", "direct", "primal", "dual"));
  EXPECT_THAT(Complete({"--dtype", "f"}), ElementsAre("f4", "f8"));
}

TEST(Complete, UnderstandsEqualsAsBashSplitsIt) {
  EXPECT_THAT(Complete({"--pooling", "=", "so"}), ElementsAre("softmax"));
  EXPECT_THAT(Complete({"--dtype", "="}), ElementsAre("f4", "f8"));
}

TEST(Complete, LeavesFilesToTheShell) {
  EXPECT_THAT(Complete({"-o", "--x"}), IsEmpty());
  EXPECT_THAT(Complete({"in"}), IsEmpty());
  // A flag takes no value: what follows it is a new word.
  EXPECT_THAT(Complete({"--l2", "--qui"}), ElementsAre("--quiet"));
}

// What a command prints on standard output.
std::string Printed(int (*command)(const Words&), const Words& args) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(command(args), kOk);
  return testing::internal::GetCapturedStdout();
}

TEST(Commands, HelpShowsEveryOption) {
  for (const auto command : {EncodeCommand, LearnCommand, TrainCommand, EvaluateCommand,
                             ClassifyCommand, PoolCommand, WeightsCommand, Figure1Command,
                             ReproduceCommand, SynthCommand, InfoCommand, DoctorCommand}) {
    const std::string help = Printed(command, {"--help"});
    EXPECT_EQ(help.find("Excludes"), std::string::npos);
    const std::vector<std::string> names = Split(Printed(command, {kCompleteOption, "--"}), '\n');
    EXPECT_GE(names.size(), 2u);
    for (const std::string& name : names) EXPECT_THAT(help, testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace alcedo::cli
