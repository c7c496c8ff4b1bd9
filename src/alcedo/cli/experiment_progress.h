// What an experiment does at the moment, for a person at a terminal.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "alcedo/base/run.h"

namespace alcedo::cli {

class ExperimentProgressLine {
 public:
  // Shows nothing where standard error is no terminal, or `quiet`.
  explicit ExperimentProgressLine(bool quiet);

  // From any thread.
  void Show(const Progress& progress);
  // Takes the line away, for other messages.
  void Clear();
  // "flowers, seed 0: test images", as seen last.
  std::string stage() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool shown_;
  mutable std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_shown_;
};

}  // namespace alcedo::cli
