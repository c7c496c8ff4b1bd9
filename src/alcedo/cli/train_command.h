// `alcedo train`: a model from pictures of known classes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/cli/data_options.h"
#include "alcedo/training/train_options.h"

namespace alcedo::cli {

struct TrainJob {
  DataOptions data;
  std::string output;
  std::string work;  // folder; by default the output with .work behind it
  TrainOptions options;
  int threads = 1;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class TrainArguments {
 public:
  TrainArguments();
  TrainArguments(const TrainArguments&) = delete;
  TrainArguments& operator=(const TrainArguments&) = delete;

  CLI::App& app() { return app_; }
  const TrainJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  // Refuses options that others make meaningless.
  void CheckTogether() const;

  CLI::App app_;
  TrainJob job_;
};

int TrainCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
