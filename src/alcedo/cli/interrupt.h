// SIGINT and SIGTERM: the program stops at once, but never in the middle of writing a file.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace alcedo::cli {

// Waits for both signals in a thread of its own, so that a solver that runs for minutes needs no
// checks to be interruptible. On a signal it lets the writes under way finish, starts no others,
// prints `farewell` and ends the process with kInterrupted. One object at a time.
//
// Signals that were ignored when the program was started stay ignored (nohup).
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

  std::function<std::string()> farewell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int writers_ = 0;
  bool stopping_ = false;  // a signal came: no new writers
  bool finished_ = false;  // the destructor wakes the thread
  std::jthread thread_;
};

}  // namespace alcedo::cli
