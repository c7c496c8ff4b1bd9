// Standard input and output as whole byte strings.
#pragma once

#include <string>
#include <string_view>

namespace alcedo::cli {

// Everything there is on standard input.
std::string ReadStdin();

// All of `bytes`, or BrokenPipe where the reader went away, or IoError with the system's reason.
void WriteStdout(std::string_view bytes);

// One line on standard error, control characters removed. The name before an error is in red where
// that is welcome.
void PrintLine(std::string_view line);

}  // namespace alcedo::cli
