#include "alcedo/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace alcedo::cli {

std::string ProgressLine(Index skipped, Index done, Index total, double seconds) {
  const double rate = done / std::max(seconds, 1e-9);
  const auto left = std::llround((total - skipped - done) / std::max(rate, 1e-9));
  const std::string eta = left < 3600 ? fmt::format("{}:{:02}", left / 60, left % 60)
                                      : fmt::format("{}:{:02} h", left / 3600, left / 60 % 60);
  return fmt::format("{}/{} bags, {:.1f} bags/s, {} left", skipped + done, total, rate, eta);
}

Progress::Progress(Index total, bool quiet)
    : total_(total), shown_(!quiet && total > 1 && isatty(STDERR_FILENO) == 1) {}

void Progress::Advance() {
  const Index done = ++done_;
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{}", ProgressLine(skipped_, done, total_, seconds));
}

void Progress::Clear() {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  fmt::print(stderr, "\r\033[K");
}

}  // namespace alcedo::cli
