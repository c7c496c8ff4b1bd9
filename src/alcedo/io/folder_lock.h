// One run at a time in a folder of intermediate files.
#pragma once

#include <filesystem>

namespace alcedo {

// Held until it goes out of scope, or the process ends, however it does. The file "lock" stays.
class FolderLock {
 public:
  // The folder must be there. InvalidArgument if another run has it.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

}  // namespace alcedo
