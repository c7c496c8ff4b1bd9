#include "alcedo/cli/experiment_progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "alcedo/cli/progress.h"

namespace alcedo::cli {

ExperimentProgressLine::ExperimentProgressLine(bool quiet)
    : shown_(!quiet && SomebodyIsLooking()) {}

void ExperimentProgressLine::Show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    stage_ = progress.stage;
    stage_start_ = now;
  }
  if (!shown_ || (!new_stage && now - last_shown_ < std::chrono::milliseconds(100))) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  fmt::print(stderr, "\r\033[K{}: {}", stage_,
             ProgressLine(progress.resumed, progress.done - progress.resumed, progress.total,
                          seconds, progress.unit));
}

void ExperimentProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) fmt::print(stderr, "\r\033[K");
}

std::string ExperimentProgressLine::stage() const {
  const std::lock_guard lock(mutex_);
  return stage_;
}

}  // namespace alcedo::cli
