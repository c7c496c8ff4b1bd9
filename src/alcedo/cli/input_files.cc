#include "alcedo/cli/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

bool IsArrayFile(const fs::directory_entry& entry) {
  const fs::path extension = entry.path().extension();
  std::error_code unreadable;  // a dangling link is no file
  return entry.is_regular_file(unreadable) && !entry.path().filename().string().starts_with(".") &&
         (extension == ".npy" || extension == ".npz" || extension == ".safetensors");
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

bool SameFile(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  return fs::equivalent(a, b, missing);
}

// Nothing that is read may be overwritten.
void CheckOutputIsNoInput(const PoolJob& job, const std::vector<InputFile>& files) {
  for (const std::string& output : {job.output, job.weights}) {
    if (output.empty() || output == "-") continue;
    for (const InputFile& file : files) {
      if (file.path == "-") continue;
      const fs::path folder = fs::path(file.path).parent_path();
      const bool clash = job.form == OutputForm::kFolder
                             ? SameFile(folder.empty() ? "." : folder, output)
                             : SameFile(file.path, output);
      if (clash) {
        throw InvalidArgument(
            fmt::format("'{}' is an input and an output; write somewhere else", output));
      }
    }
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
  CheckOutputIsNoInput(job, inputs.files);
  return inputs;
}

}  // namespace alcedo::cli
