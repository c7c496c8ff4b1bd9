// Any bytes as text, and back. File names are bytes to the system, but JSON and CSV hold UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alcedo::internal {

// Printable UTF-8 stays as it is. A backslash becomes \\ and every byte of anything else (what is
// not UTF-8, control characters) \xNN with two lower-case digits: one line of valid UTF-8.
std::string EscapeText(std::string_view bytes);

// The inverse; nothing if `text` has an unknown escape.
std::optional<std::string> UnescapeText(std::string_view text);

}  // namespace alcedo::internal
