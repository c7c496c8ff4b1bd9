// UTF-8, one character at a time.
#pragma once

#include <cstddef>
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
