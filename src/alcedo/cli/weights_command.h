// `alcedo weights`: GMP's weights as maps.
#pragma once

#include <string>
#include <vector>

namespace alcedo::cli {

// The exit code of the program.
int WeightsCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
