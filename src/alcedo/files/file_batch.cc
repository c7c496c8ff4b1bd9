#include "alcedo/files/file_batch.h"

#include <fmt/format.h>

#include <algorithm>
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

namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), IsControl, '?');
  return line;
}

std::string SafeFileName(std::string_view name) {
  std::string safe(name);
  std::replace_if(safe.begin(), safe.end(), [](char c) { return c == '/' || IsControl(c); }, '_');
  if (safe.empty() || safe[0] == '.') safe.insert(safe.begin(), '_');
  return safe;
}

}  // namespace alcedo
