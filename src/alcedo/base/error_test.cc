#include "alcedo/base/error.h"

#include <gtest/gtest.h>

namespace alcedo {
namespace {

TEST(Require, NamesTheOptionTheRuleAndTheValue) {
  try {
    Require(false, "gmp.lambda", ">= 0", -1);
    FAIL() << "nothing thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "gmp.lambda must be >= 0, got -1");
    EXPECT_EQ(error.option(), "gmp.lambda");
    EXPECT_EQ(error.rule(), "must be >= 0");
    EXPECT_EQ(error.value(), "-1");
  }
}

TEST(Require, IsSilentWhenTheRuleHolds) { EXPECT_NO_THROW(Require(true, "x", "> 0", 1)); }

TEST(InvalidArgument, WithoutAValueSaysTheRuleAlone) {
  const InvalidArgument error("c", "must have at least one value", "");
  EXPECT_STREQ(error.what(), "c must have at least one value");
}

TEST(FileError, NamesTheFileAndTheReason) {
  const FormatError error("a.npy", "is empty", {.text = "use", .option = "dtype", .value = "f8"});
  EXPECT_STREQ(error.what(), "a.npy: is empty");
  EXPECT_EQ(error.file(), "a.npy");
  EXPECT_EQ(ReasonOf(error), "is empty");
  EXPECT_EQ(error.hint().option, "dtype");
  EXPECT_EQ(ReasonOf(InvalidArgument("x", "must be > 0", "0")), "x must be > 0, got 0");
}

TEST(Error, EveryKindIsAnError) {
  EXPECT_THROW(throw InvalidArgument("a"), Error);
  EXPECT_THROW(throw IoError("b"), Error);
  EXPECT_THROW(throw FormatError("c"), Error);
}

}  // namespace
}  // namespace alcedo
