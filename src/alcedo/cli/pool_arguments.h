// The command line of `alcedo pool`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/cli/pool_job.h"

namespace alcedo::cli {

// Owns the CLI11 app and what its options write to, so that completion and help can look at the
// options without parsing anything.
class PoolArguments {
 public:
  PoolArguments();
  PoolArguments(const PoolArguments&) = delete;
  PoolArguments& operator=(const PoolArguments&) = delete;

  CLI::App& app() { return app_; }

  // The job; nothing where --help was asked for and given. Throws UsageError.
  std::optional<PoolJob> Parse(std::vector<std::string> args);

 private:
  void AddInputOptions();
  void AddPoolingOptions();
  void AddGmpOptions();
  void AddOutputOptions();
  // Says that an option belongs to these poolings alone.
  void OnlyFor(CLI::Option* option, std::vector<std::string> poolings);
  void CheckOnlyFor() const;
  void CheckInput() const;
  void CheckOutput() const;

  CLI::App app_;
  PoolJob job_;
  std::string pooling_name_;
  std::string report_;                    // "true" for a bare --report
  std::vector<PoolingOptions> poolings_;  // one per name: the flags of each write to its own
  std::vector<std::pair<CLI::Option*, std::vector<std::string>>> only_for_;
};

}  // namespace alcedo::cli
