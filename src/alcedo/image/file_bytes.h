// Whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace alcedo::internal {

// The bytes of a file or a pipe. `check` sees the first of them (at least 16, or all) before the
// rest is read, and may throw. IoError where it cannot be read or is no file, FormatError where it
// has more than max_bytes.
std::string ReadFileBytes(const std::filesystem::path& path, double max_bytes,
                          const std::function<void(std::string_view)>& check);

}  // namespace alcedo::internal
