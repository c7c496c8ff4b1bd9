#include "alcedo/io/file_descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
