// Where a reader's bytes come from: a file, read piece by piece where it is needed, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace alcedo::internal {

class ByteSource {
 public:
  // A regular file stays open and is read on demand; a pipe is read to its end. IoError otherwise.
  static std::unique_ptr<ByteSource> Open(const std::filesystem::path& path);
  static std::unique_ptr<ByteSource> FromBytes(std::string bytes, std::string name);

  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  // Fills `out` with the bytes from `offset` on. A range beyond the end is a FormatError.
  void ReadAt(std::uint64_t offset, std::span<char> out) const;
  // The same as a string; the range is checked before anything is allocated.
  std::string ReadString(std::uint64_t offset, std::uint64_t count) const;

 protected:
  ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

 private:
  void CheckRange(std::uint64_t offset, std::uint64_t count) const;
  virtual void DoReadAt(std::uint64_t offset, std::span<char> out) const = 0;

  std::string name_;
  std::uint64_t size_;
};

}  // namespace alcedo::internal
