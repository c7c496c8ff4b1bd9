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
  }
}

TEST(Require, IsSilentWhenTheRuleHolds) { EXPECT_NO_THROW(Require(true, "x", "> 0", 1)); }

TEST(Error, EveryKindIsAnError) {
  EXPECT_THROW(throw InvalidArgument("a"), Error);
  EXPECT_THROW(throw IoError("b"), Error);
  EXPECT_THROW(throw FormatError("c"), Error);
}

}  // namespace
}  // namespace alcedo
