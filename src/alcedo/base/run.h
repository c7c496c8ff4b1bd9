// What all long work has in common: its inputs, what became of them, and how it is run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "alcedo/base/index.h"

namespace alcedo {

// A file to be read.
struct Input {
  std::string path;  // not a path object, which is many times as large
  std::string name;  // in messages and stores
};

// A file that could not be used, and why.
struct Failure {
  std::string name;
  std::string reason;

  friend bool operator==(const Failure&, const Failure&) = default;
};

struct Progress {
  std::string stage;  // "vectors of the training images"
  Index done = 0, total = 0;
  Index resumed = 0;     // of `done`, by earlier runs
  std::string unit;      // "images", "iterations"
  double objective = 0;  // after the last iteration
  std::string objective_name =
      {};  // "log-likelihood", "squared error"; empty for stages without one
};

// How work is run: everything that no result depends on.
struct Run {
  int threads = 1;
  std::filesystem::path work;  // intermediate files, to resume from; for work that has any
  // From any thread, but never from two at once. What it throws ends the run, which can be resumed.
  // May be empty.
  std::function<void(const Progress&)> progress;
  // Wraps every write, so that an interruption never falls into one. May be empty.
  std::function<void(const std::function<void()>&)> write;
  // A sentence for the user, at once: the disk that will be needed, images that failed. May be
  // empty.
  std::function<void(const std::string&)> say;
};

inline void Write(const Run& run, const std::function<void()>& action) {
  if (run.write) {
    run.write(action);
  } else {
    action();
  }
}
inline void Report(const Run& run, const Progress& progress) {
  if (run.progress) run.progress(progress);
}
inline void Say(const Run& run, const std::string& sentence) {
  if (run.say) run.say(sentence);
}

}  // namespace alcedo
