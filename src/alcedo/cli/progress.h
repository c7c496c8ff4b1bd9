// Progress of many items, for a person at a terminal and for nobody else.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "alcedo/base/index.h"

namespace alcedo::cli {

class ProgressMeter {
 public:
  // Shows nothing where standard error is no terminal, or `quiet`, or there is only one item.
  // `unit` is what items are called.
  ProgressMeter(Index total, bool quiet, std::string unit = "bags");

  // These were done by an earlier run; they do not count for the speed. From any thread.
  void Skip(Index items) { skipped_ += items; }
  // One more item is done. From any thread.
  void Advance();
  // Takes the line away, for other messages.
  void Clear();

  // Of all runs together.
  Index done() const { return skipped_ + done_; }
  Index total() const { return total_; }

 private:
  using Clock = std::chrono::steady_clock;

  const Index total_;
  const bool shown_;
  const std::string unit_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<Index> skipped_{0};
  std::atomic<Index> done_{0};
  std::mutex mutex_;
  Clock::time_point last_shown_;  // long ago: the first step is shown at once
};

// Whether progress is shown to anybody: standard error is a terminal.
bool SomebodyIsLooking();

// "37/120 bags, 12.3 bags/s, 0:07 left", where `skipped` bags took no time.
std::string ProgressLine(Index skipped, Index done, Index total, double seconds,
                         std::string_view unit = "bags");

// "1:07", or "2:46 h".
std::string Duration(double seconds);

}  // namespace alcedo::cli
