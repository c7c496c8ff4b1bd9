#include "alcedo/base/options.h"

#include <gtest/gtest.h>

namespace alcedo {

enum class Fruit { kApple, kPear, kFig };

template <>
struct EnumNames<Fruit> {
  static constexpr std::array<std::pair<Fruit, std::string_view>, 3> values{
      {{Fruit::kApple, "apple"}, {Fruit::kPear, "pear"}, {Fruit::kFig, "fig"}}};
};

namespace {

TEST(EnumNames, GoesBothWays) {
  EXPECT_EQ(Name(Fruit::kPear), "pear");
  EXPECT_EQ(ParseEnum<Fruit>("fruit", "fig"), Fruit::kFig);
}

TEST(EnumNames, UnknownNameListsTheKnownOnes) {
  try {
    ParseEnum<Fruit>("fruit", "plum");
    FAIL() << "nothing thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "fruit must be apple, pear or fig, got 'plum'");
    EXPECT_EQ(error.option(), "fruit");
    EXPECT_EQ(error.rule(), "must be apple, pear or fig");
  }
}

}  // namespace
}  // namespace alcedo
