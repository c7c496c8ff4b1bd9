// What a run reads and what it writes must not meet.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alcedo/cli/stdio.h"
#include "alcedo/files/file_batch.h"

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

// Files of a command that appear together, and what goes to standard output instead ("-").
class Outputs {
 public:
  // Nothing if there is no path. What is for "-" waits for Print().
  void Add(const std::string& path, std::string_view bytes) {
    if (path == "-") {
      for_stdout_ += bytes;
      printed_ = true;
    } else if (!path.empty()) {
      files_.Add(path, bytes);
    }
  }
  void Commit() { files_.Commit(); }
  // Not while files are being written: the reader of standard output may take its time.
  void Print() const { WriteStdout(for_stdout_); }
  // Whether something is for standard output.
  bool printed() const { return printed_; }

 private:
  FileBatch files_;
  std::string for_stdout_;
  bool printed_ = false;
};

}  // namespace alcedo::cli
