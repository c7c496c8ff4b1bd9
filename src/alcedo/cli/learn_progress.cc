#include "alcedo/cli/learn_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "alcedo/cli/progress.h"

namespace alcedo::cli {

std::string LearnLine(const LearnProgress& progress, double seconds) {
  const Index here = progress.done - progress.resumed;
  if (progress.total <= 1 || progress.done == 0) return progress.stage;
  if (progress.objective_name.empty()) {
    return fmt::format("{}: {}", progress.stage,
                       ProgressLine(progress.resumed, here, progress.total, seconds, "images"));
  }
  std::string line = fmt::format("{}: iteration {}/{}, {} {:.6g}", progress.stage, progress.done,
                                 progress.total, progress.objective_name, progress.objective);
  if (here > 0) {
    const double left = static_cast<double>(progress.total - progress.done);
    // At most: iterations also stop when they change nothing any more.
    line += fmt::format(", at most {} left", Duration(seconds / static_cast<double>(here) * left));
  }
  return line;
}

LearnProgressLine::LearnProgressLine(bool quiet) : shown_(!quiet && SomebodyIsLooking()) {}

void LearnProgressLine::Show(const LearnProgress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    // The end of a stage stays: the log-likelihood that it came to.
    if (shown_ && !line_.empty()) fmt::print(stderr, "\r\033[K{}\n", line_);
    stage_ = progress.stage;
    stage_start_ = now;
  }
  if (!shown_) return;
  line_ = LearnLine(progress, std::chrono::duration<double>(now - stage_start_).count());
  const bool iteration = !progress.objective_name.empty();
  if (!new_stage && !iteration && now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  fmt::print(stderr, "\r\033[K{}", line_);
}

void LearnProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) fmt::print(stderr, "\r\033[K");
}

std::string LearnProgressLine::stage() const {
  const std::lock_guard lock(mutex_);
  return stage_;
}

}  // namespace alcedo::cli
