// A signal that ends the program before it is done.
#pragma once

#include <signal.h>

#include <functional>

#include "fixture.h"

namespace end_to_end {

// Runs the program until a signal, sent when `condition` holds, comes before its end: a fast
// machine may need several tries. `prepare` makes the folder what it was, before each of them. The
// exit code of the run that the signal ended; `done` is that of a run that comes to its end.
inline int EndBySignal(const Args& args, int signal_number, const std::function<void()>& prepare,
                       const std::function<bool()>& condition, int done = 0) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    prepare();
    const pid_t process = StartProgram(args);
    WaitUntil(process, condition);
    kill(process, signal_number);
    const int exit_code = WaitFor(process);
    if (exit_code != done) return exit_code;
  }
  ADD_FAILURE() << "the program was faster than signal " << signal_number << ' ' << kTries
                << " times";
  return done;
}

}  // namespace end_to_end
