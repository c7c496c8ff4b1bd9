// `alcedo completion`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

// Prints the script for a shell. The exit code of the program.
int CompletionCommand(const std::vector<std::string>& args);

// What the last of `words` can become: a shell, or --help.
std::vector<std::string> CompleteCompletion(const std::vector<std::string>& words);

}  // namespace alcedo::cli
