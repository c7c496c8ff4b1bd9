#include "alcedo/files/file_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
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

std::string WhyTooLong(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  // The limit is that of the file system: ask for the file in the nearest folder that is there.
  std::error_code ignored;
  fs::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  while (!fs::is_directory(folder, ignored) && folder.has_parent_path() &&
         folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  if (!fs::is_directory(folder, ignored)) folder = ".";
  std::error_code error;
  [[maybe_unused]] const fs::file_status status =
      fs::symlink_status(folder / whole.filename(), error);
  if (error == std::errc::filename_too_long) {
    const std::string name = whole.filename().string();
    return fmt::format("cannot be written: the name '{}...' of its output has {} bytes, too many",
                       OneLine(name.substr(0, 40)), name.size());
  }
  if (path.size() < PATH_MAX) return "";
  return fmt::format("cannot be written: the path of its output has {} bytes, too many",
                     path.size());
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
