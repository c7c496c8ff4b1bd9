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

std::string Text(const NamedPath& named) {
  return fmt::format("{} '{}'", named.option, named.path.string());
}

[[noreturn]] void RefuseToWrite(const NamedPath& output, const NamedPath& input) {
  throw InvalidArgument(fmt::format("{} is the same as {}, which is read; write somewhere else",
                                    Text(output), Text(input)));
}

}  // namespace

WrittenPaths::WrittenPaths(std::vector<NamedPath> written) : written_(std::move(written)) {
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto [other, is_new] = places_.emplace(Canonical(written_[i].path), i);
    RequireUsage(is_new, fmt::format("{} is the same as {}; write them to different places",
                                     Text(written_[i]), Text(written_[other->second])));
  }
}

void WrittenPaths::CheckRead(const std::string& option, const fs::path& path) const {
  const auto found = places_.find(Canonical(path));
  if (found != places_.end()) RefuseToWrite(written_[found->second], {option, path});
}

void CheckPaths(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  const WrittenPaths no_two_the_same(written);
  std::unordered_map<std::string, const NamedPath*> inputs;
  for (const NamedPath& input : read) inputs.emplace(Canonical(input.path), &input);
  // In the order of the outputs: the folder before the files in it.
  for (const NamedPath& output : written) {
    const auto input = inputs.find(Canonical(output.path));
    if (input != inputs.end()) RefuseToWrite(output, *input->second);
  }
}

void CheckParent(const std::string& path) {
  if (path.empty() || path == "-") return;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent)) {
    throw IoError(fmt::format("cannot write '{}': there is no folder '{}'", path, parent.string()));
  }
}

}  // namespace alcedo::cli
