// What the exit codes mean, of all commands, in one place: for the help and the manual.
#pragma once

#include <array>
#include <utility>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {

inline constexpr std::array<std::pair<ExitCode, const char*>, 5> kExitCodes{
    {{kOk, "all that was asked for was done"},
     {kFailed, "an error, in one sentence on standard error; no output was written"},
     {kUsage, "a mistake in the command line"},
     {kSomeSkipped, "some inputs were bad: they are listed, all good ones were written"},
     {kInterrupted, "interrupted (Ctrl-C, or SIGTERM); where a command can go on, it says how"}}};

}  // namespace alcedo::cli
