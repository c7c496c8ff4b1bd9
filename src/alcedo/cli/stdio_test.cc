#include "alcedo/cli/stdio.h"

#include <gtest/gtest.h>

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
}  // namespace alcedo::cli
