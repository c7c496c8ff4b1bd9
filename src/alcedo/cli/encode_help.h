// The part of `alcedo encode --help` below the options.
#pragma once

#include <string>

namespace alcedo::cli {

std::string EncodeHelpFooter();

}  // namespace alcedo::cli
