// How the program ends, and the error that means "you called it wrongly".
#pragma once

#include <array>
#include <string>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo::cli {

enum ExitCode {
  kOk = 0,
  kFailed = 1,        // one sentence on standard error says why; no output file was written
  kUsage = 2,         // the command line itself is wrong
  kSomeSkipped = 3,   // all good inputs were used, the bad ones are listed on standard error
  kInterrupted = 130  // SIGINT, SIGTERM or SIGHUP
};

// What they mean for all commands: for the help and the manual.
inline constexpr std::array<std::pair<ExitCode, const char*>, 5> kExitCodes{
    {{kOk, "all that was asked for was done"},
     {kFailed,
      "an error, in one sentence on standard error; no output file, only whole files in a folder"},
     {kUsage, "a mistake in the command line"},
     {kSomeSkipped, "some inputs were bad: they are listed, all good ones were written"},
     {kInterrupted,
      "interrupted (Ctrl-C, SIGTERM or SIGHUP); a command that can be resumed says how"}}};

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
