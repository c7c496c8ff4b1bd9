// Words and numbers of the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alcedo::cli {

// "0.1.0"
std::string Version();

std::vector<std::string> Split(std::string_view text, char separator);
// The candidates that begin with `prefix`.
std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix);

// The whole of `text` as a number; UsageError naming `option` otherwise. Accepts inf.
double ParseDouble(std::string_view option, std::string_view text);
int ParseInt(std::string_view option, std::string_view text);
std::uint64_t ParseUnsigned(std::string_view option, std::string_view text);
// Numbers separated by commas, at least one.
std::vector<double> ParseDoubles(std::string_view option, std::string_view text);

}  // namespace alcedo::cli
