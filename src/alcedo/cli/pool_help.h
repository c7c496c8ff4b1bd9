// The part of `alcedo pool --help` below the options.
#pragma once

#include <string>

namespace alcedo::cli {

std::string PoolHelpFooter();

}  // namespace alcedo::cli
