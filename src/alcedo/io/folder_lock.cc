#include "alcedo/io/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "alcedo/base/error.h"

namespace alcedo {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) {
    throw IoError(folder.string(),
                  fmt::format("cannot write to it: {}", std::generic_category().message(errno)));
  }
  int status = 0;
  do {
    status = flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  // If a file system has no locks, the user has to take care.
  if (status == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw InvalidArgument(
      fmt::format("the work folder {} is in use by another run", folder.string()));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace alcedo
