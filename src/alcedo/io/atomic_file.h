// A file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace alcedo {

// Writes to a temporary file beside `path`; Commit() flushes it to the disk (fsync), renames it to
// `path` and flushes the folder. Without Commit() the destructor removes it and `path` is
// untouched. A symbolic link stays, and what it points to is replaced; a path that exists and is
// not a regular file (a folder, a device) is refused. Every failure is an IoError that names the
// path and the system's reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void Write(std::string_view bytes);
  void Commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

// With those around it; IoError if it cannot be made.
void MakeFolders(const std::filesystem::path& folder);

// All of a file in one call.
void WriteWholeFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace alcedo
