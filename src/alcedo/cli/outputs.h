// Files of a command that appear together, and what goes to standard output instead ("-").
#pragma once

#include <string>
#include <string_view>

#include "alcedo/cli/stdio.h"
#include "alcedo/files/file_batch.h"

namespace alcedo::cli {

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
