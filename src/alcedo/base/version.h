// The version of the library and of the program: every file that is written carries it.
#pragma once

#include <string>

namespace alcedo {

// "0.1.0"
std::string Version();

}  // namespace alcedo
