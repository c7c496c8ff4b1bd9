// Parsing with CLI11, in the program's own words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

// The long names of all options of a command, with their dashes.
std::vector<std::string> OptionNames(const CLI::App& app);

// Alone, this is a call for the manual page of the command, and a form of --help.
inline constexpr const char* kManPageOption = "--man-page";

// Parses; every mistake is a UsageError, an unknown option with a hint. False where --help was
// asked for: then the help is on standard output, and there is nothing to run.
bool ParseApp(CLI::App& app, std::vector<std::string> args);

}  // namespace alcedo::cli
