#include "alcedo/cli/paths.h"

#include <fmt/format.h>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

// One spelling for every way to a file, whether it exists or not.
std::string Canonical(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path canonical = fs::weakly_canonical(absolute, error);
  if (error) canonical = absolute.lexically_normal();  // a pipe behind /dev/stdin, for one
  return canonical.has_filename() ? canonical : canonical.parent_path();
}

std::string Text(const std::string& option, const fs::path& path) {
  return fmt::format("{} '{}'", option, path.string());
}

}  // namespace

WrittenPaths::WrittenPaths(std::vector<NamedPath> written) : written_(std::move(written)) {
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto [other, is_new] = places_.emplace(Canonical(written_[i].path), i);
    const NamedPath& first = written_[other->second];
    RequireUsage(is_new, fmt::format("{} is the same as {}; write them to different places",
                                     Text(written_[i].option, written_[i].path),
                                     Text(first.option, first.path)));
  }
}

void WrittenPaths::CheckRead(const std::string& option, const fs::path& path) const {
  const auto found = places_.find(Canonical(path));
  if (found == places_.end()) return;
  const NamedPath& output = written_[found->second];
  throw InvalidArgument(fmt::format("{} is the same as {}, which is read; write somewhere else",
                                    Text(output.option, output.path), Text(option, path)));
}

void CheckPaths(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  const WrittenPaths outputs(written);
  for (const NamedPath& input : read) outputs.CheckRead(input.option, input.path);
}

void CheckParent(const std::string& path) {
  if (path.empty() || path == "-") return;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent)) {
    throw IoError(fmt::format("cannot write '{}': there is no folder '{}'", path, parent.string()));
  }
}

}  // namespace alcedo::cli
