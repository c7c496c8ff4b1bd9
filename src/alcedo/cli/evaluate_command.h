// `alcedo evaluate`: how good a model is on a dataset.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/cli/data_options.h"

namespace alcedo::cli {

struct EvaluateJob {
  std::string model;
  DataOptions data;
  std::string split = "test";  // test, validation, train, all
  std::string json, csv;       // files; "": none
  int threads = 1;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class EvaluateArguments {
 public:
  EvaluateArguments();
  EvaluateArguments(const EvaluateArguments&) = delete;
  EvaluateArguments& operator=(const EvaluateArguments&) = delete;

  CLI::App& app() { return app_; }
  const EvaluateJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  EvaluateJob job_;
};

int EvaluateCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
