// The names of outputs, and outputs that appear together.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/atomic_file.h"

namespace alcedo {

// Files that are all written before the first of them appears.
class FileBatch {
 public:
  void Add(const std::string& path, std::string_view bytes) {
    files_.push_back(std::make_unique<AtomicFile>(path));
    files_.back()->Write(bytes);
  }
  void Commit() {
    for (const std::unique_ptr<AtomicFile>& file : files_) file->Commit();
  }

 private:
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

// Throws IoError if the folder that `path` would be written to is not there. Nothing to check for
// no path.
void CheckParent(const std::string& path);

// Why the system can have no file of this path: its last component, or all of it, is too long. ""
// if it can. The folders around it need not exist yet.
std::string WhyTooLong(const std::string& path);

// Control characters replaced by '?': file names come from anywhere, and a message is one line.
std::string OneLine(std::string_view text);

// `name` as one component of a path: no separators, no control characters, not hidden.
std::string SafeFileName(std::string_view name);

}  // namespace alcedo
