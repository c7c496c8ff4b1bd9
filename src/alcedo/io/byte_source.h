// Where a reader's bytes come from: a file, read piece by piece where it is needed, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace alcedo::internal {

// What a message is about: a file, or a part of one ("array 'a'").
struct Place {
  std::string file;
  std::string part = {};  // empty: the file as a whole

  // Throws a FormatError with the part in front of the reason.
  [[noreturn]] void Fail(std::string_view reason) const;
};

// A name from a file, fit for a message: 'quoted', control characters escaped, long ones shortened.
std::string Quote(std::string_view name);

class ByteSource {
 public:
  // A regular file stays open and is read on demand; a pipe is read to its end. IoError otherwise.
  static std::unique_ptr<ByteSource> Open(const std::filesystem::path& path);
  static std::unique_ptr<ByteSource> FromBytes(std::string bytes, std::string name);
  // Bytes of somebody else, which must outlive the source.
  static std::unique_ptr<ByteSource> FromView(std::string_view bytes, std::string name);

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
