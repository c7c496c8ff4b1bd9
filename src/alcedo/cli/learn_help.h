// The part of `alcedo learn --help` below the options.
#pragma once

#include <string>

namespace alcedo::cli {

std::string LearnHelpFooter();

}  // namespace alcedo::cli
