// What learning does at the moment, for a person at a terminal.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "alcedo/learn/learn.h"

namespace alcedo::cli {

class LearnProgressLine {
 public:
  // Shows nothing where standard error is no terminal, or `quiet`.
  explicit LearnProgressLine(bool quiet);

  // From any thread.
  void Show(const LearnProgress& progress);
  // Takes the line away, for other messages.
  void Clear();

  // The stage that was seen last.
  std::string stage() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool shown_;
  mutable std::mutex mutex_;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_shown_;
  std::string line_;
};

// "sampling: 37/120 images, 12.3 images/s, 0:07 left", or
// "em: iteration 12/30, log-likelihood -83.1234, at most 0:20 left".
std::string LearnLine(const LearnProgress& progress, double seconds);

}  // namespace alcedo::cli
