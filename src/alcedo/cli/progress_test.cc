#include "alcedo/cli/progress.h"

#include <gtest/gtest.h>

#include "alcedo/cli/learn_progress.h"

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
  EXPECT_EQ(ProgressLine(0, 0, 10, 0.0), "0/10 bags");
  EXPECT_EQ(ProgressLine(3, 0, 10, 5.0), "3/10 bags");
  EXPECT_NE(ProgressLine(0, 1, 10, 0.0).find("1/10 bags, "), std::string::npos);
}

TEST(LearnLine, TellsImagesOrIterations) {
  LearnProgress progress{"sampling", 0, 120, 0, 0, ""};
  EXPECT_EQ(LearnLine(progress, 1), "sampling");
  progress.done = 60;
  progress.resumed = 30;
  EXPECT_EQ(LearnLine(progress, 10), "sampling: 60/120 images, 3.0 images/s, 0:20 left");
  EXPECT_EQ(LearnLine({"pca", 1, 1, 0, 0, ""}, 5), "pca");
  progress = {"em", 0, 30, 0, 0, "log-likelihood"};
  EXPECT_EQ(LearnLine(progress, 1), "em");
  progress.done = 10;
  progress.objective = -83.12345678;
  EXPECT_EQ(LearnLine(progress, 20),
            "em: iteration 10/30, log-likelihood -83.1235, at most 0:40 left");
  progress.resumed = 10;
  EXPECT_EQ(LearnLine(progress, 20), "em: iteration 10/30, log-likelihood -83.1235");
}

}  // namespace
}  // namespace alcedo::cli
