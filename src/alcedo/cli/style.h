// Colour and bold, for people at a terminal who have not said no.
#pragma once

#include <string>
#include <string_view>

namespace alcedo::cli {

// True where this file descriptor is a terminal that knows escape codes (TERM is set, and not
// "dumb") and NO_COLOR (https://no-color.org) is unset or empty.
bool WantsStyle(int descriptor);

std::string Bold(std::string_view text);
std::string RedBold(std::string_view text);

// A help text with its headings in bold: "Usage:", and lines that end with a colon and stand before
// an indented one.
std::string WithBoldHeadings(std::string_view help);

// Help on standard output, styled where that is a terminal.
void WriteHelp(std::string_view help);

}  // namespace alcedo::cli
