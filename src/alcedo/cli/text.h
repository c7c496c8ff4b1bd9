// Small things about words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/did_you_mean.h"

namespace alcedo::cli {

// Control characters replaced by '?': file names come from anywhere, and a message is one line.
std::string OneLine(std::string_view text);

// `name` as one component of a path: no separators, no control characters, not hidden.
std::string SafeFileName(std::string_view name);

// The whole of `text` as a number; UsageError naming `option` otherwise. Accepts inf.
double ParseDouble(std::string_view option, std::string_view text);
int ParseInt(std::string_view option, std::string_view text);
std::uint64_t ParseUnsigned(std::string_view option, std::string_view text);
// Numbers separated by commas, at least one.
std::vector<double> ParseDoubles(std::string_view option, std::string_view text);

}  // namespace alcedo::cli
