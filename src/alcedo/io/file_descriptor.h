// An open file of the operating system. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

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
