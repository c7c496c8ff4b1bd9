// Commands that take their time: what they do at the moment, on a terminal or in a log, and what
// happens if they are interrupted.
#pragma once

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
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
  // One line that changes if standard error is a terminal; otherwise, in a log, a line every
  // `log_interval`; nothing if `quiet`. With `stages` a line begins with the name of the stage.
  ProgressLine(bool quiet, bool stages,
               std::chrono::seconds log_interval = std::chrono::seconds(60));

  // From any thread.
  void Show(const Progress& progress);
  // Takes the line away, for other messages.
  void Clear();
  Progress last() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Whether a line is to be shown now.
  bool Due(const Progress& progress, bool new_stage, Clock::time_point now) const;

  const bool quiet_, terminal_, stages_;
  const std::chrono::seconds log_interval_;
  mutable std::mutex mutex_;
  Progress last_;
  Clock::time_point stage_start_ = Clock::now();
  // On a terminal long ago, so that the first step is shown at once.
  Clock::time_point last_shown_;
};

// "120 images in 0:07, 17.1 images/s; wrote out.npy". Without items "done in 0:07"; outputs that
// are empty or standard output ("-") are not named.
std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs);

// SIGINT, SIGTERM and SIGHUP: the program stops at once, but never in the middle of writing a file.
// Waits for the signals in a thread of its own, so that a solver that runs for minutes needs no
// checks to be interruptible. On a signal it lets the writes under way finish (for 30 seconds at
// most: files that appear whole or not at all survive more than that), starts no others, prints
// `farewell` and ends the process with kInterrupted. A second signal ends it without a farewell,
// whatever hangs. One object at a time; when it is gone, signals do what they did before.
//
// Signals that were ignored when the program was started stay ignored (nohup). If the system has no
// thread for us, the first signal ends the process as if nobody waited for it.
class Interrupts {
 public:
  explicit Interrupts(std::function<std::string()> farewell);
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  // While one lives, files are being written.
  class Writing {
   public:
    explicit Writing(Interrupts& interrupts);
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    ~Writing();

   private:
    Interrupts& interrupts_;
  };

 private:
  void WaitForSignal();
  void Catch(int number);

  std::function<std::string()> farewell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int writers_ = 0;
  bool stopping_ = false;                                 // a signal came: no new writers
  bool finished_ = false;                                 // the destructor wakes the thread
  std::vector<std::pair<int, struct sigaction>> before_;  // what signals did
  std::jthread thread_;
};

// A command that takes its time: its progress line, what an interruption says, and the Run that it
// hands to the library.
class LongRun {
 public:
  // `farewell` makes the sentence of an interruption from the last progress. With `stages` the
  // progress line names the stage.
  using Farewell = std::function<std::string(const Progress&)>;
  LongRun(int threads, bool quiet, bool stages, Farewell farewell);
  LongRun(const LongRun&) = delete;
  LongRun& operator=(const LongRun&) = delete;
  // Takes the progress line away, also when an error is on its way to the user.
  ~LongRun() { line_.Clear(); }

  // Valid as long as this. Sentences are printed unless `quiet`.
  Run MakeRun();
  ProgressLine& line() { return line_; }
  void Write(const std::function<void()>& write);
  double seconds() const;
  // What was done, for a person at a terminal who has not said `quiet`.
  void PrintDone(Index items, std::string_view unit, const std::vector<std::string>& outputs) const;

 private:
  const int threads_;
  const bool quiet_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  ProgressLine line_;
  Interrupts interrupts_;
};

}  // namespace alcedo::cli
