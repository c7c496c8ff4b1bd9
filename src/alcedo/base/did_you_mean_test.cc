#include "alcedo/base/did_you_mean.h"

#include <gtest/gtest.h>

namespace alcedo {
namespace {

TEST(DidYouMean, SuggestsTheNearestWordOnly) {
  const std::vector<std::string> words{"--lambda", "--l2", "--lambda-relative"};
  EXPECT_EQ(DidYouMean("--lamda", words), "; did you mean '--lambda'?");
  EXPECT_EQ(DidYouMean("--lambda-relativ", words), "; did you mean '--lambda-relative'?");
  EXPECT_EQ(DidYouMean("--completely-different", words), "");
  EXPECT_EQ(DidYouMean("x", {}), "");
}

TEST(DidYouMean, TwoLettersSwappedAreOneMistake) {
  const std::vector<std::string> words{"sum", "max", "gmp", "democratic"};
  EXPECT_EQ(DidYouMean("gpm", words), "; did you mean 'gmp'?");
  EXPECT_EQ(DidYouMean("mgp", words), "; did you mean 'gmp'?");
  EXPECT_EQ(DidYouMean("mpg", words), "") << "two swaps";
  EXPECT_EQ(DidYouMean("dmeocratci", words), "; did you mean 'democratic'?");
}

}  // namespace
}  // namespace alcedo
