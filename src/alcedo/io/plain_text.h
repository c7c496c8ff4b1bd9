// Text files as other programs save them: with a byte order mark, or in UTF-16.
#pragma once

#include <string>
#include <string_view>

namespace alcedo {

// `bytes` without a UTF-8 byte order mark. FormatError naming `file` if they are UTF-16 text, by
// their byte order mark or, without one, if most of the first characters have a zero byte on the
// same side.
std::string_view PlainText(std::string_view bytes, const std::string& file);

}  // namespace alcedo
