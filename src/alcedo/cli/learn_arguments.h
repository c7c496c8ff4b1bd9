// The command line of `alcedo learn`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/run_options.h"
#include "alcedo/config/config.h"

namespace alcedo::cli {

// What `alcedo learn` was asked to do.
struct LearnJob {
  LearnConfig config;
  RunOptions run;
  double max_memory = 1024;  // MiB
  std::string work;          // folder
};

// Owns the CLI11 app and what its options write to. Defaults are those of `config`.
class LearnArguments {
 public:
  explicit LearnArguments(const LearnConfig& config = {});
  LearnArguments(const LearnArguments&) = delete;
  LearnArguments& operator=(const LearnArguments&) = delete;

  CLI::App& app() { return app_; }
  const LearnJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);
  // Whether --descriptor was.
  bool descriptor_given() const { return app_.count("--descriptor") > 0; }
  // UsageError where a flag goes with another choice than the one that `config` makes.
  void CheckFlags(const LearnConfig& config) const;

 private:
  CLI::App app_;
  LearnJob job_;
  std::vector<PlacedFlag> flags_;
};

}  // namespace alcedo::cli
