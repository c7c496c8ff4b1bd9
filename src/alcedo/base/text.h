// Words, numbers and lists in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alcedo {

// "; did you mean 'x'?" for the candidate nearest to `word`, or "" if none is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

// "1,234,567"
std::string Thousands(std::int64_t number);

// "215 KB": decimal units, two digits at least.
std::string FileSize(std::int64_t bytes);

// "a, b, c and 5 more"
std::string FirstOf(const std::vector<std::string>& names);

}  // namespace alcedo
