#include "alcedo/cli/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/cli/errors.h"
#include "alcedo/files/file_batch.h"

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
    if (written_[i].path == "-") {
      const auto before = written_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto other = std::find_if(written_.begin(), before,
                                      [](const NamedPath& named) { return named.path == "-"; });
      RequireUsage(other == before, fmt::format("{} and {} cannot both be standard output",
                                                other->option, written_[i].option));
      continue;
    }
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

void CheckSafetensorsOutput(const std::string& output, const std::string& what) {
  std::error_code ignored;
  RequireUsage(!output.ends_with("/") && !fs::is_directory(output, ignored),
               fmt::format("output '{}' is a folder; {} is one file", output, what));
  RequireUsage(output != "-", fmt::format("{} cannot be written to standard output; give -o a "
                                          ".safetensors file",
                                          what));
  if (output.ends_with(".safetensors")) return;
  const fs::path better = fs::path(output).replace_extension(".safetensors");
  throw UsageError(
      fmt::format("output '{}' must end in .safetensors, as in -o {}", output, better.string()));
}

void RefuseStdout(const std::string& option, const std::string& path, const std::string& what) {
  RequireUsage(path != "-", fmt::format("{} is {}, which cannot be standard output", option, what));
}

void CheckModelFirst(const std::string& command, const std::string& model,
                     const std::vector<std::string>& others) {
  std::error_code ignored;
  for (const std::string& other : others) {
    RequireUsage(model.ends_with(".safetensors") || !other.ends_with(".safetensors"),
                 fmt::format("the model comes first: alcedo {} {} {}", command, other, model));
  }
  RequireUsage(!fs::is_directory(model, ignored),
               fmt::format("'{}' is a folder, and the model comes first: alcedo {} MODEL {}", model,
                           command, model));
}

void CheckParents(const std::vector<NamedPath>& written) {
  for (const NamedPath& named : written) {
    if (named.path != "-") CheckParent(named.path.string());
  }
}

}  // namespace alcedo::cli
