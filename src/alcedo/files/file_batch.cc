#include "alcedo/files/file_batch.h"

#include <fmt/format.h>

#include <filesystem>

#include "alcedo/base/error.h"

namespace alcedo {

void CheckParent(const std::string& path) {
  if (path.empty()) return;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty() && !std::filesystem::is_directory(parent)) {
    throw IoError(path, fmt::format("cannot be written: there is no folder '{}'", parent.string()));
  }
}

}  // namespace alcedo
