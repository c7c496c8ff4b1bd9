#include "alcedo/learn/sample_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are stored as they are");

[[noreturn]] void ThrowSystem(const std::filesystem::path& path, std::string_view what) {
  const int error = errno;
  throw IoError(path.string(), fmt::format("{}: {}", what, std::generic_category().message(error)));
}

std::int64_t FileSize(int descriptor, const std::filesystem::path& path) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) ThrowSystem(path, "cannot inspect");
  return status.st_size;
}

class ReadOnlyFile {
 public:
  explicit ReadOnlyFile(const std::filesystem::path& path)
      : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) ThrowSystem(path_, "cannot open");
  }
  ReadOnlyFile(const ReadOnlyFile&) = delete;
  ReadOnlyFile& operator=(const ReadOnlyFile&) = delete;
  ~ReadOnlyFile() { close(descriptor_); }

  std::int64_t size() const { return FileSize(descriptor_, path_); }

  // pread keeps no position: several threads may read at once.
  void Read(std::int64_t offset, std::int64_t count, char* out) const {
    while (count > 0) {
      const ssize_t done = pread(descriptor_, out, static_cast<std::size_t>(count), offset);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) ThrowSystem(path_, "cannot read");
      if (done == 0) {
        throw IoError(path_.string(), "became shorter while it was being read");
      }
      offset += done;
      count -= done;
      out += done;
    }
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path, std::int64_t size,
                       const std::string& hash)
    : path_(path), size_(size) {
  descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) ThrowSystem(path_, "cannot open");
  try {
    const std::int64_t found = FileSize(descriptor_, path_);
    if (found < size) {
      throw FormatError(path_.string(),
                        fmt::format("must have at least {} bytes, got {}", size, found));
    }
    hash_.AddFile(path_, size);
    if (!hash.empty() && hash_.Get() != hash) {
      throw FormatError(path_.string(), "is damaged: its checksum is wrong");
    }
    int status = 0;
    do {
      status = ftruncate(descriptor_, size);
    } while (status != 0 && errno == EINTR);
    if (status != 0) ThrowSystem(path_, "cannot cut");
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

AppendFile::~AppendFile() { close(descriptor_); }

void AppendFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowSystem(path_, "cannot write");
    size_ += count;
    hash_.Add(bytes.substr(0, static_cast<std::size_t>(count)));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AppendFile::Append(const float* values, Index count) {
  Append({reinterpret_cast<const char*>(values), static_cast<std::size_t>(count) * sizeof(float)});
}

void AppendFile::Sync() {
  int status = 0;
  do {
    status = fdatasync(descriptor_);
  } while (status != 0 && errno == EINTR);
  // Some file systems have nothing to flush and say so.
  if (status != 0 && errno != EINVAL) ThrowSystem(path_, "cannot flush");
}

SampleSource OpenSampleFile(const std::filesystem::path& path, Index rows, Index dimension) {
  auto file = std::make_shared<const ReadOnlyFile>(path);
  const std::int64_t row_bytes = dimension * static_cast<Index>(sizeof(float));
  if (file->size() != rows * row_bytes) {
    throw FormatError(path.string(),
                      fmt::format("must have {} bytes for {} rows of {} values, got {}",
                                  rows * row_bytes, rows, dimension, file->size()));
  }
  return SampleSource(rows, dimension, [file, row_bytes](Index begin, Index count, float* out) {
    file->Read(begin * row_bytes, count * row_bytes, reinterpret_cast<char*>(out));
  });
}

}  // namespace alcedo::internal
