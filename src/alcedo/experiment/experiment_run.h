// How an experiment is run: everything that no result depends on.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "alcedo/base/types.h"

namespace alcedo {

struct ExperimentProgress {
  std::string stage;  // "flowers: vectors of training images"
  Index done = 0, total = 0;
  Index resumed = 0;  // of `done`, by earlier runs
  std::string unit;   // "images", "candidates"
};

struct ExperimentRun {
  int threads = 1;
  std::filesystem::path work;  // intermediate files, to go on from
  // From any thread, but never from two at once. What it throws ends the run, which can be resumed.
  std::function<void(const ExperimentProgress&)> progress;
  // Wraps every write, so that an interruption never falls into one. May be empty.
  std::function<void(const std::function<void()>&)> write;
  // A sentence for the user, at once: the disk that will be needed, images that failed. May be
  // empty.
  std::function<void(const std::string&)> say;
};

inline void Write(const ExperimentRun& run, const std::function<void()>& action) {
  if (run.write) {
    run.write(action);
  } else {
    action();
  }
}
inline void Report(const ExperimentRun& run, const ExperimentProgress& progress) {
  if (run.progress) run.progress(progress);
}
inline void Say(const ExperimentRun& run, const std::string& sentence) {
  if (run.say) run.say(sentence);
}

}  // namespace alcedo
