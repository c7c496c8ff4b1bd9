// A whole file in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace alcedo {

// How a whole file is read.
struct ReadLimit {
  std::int64_t max_bytes = 0;
  std::string option = {};  // that sets the limit, if any: "image.max_image_memory"
  bool pipes = true;        // read them to their end; without it a pipe is refused, unopened
  // Sees the first bytes (64 KiB, or all) before the rest is read, and may throw. May be empty.
  std::function<void(std::string_view)> check = {};
};

// IoError if it cannot be read or is a folder or a device; FormatError if it is larger than the
// limit, before anything of its size is allocated.
std::string ReadFileBytes(const std::filesystem::path& path, const ReadLimit& limit);
std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t max_bytes);

// An image or an array of descriptors, of at most max_mib: the limit on the memory that reading an
// image may take (image.max_image_memory) holds for its file too.
std::string ReadInputFile(const std::filesystem::path& path, double max_mib);

}  // namespace alcedo
