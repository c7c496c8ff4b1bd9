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

}  // namespace
}  // namespace alcedo
