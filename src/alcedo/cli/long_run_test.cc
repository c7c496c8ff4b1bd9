#include "alcedo/cli/long_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

Progress Bags(Index done, Index total, Index resumed = 0) {
  return {"pooling", done, total, resumed, "bags"};
}

TEST(ProgressText, GivesSpeedAndTimeLeft) {
  EXPECT_EQ(ProgressText(Bags(30, 120), 10.0), "30/120 bags, 3.0 bags/s, 0:30 left");
  EXPECT_EQ(ProgressText(Bags(1, 1000), 10.0), "1/1000 bags, 0.1 bags/s, 2:46 h left");
}

TEST(ProgressText, DoesNotCountResumedItemsAsSpeed) {
  EXPECT_EQ(ProgressText(Bags(60, 120, 50), 10.0), "60/120 bags, 1.0 bags/s, 1:00 left");
}

TEST(ProgressText, SurvivesTheFirstInstant) {
  EXPECT_EQ(ProgressText(Bags(0, 10), 0.0), "0/10 bags");
  EXPECT_EQ(ProgressText(Bags(3, 10, 3), 5.0), "3/10 bags");
  EXPECT_EQ(ProgressText(Bags(1, 10), 0.0), "1/10 bags");  // not a billion bags per second
}

TEST(ProgressText, TellsTheObjectiveOfIterations) {
  Progress progress{"em", 10, 30, 0, "iterations"};
  progress.objective = -83.12345678;
  progress.objective_name = "log-likelihood";
  EXPECT_EQ(ProgressText(progress, 20),
            "10/30 iterations, log-likelihood -83.1235, 0.5 iterations/s, 0:40 left");
}

TEST(ProgressLine, RemembersTheLastStep) {
  ProgressLine line(true, true);
  line.Show({"em", 3, 30, 0, "iterations"});
  EXPECT_EQ(line.last().stage, "em");
  EXPECT_EQ(line.last().done, 3);
}

TEST(DoneText, CountsAndNamesWhatWasWritten) {
  EXPECT_EQ(DoneText(1200, 60, "images", {"a.json", "b.csv"}),
            "1,200 images in 1:00, 20.0 images/s; wrote a.json, b.csv");
  EXPECT_EQ(DoneText(3, 2, "bags", {"", "-"}), "3 bags in 0:02, 1.5 bags/s");
  EXPECT_EQ(DoneText(0, 7000, "images", {"report.html"}), "done in 1:56 h; wrote report.html");
}

TEST(ProgressLine, IsALineNowAndThenInALog) {
  if (SomebodyIsLooking()) GTEST_SKIP() << "standard error is a terminal";
  const auto shown = [](bool quiet, std::chrono::seconds interval) {
    ::testing::internal::CaptureStderr();
    ProgressLine line(quiet, true, interval);
    line.Show({"encode", 1, 3, 0, "images"});
    line.Show({"encode", 2, 3, 0, "images"});
    line.Clear();
    return ::testing::internal::GetCapturedStderr();
  };
  using std::chrono::seconds;
  EXPECT_THAT(shown(false, seconds(0)),
              ::testing::MatchesRegex("encode: 1/3 images\nencode: 2/3 images.* left\n"));
  EXPECT_EQ(shown(false, seconds(1000)), "");
  EXPECT_EQ(shown(true, seconds(0)), "");
}

// A write that never ends, and a thread in a library that never returns, are the same to signals.
[[noreturn]] void HangInAWrite() {
  alarm(120);
  Interrupts interrupts([] { return std::string("interrupted"); });
  const Interrupts::Writing writing(interrupts);
  raise(SIGTERM);
  raise(SIGHUP);
  for (;;) pause();
}

TEST(InterruptsDeathTest, ASecondSignalEndsWhatHangs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(HangInAWrite(), ::testing::ExitedWithCode(kInterrupted), "");
}

[[noreturn]] void HangAfterwards() {
  alarm(120);
  {
    const Interrupts interrupts([] { return std::string("interrupted"); });
  }
  raise(SIGTERM);
  for (;;) pause();
}

TEST(InterruptsDeathTest, LeaveSignalsAsTheyWere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(HangAfterwards(), ::testing::KilledBySignal(SIGTERM), "");
}

[[noreturn]] void Interrupt(int number) {
  alarm(120);
  const Interrupts interrupts([] { return std::string("interrupted at last"); });
  raise(number);
  for (;;) pause();
}

TEST(InterruptsDeathTest, SayGoodbye) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(Interrupt(number), ::testing::ExitedWithCode(kInterrupted), "interrupted at last");
  }
}

}  // namespace
}  // namespace alcedo::cli
