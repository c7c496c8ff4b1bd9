// `alcedo learn`.
#pragma once

#include <string>
#include <vector>

namespace alcedo::cli {

// Flags over the file of --config over defaults; then the run. The exit code of the program.
int LearnCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
