// Numbers and lists as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace alcedo {

// "1,234,567"
std::string Thousands(std::int64_t number);

// "215 KB": decimal units, two digits at least.
std::string FileSize(std::int64_t bytes);

// "a, b, c and 5 more"
std::string FirstOf(const std::vector<std::string>& names);

}  // namespace alcedo
