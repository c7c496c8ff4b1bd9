#include "alcedo/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace alcedo::cli {

std::string Duration(double seconds) {
  const auto whole = std::llround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string ProgressLine(Index skipped, Index done, Index total, double seconds,
                         std::string_view unit) {
  const double rate = done / std::max(seconds, 1e-9);
  const std::string line = fmt::format("{}/{} {}", skipped + done, total, unit);
  if (done == 0) return line;
  return fmt::format("{}, {:.1f} {}/s, {} left", line, rate, unit,
                     Duration((total - skipped - done) / rate));
}

bool SomebodyIsLooking() { return isatty(STDERR_FILENO) == 1; }

ProgressMeter::ProgressMeter(Index total, bool quiet, std::string unit)
    : total_(total), shown_(!quiet && total > 1 && SomebodyIsLooking()), unit_(std::move(unit)) {}

void ProgressMeter::Advance() {
  const Index done = ++done_;
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{}", ProgressLine(skipped_, done, total_, seconds, unit_));
}

void ProgressMeter::Clear() {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  fmt::print(stderr, "\r\033[K");
}

}  // namespace alcedo::cli
