// Files that are all written before the first of them appears.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/atomic_file.h"

namespace alcedo {

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

}  // namespace alcedo
