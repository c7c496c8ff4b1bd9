#include "alcedo/cli/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/io/array_reader.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

bool IsArrayFile(const fs::directory_entry& entry) {
  std::error_code unreadable;
  const fs::file_type type = entry.status(unreadable).type();
  // A link that leads nowhere was meant to be a file: reading it will say what is wrong.
  const bool dangling = entry.is_symlink(unreadable) &&
                        (type == fs::file_type::not_found || type == fs::file_type::none);
  return (type == fs::file_type::regular || dangling) &&
         !entry.path().filename().string().starts_with(".") && HasArrayExtension(entry.path());
}

std::vector<InputFile> ListFolder(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw IoError(fmt::format("cannot list folder '{}': {}", folder, error.message()));
  std::vector<InputFile> files;
  for (const fs::directory_entry& entry : entries) {
    if (IsArrayFile(entry)) files.push_back({entry.path().string(), nullptr});
  }
  if (files.empty()) {
    throw InvalidArgument(
        fmt::format("folder '{}' holds no .npy, .npz or .safetensors file", folder));
  }
  std::ranges::sort(files, {}, &InputFile::path);
  return files;
}

// The files that go with the inputs, and the folder they are in where it is one.
void AddCompanions(const std::string& option, const std::string& companion,
                   const std::vector<InputFile>& files, std::vector<NamedPath>& paths) {
  if (companion.empty()) return;
  paths.push_back({option, companion});
  for (const InputFile& file : files) {
    if (const auto found = FindCompanion(companion, file)) paths.push_back({option, *found});
  }
}

void CheckSingle(const std::string& option, const std::string& path, const InputList& inputs) {
  if (path.empty()) return;
  const bool folder = fs::is_directory(path);
  RequireUsage(folder || !inputs.several,
               option + " goes with one input file; give a folder of files named like the inputs");
}

}  // namespace

InputList ListInputs(const PoolJob& job) {
  InputList inputs;
  inputs.several = job.inputs.size() > 1;
  for (const std::string& input : job.inputs) {
    if (input == "-") {
      inputs.files.push_back({input, std::make_shared<const ArrayReader>(
                                         ArrayReader::FromBytes(ReadStdin(), "standard input"))});
    } else if (fs::is_directory(input)) {
      inputs.several = true;
      std::ranges::move(ListFolder(input), std::back_inserter(inputs.files));
    } else {
      inputs.files.push_back({input, nullptr});
    }
  }
  RequireUsage(job.offsets.empty() || !inputs.several, "--offsets goes with one input file");
  CheckSingle("--blocks", job.blocks, inputs);
  CheckSingle("--input-weights", job.input_weights, inputs);
  return inputs;
}

std::vector<NamedPath> PathsRead(const PoolJob& job, const std::vector<InputFile>& files) {
  std::vector<NamedPath> paths;
  std::set<fs::path> folders;
  for (const InputFile& file : files) {
    if (file.path == "-") {
      paths.push_back({"INPUT", "/dev/stdin"});
      continue;
    }
    paths.push_back({"INPUT", file.path});
    const fs::path folder = fs::path(file.path).parent_path();
    folders.insert(folder.empty() ? "." : folder);
  }
  for (const fs::path& folder : folders) paths.push_back({"the INPUT folder", folder});
  if (!job.offsets.empty()) paths.push_back({"--offsets", job.offsets});
  AddCompanions("--blocks", job.blocks, files, paths);
  AddCompanions("--input-weights", job.input_weights, files, paths);
  return paths;
}

}  // namespace alcedo::cli
