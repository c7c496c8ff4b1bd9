#include "alcedo/io/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void ThrowSystem(const std::filesystem::path& path, int error) {
  throw IoError(fmt::format("cannot read {}: {}", path.string(), std::strerror(error)));
}

[[noreturn]] void ThrowTooLarge(const std::filesystem::path& path, std::int64_t max_bytes) {
  throw FormatError(fmt::format("{} is larger than the {} MiB that are read at once", path.string(),
                                max_bytes >> 20));
}

}  // namespace

std::string ReadFileBytes(const std::filesystem::path& path, std::int64_t max_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) ThrowSystem(path, errno);
  struct stat status;
  if (fstat(file.get(), &status) != 0) ThrowSystem(path, errno);
  if (S_ISDIR(status.st_mode)) throw IoError(path.string() + " is a folder, not a file");
  if (status.st_size > max_bytes) ThrowTooLarge(path, max_bytes);

  // One byte more than the file has: the read that finds its end then needs no larger buffer.
  std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t got = read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowSystem(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (static_cast<std::int64_t>(size) > max_bytes) ThrowTooLarge(path, max_bytes);
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace alcedo
