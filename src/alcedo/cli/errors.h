// How the program ends, and the error that means "you called it wrongly".
#pragma once

#include <string>

#include "alcedo/base/error.h"

namespace alcedo::cli {

enum ExitCode {
  kOk = 0,
  kFailed = 1,        // one sentence on standard error says why; nothing was written
  kUsage = 2,         // the command line itself is wrong
  kSomeSkipped = 3,   // all good bags were written, the bad ones are listed on standard error
  kInterrupted = 130  // SIGINT or SIGTERM
};

// The command line is wrong, as opposed to what it names.
class UsageError : public Error {
 public:
  using Error::Error;
};

inline void RequireUsage(bool ok, const std::string& message) {
  if (!ok) throw UsageError(message);
}

// The reader of our standard output went away: nothing to say, and nobody to say it to.
class BrokenPipe : public Error {
 public:
  BrokenPipe() : Error("standard output was closed") {}
};

}  // namespace alcedo::cli
