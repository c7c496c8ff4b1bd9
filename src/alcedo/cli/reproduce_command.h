// `alcedo reproduce`: the experiments of the paper on the datasets of a folder.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/dataset/read_dataset.h"
#include "alcedo/reproduce/reproduce_options.h"

namespace alcedo::cli {

struct ReproduceJob {
  std::string data;
  std::vector<std::string> datasets;  // names; empty: all that are found
  std::string output = "results";     // folder
  std::string work;                   // folder; "": inside the output
  ReproduceOptions options;
  FolderSplitOptions split;  // of --dataset folder
  bool keep_vectors = false;
  int threads = 1;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class ReproduceArguments {
 public:
  ReproduceArguments();
  ReproduceArguments(const ReproduceArguments&) = delete;
  ReproduceArguments& operator=(const ReproduceArguments&) = delete;

  CLI::App& app() { return app_; }
  const ReproduceJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  ReproduceJob job_;
};

int ReproduceCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
