// What a long command does at the moment and what it did, for a person at a terminal and for nobody
// else.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/run.h"

namespace alcedo::cli {

// Whether progress is shown to anybody: standard error is a terminal.
bool SomebodyIsLooking();

// "1:07", or "2:46 h".
std::string Duration(double seconds);

// "37/120 bags, 12.3 bags/s, 0:07 left": items of earlier runs took no time.
std::string ProgressText(const Progress& progress, double seconds);

class ProgressLine {
 public:
  // Shows nothing if standard error is not a terminal, or `quiet`. With `stages` the line begins
  // with the name of the stage.
  ProgressLine(bool quiet, bool stages);

  // From any thread.
  void Show(const Progress& progress);
  // Takes the line away, for other messages.
  void Clear();
  Progress last() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool shown_, stages_;
  mutable std::mutex mutex_;
  Progress last_;
  Clock::time_point stage_start_ = Clock::now();
  Clock::time_point last_shown_;  // long ago: the first step is shown at once
};

// "120 images in 0:07, 17.1 images/s; wrote out.npy". Without items "done in 0:07"; outputs that
// are empty or standard output ("-") are not named.
std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs);

}  // namespace alcedo::cli
