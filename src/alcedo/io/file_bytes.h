// A whole file in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace alcedo::internal {

// Closes what it holds. Every failure is an IoError that says what cannot be done and why.
class FileDescriptor {
 public:
  enum class Kind { kFile, kPipe };

  // For reading. A folder is refused, and so is a device: /dev/zero has no end.
  explicit FileDescriptor(const std::filesystem::path& path);
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();

  const std::string& name() const { return name_; }
  Kind kind() const { return kind_; }
  std::uint64_t size() const { return size_; }  // of a file; 0 for a pipe

  // Bytes from the current position on; 0 at the end.
  std::size_t Read(std::span<char> out);
  // From `offset` on, as many as there are at once; 0 at the end.
  std::size_t ReadAt(std::uint64_t offset, std::span<char> out) const;

 private:
  std::string name_;
  int value_ = -1;
  Kind kind_ = Kind::kFile;
  std::uint64_t size_ = 0;
};

}  // namespace alcedo::internal

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
