// Keys of TOML files, looked at before the parser sees them.
#pragma once

#include <string>
#include <string_view>

namespace alcedo::internal {

// FormatError naming `file` and the line if a dotted key has more than 8 parts. The parser limits
// how deep values are nested, but not keys: 100,000 parts overflow its stack. No option has more
// than two. Also if a letter beyond ASCII is outside of quotes and comments, which TOML does not
// allow: toml++ 3.3 has a branch for such letters that it takes for unreachable, and undefined if
// reached.
void CheckTomlKeys(std::string_view text, const std::string& file);

}  // namespace alcedo::internal
