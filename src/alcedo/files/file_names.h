// File names in messages and of outputs.
#pragma once

#include <string>
#include <string_view>

namespace alcedo {

// Control characters replaced by '?': file names come from anywhere, and a message is one line.
std::string OneLine(std::string_view text);

// `name` as one component of a path: no separators, no control characters, not hidden.
std::string SafeFileName(std::string_view name);

}  // namespace alcedo
