#include "alcedo/cli/paths.h"

#include <fmt/format.h>

#include <unordered_map>

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

}  // namespace

void CheckPaths(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  std::unordered_map<std::string, const NamedPath*> inputs, outputs;
  for (const NamedPath& input : read) inputs.emplace(Canonical(input.path), &input);
  for (const NamedPath& output : written) {
    const std::string place = Canonical(output.path);
    if (const auto input = inputs.find(place); input != inputs.end()) {
      throw InvalidArgument(fmt::format("{} is the same as {}, which is read; write somewhere else",
                                        Text(output), Text(*input->second)));
    }
    const auto [other, is_new] = outputs.emplace(place, &output);
    RequireUsage(is_new, fmt::format("{} is the same as {}; write them to different places",
                                     Text(output), Text(*other->second)));
  }
}

}  // namespace alcedo::cli
