#include "alcedo/cli/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "alcedo/cli/pool_command.h"

namespace alcedo::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RoffText, NothingIsACommand) {
  EXPECT_EQ(RoffText("--l2"), "\\-\\-l2");
  EXPECT_EQ(RoffText(".npy\n'quoted' a\\b ~ ^"), "\\&.npy\n\\&\\(aqquoted\\(aq a\\eb \\(ti \\(ha");
}

TEST(ManPage, HasEveryOptionOfTheCommand) {
  PoolArguments arguments;
  const std::string page = ManPage(arguments.app().cli());
  EXPECT_THAT(page, testing::StartsWith(".TH \"ALCEDO\\-POOL\" 1"));
  EXPECT_THAT(page, HasSubstr(".SH NAME\nalcedo\\-pool \\- pools bags of local encodings"));
  for (const CLI::Option* option : arguments.app().cli().get_options()) {
    for (const std::string& name : option->get_lnames()) {
      EXPECT_THAT(page, HasSubstr("\\fB" + RoffText("--" + name) + "\\fR"));
    }
    EXPECT_THAT(page, HasSubstr(RoffText(option->get_description())));
  }
  EXPECT_THAT(page, HasSubstr(".SS \"Only for \\-\\-pooling gmp\"\n"));
}

TEST(ManPage, ReadsTheFooter) {
  CLI::App app("Does it.", "alcedo do");
  app.footer(
      "First words\nof a paragraph:\nit goes on.\n\nSecond.\n\n"
      "Examples:\n  # Remark.\n  alcedo do -x\n  alcedo do -y\n\n"
      "Exit codes:\n  0    good\n  130  bad,\n       very bad\n");
  const std::string page = ManPage(app);
  EXPECT_THAT(page, HasSubstr(".PP\nFirst words\nof a paragraph:\nit goes on.\n.PP\nSecond.\n.SH"));
  EXPECT_THAT(page, HasSubstr(".SH EXAMPLES\n.PP\nRemark.\n.PP\n.RS 4\n.nf\nalcedo do \\-x\n"
                              "alcedo do \\-y\n.fi\n.RE\n"));
  EXPECT_THAT(page, HasSubstr(".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\ngood\n.TP\n\\fB130\\fR\nbad,\n"
                              "very bad\n"));
  EXPECT_THAT(page, Not(HasSubstr("Exit codes")));
}

}  // namespace
}  // namespace alcedo::cli
