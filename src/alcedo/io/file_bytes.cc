#include "alcedo/io/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

[[noreturn]] void ThrowSystem(const std::string& name, int error) {
  throw IoError(name, fmt::format("cannot be read: {}", std::generic_category().message(error)));
}

// Bytes that `read` gave, which is called again if a signal came between.
template <class ReadCall>
std::size_t Retry(const std::string& name, const ReadCall& read_call) {
  for (;;) {
    const ssize_t count = read_call();
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) ThrowSystem(name, errno);
  }
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& path)
    : name_(path.string()), value_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (value_ < 0) ThrowSystem(name_, errno);
  struct stat status{};
  const int failed = fstat(value_, &status) != 0 ? errno : 0;
  const bool pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
  if (failed == 0 && (S_ISREG(status.st_mode) || pipe)) {
    kind_ = pipe ? Kind::kPipe : Kind::kFile;
    size_ = pipe ? 0 : static_cast<std::uint64_t>(status.st_size);
    return;
  }
  close(std::exchange(value_, -1));
  if (failed != 0) ThrowSystem(name_, failed);
  throw IoError(name_, S_ISDIR(status.st_mode) ? "is a folder, but a file is needed"
                                               : "is a device, but a file or a pipe is needed");
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : name_(std::move(other.name_)),
      value_(std::exchange(other.value_, -1)),
      kind_(other.kind_),
      size_(other.size_) {}

FileDescriptor::~FileDescriptor() {
  if (value_ >= 0) close(value_);
}

std::size_t FileDescriptor::Read(std::span<char> out) {
  return Retry(name_, [&] { return read(value_, out.data(), out.size()); });
}

std::size_t FileDescriptor::ReadAt(std::uint64_t offset, std::span<char> out) const {
  return Retry(name_,
               [&] { return pread(value_, out.data(), out.size(), static_cast<off_t>(offset)); });
}

}  // namespace alcedo::internal

namespace alcedo {
namespace {

constexpr double kMib = 1 << 20;
constexpr std::size_t kFirst = 1 << 16;

[[noreturn]] void ThrowTooLarge(const std::string& name, std::uint64_t size,
                                const ReadLimit& limit) {
  // What came out of a pipe says nothing of how much is still in it.
  const std::string has = size == 0 ? "has" : fmt::format("has {:.6g} MiB,", size / kMib);
  throw FormatError(
      name, fmt::format("{} more than the {:.6g} MiB {}", has, limit.max_bytes / kMib,
                        limit.option.empty() ? "that are read at once" : "of " + limit.option));
}

// Appends `count` bytes; false if the file ends before.
bool Append(internal::FileDescriptor& file, std::size_t count, std::string& bytes) {
  std::size_t size = bytes.size();
  bytes.resize(size + count);
  while (size < bytes.size()) {
    const std::size_t got = file.Read(std::span(bytes).subspan(size));
    if (got == 0) {
      bytes.resize(size);
      return false;
    }
    size += got;
  }
  return true;
}

}  // namespace

std::string ReadFileBytes(const std::filesystem::path& path, const ReadLimit& limit) {
  std::error_code ignored;
  if (!limit.pipes && std::filesystem::is_fifo(path, ignored)) {  // to open it might wait for ever
    throw IoError(path.string(), "is a pipe, but a file is needed");
  }
  internal::FileDescriptor file(path);
  const auto max_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(limit.max_bytes, 0));
  if (!limit.check && file.size() > max_bytes) ThrowTooLarge(file.name(), file.size(), limit);
  // One byte more than the file has: the read that finds its end then needs no larger buffer. A
  // pipe does not say how long it is, nor do some files of the system.
  const std::uint64_t first =
      file.size() == 0 ? kFirst : std::min<std::uint64_t>(file.size() + 1, kFirst);
  std::string bytes;
  bool more = Append(file, static_cast<std::size_t>(first), bytes);
  if (limit.check) limit.check(bytes);
  if (file.size() > max_bytes) ThrowTooLarge(file.name(), file.size(), limit);
  while (more) {
    if (bytes.size() > max_bytes) ThrowTooLarge(file.name(), 0, limit);
    // A file may grow while it is read.
    const std::uint64_t rest = file.size() > bytes.size() ? file.size() - bytes.size() : 0;
    more = Append(file, std::max<std::size_t>(static_cast<std::size_t>(rest) + 1, kFirst), bytes);
  }
  if (bytes.size() > max_bytes) ThrowTooLarge(file.name(), bytes.size(), limit);
  return bytes;
}

std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t max_bytes) {
  return ReadFileBytes(path, ReadLimit{max_bytes});
}

std::string ReadInputFile(const std::filesystem::path& path, double max_mib) {
  const double most = std::min(max_mib * kMib, 0x1p62);
  return ReadFileBytes(path, ReadLimit{static_cast<std::int64_t>(most), "image.max_image_memory"});
}

}  // namespace alcedo
