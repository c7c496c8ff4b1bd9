// Text from anywhere, made safe for the place it goes to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alcedo::report {

// Bytes that are not UTF-8, and control characters, replaced: text from anywhere, for one line.
std::string CleanText(std::string_view text);
// Clean, and for XML and HTML, between tags and in attributes.
std::string Escape(std::string_view text);
// Clean, and with a backslash before whatever Markdown would read as markup, also in a table.
std::string MarkdownEscape(std::string_view text);
// With spaces around `sign` that no line ends at: "G = 16".
std::string Unbroken(std::string text, char sign);
// In code points, which is what a terminal's columns are for the texts of a report.
std::size_t Width(std::string_view text);

}  // namespace alcedo::report
