#include "alcedo/io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

[[noreturn]] void ThrowSystem(const std::string& name, const char* what, int error) {
  throw IoError(fmt::format("{}: {}: {}", name, what, std::generic_category().message(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string bytes, std::string name)
      : ByteSource(std::move(name), bytes.size()), bytes_(std::move(bytes)) {}

 private:
  void DoReadAt(std::uint64_t offset, std::span<char> out) const override {
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

  std::string bytes_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(Descriptor descriptor, std::uint64_t size, std::string name)
      : ByteSource(std::move(name), size), descriptor_(std::move(descriptor)) {}

 private:
  void DoReadAt(std::uint64_t offset, std::span<char> out) const override {
    while (!out.empty()) {
      const ssize_t count =
          pread(descriptor_.get(), out.data(), out.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) ThrowSystem(name(), "cannot read", errno);
      if (count == 0) {
        throw IoError(fmt::format("{}: became shorter while it was being read", name()));
      }
      offset += static_cast<std::uint64_t>(count);
      out = out.subspan(static_cast<std::size_t>(count));
    }
  }

  Descriptor descriptor_;
};

std::string ReadToEnd(const Descriptor& descriptor, const std::string& name) {
  std::string bytes;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t count = read(descriptor.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowSystem(name, "cannot read", errno);
    if (count == 0) return bytes;
    bytes.append(chunk, static_cast<std::size_t>(count));
  }
}

}  // namespace

std::unique_ptr<ByteSource> ByteSource::Open(const std::filesystem::path& path) {
  const std::string name = path.string();
  Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) ThrowSystem(name, "cannot open", errno);
  struct stat status{};
  if (fstat(descriptor.get(), &status) != 0) ThrowSystem(name, "cannot inspect", errno);
  if (S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("{}: is a folder, but an array file is needed", name));
  }
  if (S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    return std::make_unique<FileSource>(std::move(descriptor), size, name);
  }
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
    return FromBytes(ReadToEnd(descriptor, name), name);
  }
  // A device such as /dev/zero has no end.
  throw IoError(fmt::format("{}: is a device, but a file or a pipe is needed", name));
}

std::unique_ptr<ByteSource> ByteSource::FromBytes(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

void ByteSource::CheckRange(std::uint64_t offset, std::uint64_t count) const {
  if (offset <= size_ && count <= size_ - offset) return;
  throw FormatError(
      fmt::format("{}: is truncated: {} bytes from byte {} on are needed, but it ends "
                  "after {}",
                  name_, count, offset, size_));
}

void ByteSource::ReadAt(std::uint64_t offset, std::span<char> out) const {
  CheckRange(offset, out.size());
  if (!out.empty()) DoReadAt(offset, out);
}

std::string ByteSource::ReadString(std::uint64_t offset, std::uint64_t count) const {
  CheckRange(offset, count);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  ReadAt(offset, bytes);
  return bytes;
}

}  // namespace alcedo::internal
