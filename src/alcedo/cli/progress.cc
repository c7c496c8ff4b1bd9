#include "alcedo/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "alcedo/info/vocabulary_text.h"

namespace alcedo::cli {

bool SomebodyIsLooking() { return isatty(STDERR_FILENO) == 1; }

std::string Duration(double seconds) {
  const auto whole = std::llround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string ProgressText(const Progress& progress, double seconds) {
  const auto here = static_cast<double>(progress.done - progress.resumed);
  const double rate = here / std::max(seconds, 1e-9);
  const std::string objective =
      progress.objective_name.empty()
          ? ""
          : fmt::format(", {} {:.6g}", progress.objective_name, progress.objective);
  const std::string line =
      fmt::format("{}/{} {}{}", progress.done, progress.total, progress.unit, objective);
  if (here == 0) return line;
  return fmt::format("{}, {:.1f} {}/s, {} left", line, rate, progress.unit,
                     Duration(static_cast<double>(progress.total - progress.done) / rate));
}

ProgressLine::ProgressLine(bool quiet, bool stages)
    : shown_(!quiet && SomebodyIsLooking()), stages_(stages) {}

void ProgressLine::Show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != last_.stage;
  if (new_stage) stage_start_ = now;
  last_ = progress;
  // One item alone needs no line of its own.
  if (!shown_ || (!stages_ && progress.total <= 1)) return;
  const bool end = progress.done == progress.total;
  if (!new_stage && !end && now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  fmt::print(stderr, "\r\033[K{}{}", stages_ ? progress.stage + ": " : "",
             ProgressText(progress, seconds));
}

void ProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) fmt::print(stderr, "\r\033[K");
}

Progress ProgressLine::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs) {
  std::string text =
      items > 0 ? fmt::format("{} {} in {}, {:.1f} {}/s", Thousands(items), unit, Duration(seconds),
                              static_cast<double>(items) / std::max(seconds, 1e-9), unit)
                : fmt::format("done in {}", Duration(seconds));
  std::string_view before = "; wrote ";
  for (const std::string& output : outputs) {
    if (output.empty() || output == "-") continue;
    text += fmt::format("{}{}", before, output);
    before = ", ";
  }
  return text;
}

}  // namespace alcedo::cli
