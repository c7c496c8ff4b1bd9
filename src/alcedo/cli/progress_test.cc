#include "alcedo/cli/progress.h"

#include <gtest/gtest.h>

namespace alcedo::cli {
namespace {

TEST(ProgressLine, GivesSpeedAndTimeLeft) {
  EXPECT_EQ(ProgressLine(0, 30, 120, 10.0), "30/120 bags, 3.0 bags/s, 0:30 left");
  EXPECT_EQ(ProgressLine(0, 1, 1000, 10.0), "1/1000 bags, 0.1 bags/s, 2:46 h left");
}

TEST(ProgressLine, DoesNotCountSkippedBagsAsSpeed) {
  EXPECT_EQ(ProgressLine(50, 10, 120, 10.0), "60/120 bags, 1.0 bags/s, 1:00 left");
}

TEST(ProgressLine, SurvivesTheFirstInstant) {
  EXPECT_NE(ProgressLine(0, 0, 10, 0.0).find("0/10 bags, 0.0 bags/s"), std::string::npos);
}

}  // namespace
}  // namespace alcedo::cli
