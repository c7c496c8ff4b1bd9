// Small text files: lists and annotations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace alcedo::internal {

// IoError where it cannot be read or is no file, FormatError where it is larger than any list.
std::string ReadTextFile(const std::filesystem::path& path);

// A number that is all of `text`, in decimal, whatever the locale; false where it is none.
bool ParseNumber(std::string_view text, double& number);
bool ParseInteger(std::string_view text, std::int64_t& number);

}  // namespace alcedo::internal
