// UTF-8, one character at a time; and any bytes as UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace alcedo {

struct Utf8Character {
  char32_t code = 0;
  std::size_t size = 0;  // in bytes; 0: the text does not begin with well-formed UTF-8
};

// The character at the start of `text`, by table 3-7 of the Unicode standard: no overlong forms, no
// surrogates, nothing beyond U+10FFFF. Requires a text that is not empty.
Utf8Character FirstCharacter(std::string_view text);

// Whether all of it is well-formed.
bool IsUtf8(std::string_view text);

}  // namespace alcedo

namespace alcedo::internal {

// Any bytes as text, and back: file names are bytes to the system, but JSON and CSV hold UTF-8.
// Printable UTF-8 stays as it is. A backslash becomes \\ and every byte of anything else (what is
// not UTF-8, control characters) \xNN with two lower-case digits: one line of valid UTF-8.
std::string EscapeText(std::string_view bytes);

// The inverse; nothing if `text` has an unknown escape.
std::optional<std::string> UnescapeText(std::string_view text);

}  // namespace alcedo::internal
