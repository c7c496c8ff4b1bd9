#include "alcedo/image/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

[[noreturn]] void ThrowSystem(const std::string& name, const char* what, int error) {
  throw IoError(fmt::format("{}: {}: {}", name, what, std::generic_category().message(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

// Appends `count` bytes; false where the file ends before.
bool Append(const Descriptor& descriptor, const std::string& name, std::size_t count,
            std::string& bytes) {
  std::size_t size = bytes.size();
  const std::size_t end = size + count;
  bytes.resize(end);
  while (size < end) {
    const ssize_t got = read(descriptor.get(), bytes.data() + size, end - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowSystem(name, "cannot read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return size == end;
}

void CheckIsFile(const struct stat& status, const std::string& name) {
  if (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return;
  // A device such as /dev/zero has no end.
  throw IoError(fmt::format("{}: is a {}, but a picture is needed", name,
                            S_ISDIR(status.st_mode) ? "folder" : "device"));
}

}  // namespace

std::string ReadFileBytes(const std::filesystem::path& path, double max_bytes,
                          const std::function<void(std::string_view)>& check) {
  constexpr std::size_t kFirst = 1 << 16;
  const std::string name = path.string();
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) ThrowSystem(name, "cannot open", errno);
  struct stat status{};
  if (fstat(descriptor.get(), &status) != 0) ThrowSystem(name, "cannot inspect", errno);
  CheckIsFile(status, name);

  std::string bytes;
  bool more = Append(descriptor, name, kFirst, bytes);
  check(bytes);
  // A pipe does not say how long it is, and a file may grow while it is read.
  double size = S_ISREG(status.st_mode) ? static_cast<double>(status.st_size) : 0;
  while (more) {
    size = std::max(size, static_cast<double>(bytes.size()));
    if (size > max_bytes) {
      throw FormatError(fmt::format("{}: has more than the {:.6g} MiB of max_image_memory", name,
                                    max_bytes / (1 << 20)));
    }
    // One byte beyond the size that a file gives tells that it is the end.
    const std::size_t rest = static_cast<std::size_t>(size) + 1 - bytes.size();
    more = Append(descriptor, name, std::max(rest, kFirst), bytes);
  }
  return bytes;
}

}  // namespace alcedo::internal
