#include "alcedo/cli/done_line.h"

#include <gtest/gtest.h>

namespace alcedo::cli {
namespace {

TEST(DoneText, CountsAndNamesWhatWasWritten) {
  EXPECT_EQ(DoneText(1200, 60, "images", {"a.json", "b.csv"}),
            "1,200 images in 1:00, 20.0 images/s; wrote a.json, b.csv");
  EXPECT_EQ(DoneText(3, 2, "bags", {"", "-"}), "3 bags in 0:02, 1.5 bags/s");
  EXPECT_EQ(DoneText(0, 7000, "images", {"report.html"}), "done in 1:56 h; wrote report.html");
}

}  // namespace
}  // namespace alcedo::cli
