// What a run reads and what it writes must not meet.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace alcedo::cli {

// A file or folder, and the option that leads to it.
struct NamedPath {
  std::string option;
  std::filesystem::path path;
};

// What a run writes, to hold everything that it reads against, one by one. Whatever links and
// spellings lead there counts; hard links of one file are different, since an output replaces its
// own name and leaves the others as they are. "-" is standard output, and not a place.
class WrittenPaths {
 public:
  // UsageError if two of them are the same, or both are standard output.
  explicit WrittenPaths(std::vector<NamedPath> written);

  // InvalidArgument if this is written.
  void CheckRead(const std::string& option, const std::filesystem::path& path) const;

 private:
  std::vector<NamedPath> written_;
  std::unordered_map<std::string, std::size_t> places_;  // the number of the path there
};

// The same for lists of paths; the first of the outputs that is wrong is named.
void CheckPaths(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written);

// UsageError unless `output` can be a .safetensors file with `what` ("a model"): no folder, not
// standard output, and no other ending.
void CheckSafetensorsOutput(const std::string& output, const std::string& what);

// IoError if the folder that an output would be written to is not there.
void CheckParents(const std::vector<NamedPath>& written);

// UsageError if `path` is "-": `what` ("a folder") cannot be standard output.
void RefuseStdout(const std::string& option, const std::string& path, const std::string& what);

// UsageError if the model of `alcedo COMMAND MODEL ...` seems to stand among the others.
void CheckModelFirst(const std::string& command, const std::string& model,
                     const std::vector<std::string>& others);

}  // namespace alcedo::cli
