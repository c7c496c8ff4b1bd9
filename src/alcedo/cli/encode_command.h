// `alcedo encode`.
#pragma once

#include <string>
#include <vector>

namespace alcedo::cli {

// Flags over the file of --config over the vocabulary over defaults; then the run. The exit code of
// the program.
int EncodeCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
