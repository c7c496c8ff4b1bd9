// Manual pages, in roff's man macros, from the options that the program parses with.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace alcedo::cli {

// The page of a command: alcedo-COMMAND(1).
std::string ManPage(const CLI::App& app);

// alcedo(1): the commands with their summaries, and what is common to all of them. `examples` are
// commands, one a line.
using Summaries = std::vector<std::pair<std::string, std::string>>;
std::string ProgramManPage(const Summaries& commands, const std::string& examples);

// Plain text as roff's: nothing in it is a command, a dash stays a dash.
std::string RoffText(std::string_view text);

}  // namespace alcedo::cli
