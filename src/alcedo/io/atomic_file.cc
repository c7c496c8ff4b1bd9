#include "alcedo/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void ThrowSystem(const fs::path& path, std::string_view what, int error) {
  throw IoError(path.string(), fmt::format("{}: {}", what, std::generic_category().message(error)));
}

fs::path FolderOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Renaming would replace a link or a device node by a file: /dev/stdout must survive.
fs::path Target(const fs::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return path;  // new; the folder is checked on creation
  if (S_ISDIR(status.st_mode)) {
    throw IoError(path.string(), "cannot be written: it is a folder");
  }
  if (!S_ISREG(status.st_mode)) {
    throw IoError(path.string(), "cannot be written: it is not a regular file");
  }
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

fs::path TemporaryName(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  // Room for the suffix: a name may have 255 bytes.
  const std::string name = path.filename().string().substr(0, 200);
  return FolderOf(path) / fmt::format(".{}.tmp-{}-{}", name, getpid(), counter++);
}

// A folder's entries reach the disk only when the folder itself is flushed. Some file systems
// cannot (EINVAL); they have nothing to flush.
void SyncFolder(const fs::path& path) {
  const int folder = open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // a folder one may write to but not read: the file itself is safe
  const int status = fsync(folder);
  const int error = errno;
  close(folder);
  if (status != 0 && error != EINVAL) ThrowSystem(path, "its folder cannot be flushed", error);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(Target(path)) {
  if (!path_.has_filename()) {
    throw IoError("''", "cannot be written: it names no file");
  }
  do {  // a dead process of the same number may have left its file behind
    temporary_ = TemporaryName(path_);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && (errno == EEXIST || errno == EINTR));
  if (descriptor_ >= 0) return;
  const int error = errno;
  // /proc and its like exist, and still say so of every file one would make there.
  std::error_code ignored;
  if (error == ENOENT && !fs::exists(FolderOf(path_), ignored)) {
    throw IoError(path_.string(), fmt::format("cannot be written: the folder {} does not exist",
                                              FolderOf(path_).string()));
  }
  ThrowSystem(path_, "cannot be written: a file beside it cannot be created", error);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::Write(std::string_view bytes) {
  if (descriptor_ < 0) {
    throw InvalidArgument(path_.string() + " must not be written after its end");
  }
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowSystem(path_, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::Commit() {
  if (descriptor_ < 0) {
    throw InvalidArgument(path_.string() + " must not be committed twice");
  }
  int status = 0;
  do {
    status = fsync(descriptor_);
  } while (status != 0 && errno == EINTR);
  if (status != 0) ThrowSystem(path_, "cannot be flushed", errno);
  // Network file systems report late write errors here; EINTR still closes.
  if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    ThrowSystem(path_, "cannot be closed", errno);
  }
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    ThrowSystem(path_, "cannot be renamed", errno);
  temporary_.clear();
  SyncFolder(path_);
}

void MakeFolders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  throw IoError(folder.string(), fmt::format("this folder cannot be made: {}", error.message()));
}

void WriteWholeFile(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.Write(bytes);
  file.Commit();
}

}  // namespace alcedo
