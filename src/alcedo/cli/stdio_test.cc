#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

TEST(WithBoldHeadings, HeadingsOnly) {
  EXPECT_EQ(WithBoldHeadings("Does it.\n"
                             "Usage: alcedo do [OPTIONS]\n"
                             "\n"
                             "Output:\n"
                             "  -o FILE  one of these:\n"
                             "A sentence that is broken behind this word:\n"
                             "and goes on. Shapes: many.\n"
                             "Exit codes:\n"
                             "  0    good"),
            "Does it.\n"
            "\033[1mUsage:\033[0m alcedo do [OPTIONS]\n"
            "\n"
            "\033[1mOutput:\033[0m\n"
            "  -o FILE  one of these:\n"
            "A sentence that is broken behind this word:\n"
            "and goes on. Shapes: many.\n"
            "\033[1mExit codes:\033[0m\n"
            "  0    good\n");
  EXPECT_EQ(WithBoldHeadings(""), "");
}

}  // namespace

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
