// The command line of `alcedo encode`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/run_options.h"
#include "alcedo/config/config.h"

namespace alcedo::cli {

enum class VectorsForm { kNpy, kSafetensors, kStore };

// What `alcedo encode` was asked to do.
struct EncodeJob {
  EncodeConfig config;
  RunOptions run;
  VectorsForm form = VectorsForm::kNpy;
  int images_per_shard = 128;  // of a store
};

// Owns the CLI11 app and what its options write to. Defaults are those of `config`.
class EncodeArguments {
 public:
  explicit EncodeArguments(const EncodeConfig& config = {});
  EncodeArguments(const EncodeArguments&) = delete;
  EncodeArguments& operator=(const EncodeArguments&) = delete;

  CLI::App& app() { return app_; }
  const EncodeJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);
  // Whether this option was.
  bool given(const std::string& option) const { return app_.count(option) > 0; }
  // UsageError where a flag goes with another choice than the one that `config` makes.
  void CheckFlags(const EncodeConfig& config) const;

 private:
  CLI::App app_;
  EncodeJob job_;
  std::vector<PlacedFlag> flags_;
};

}  // namespace alcedo::cli
