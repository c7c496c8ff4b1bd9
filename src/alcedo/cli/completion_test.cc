#include "alcedo/cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/cli/pool_arguments.h"

namespace alcedo::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Complete(std::vector<std::string> words) {
  PoolArguments arguments;
  return CompleteOptions(arguments.app(), std::move(words));
}

TEST(CompleteOptions, OffersOptionsByPrefix) {
  EXPECT_THAT(Complete({"in.npy", "--lamb"}), ElementsAre("--lambda", "--lambda-relative"));
  EXPECT_THAT(Complete({"--democratic-no"}), ElementsAre("--democratic-no-clip-negative"));
  EXPECT_THAT(Complete({"--"}), Contains("--output"));
  EXPECT_THAT(Complete({"--nothing-like-it"}), IsEmpty());
}

TEST(CompleteOptions, OffersTheValuesOfAClosedSet) {
  EXPECT_THAT(Complete({"--pooling", "m"}), ElementsAre("mean", "max"));
  EXPECT_THAT(Complete({"--solver", ""}), ElementsAre("auto", "cg", "direct", "primal", "dual"));
  EXPECT_THAT(Complete({"--dtype", "f"}), ElementsAre("f4", "f8"));
}

TEST(CompleteOptions, UnderstandsEqualsAsBashSplitsIt) {
  EXPECT_THAT(Complete({"--pooling", "=", "so"}), ElementsAre("softmax"));
  EXPECT_THAT(Complete({"--dtype", "="}), ElementsAre("f4", "f8"));
}

TEST(CompleteOptions, LeavesFilesToTheShell) {
  EXPECT_THAT(Complete({"-o", "--x"}), IsEmpty());
  EXPECT_THAT(Complete({"in"}), IsEmpty());
  // A flag takes no value: what follows it is a new word.
  EXPECT_THAT(Complete({"--l2", "--qui"}), ElementsAre("--quiet"));
}

}  // namespace
}  // namespace alcedo::cli
