#include "alcedo/cli/text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

TEST(Parse, TakesWholeNumbersOnly) {
  EXPECT_EQ(ParseDouble("--x", "1e-3"), 1e-3);
  EXPECT_TRUE(std::isinf(ParseDouble("--x", "inf")));
  EXPECT_EQ(ParseInt("--x", "-7"), -7);
  EXPECT_EQ(ParseUnsigned("--x", "18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(ParseDoubles("--x", "1,0.5,2e2"), (std::vector<double>{1, 0.5, 200}));
  for (const char* bad : {"", "1x", "x", " 1", "1,", ",1", "1,,2", "1 2", "0x1p3", "1e999"}) {
    EXPECT_THROW(ParseDoubles("--x", bad), UsageError) << bad;
  }
  EXPECT_THROW(ParseInt("--x", "1.5"), UsageError);
  EXPECT_THROW(ParseInt("--x", "99999999999"), UsageError);
  EXPECT_THROW(ParseUnsigned("--x", "-1"), UsageError);
}

}  // namespace
}  // namespace alcedo::cli
