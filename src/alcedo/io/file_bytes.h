// A whole file in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace alcedo {

// IoError naming the path where it cannot be read; FormatError where it is larger than `max_bytes`,
// before anything is allocated. Pipes are read to their end.
std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t max_bytes);

}  // namespace alcedo
