#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/text.h"

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

namespace {

TEST(Format, Thousands) {
  EXPECT_EQ(Thousands(0), "0");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(Thousands(1000), "1,000");
  EXPECT_EQ(Thousands(-123), "-123");
  EXPECT_EQ(Thousands(-1234567), "-1,234,567");
  EXPECT_EQ(Thousands(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Format, FileSize) {
  EXPECT_EQ(FileSize(0), "0 bytes");
  EXPECT_EQ(FileSize(999), "999 bytes");
  EXPECT_EQ(FileSize(1500), "1.5 KB");
  EXPECT_EQ(FileSize(215'000), "215 KB");
  EXPECT_EQ(FileSize(2'500'000'000), "2.5 GB");
  EXPECT_EQ(FileSize(5'000'000'000'000'000), "5000 TB");
}

TEST(Format, FirstOf) {
  EXPECT_EQ(FirstOf({}), "");
  EXPECT_EQ(FirstOf({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(FirstOf({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

}  // namespace
}  // namespace alcedo
