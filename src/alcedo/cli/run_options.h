// The options that `alcedo learn` and `alcedo encode` share and that are no part of a config.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/config/config.h"

namespace alcedo::cli {

struct RunOptions {
  std::vector<std::string> inputs;
  std::string list;  // a file of inputs; "": none
  std::string output;
  std::string config;       // a file; "": none
  std::string dump_config;  // "true" or "toml", or "json"; "": the command is run
  int threads = 1;
  bool quiet = false;
};

// IMAGES, which are `help`, and --list. All must outlive the app.
void AddInputOptions(CLI::App& app, std::vector<std::string>& inputs, std::string& list,
                     const std::string& help);
// `run` must outlive the app.
void AddInputOptions(CLI::App& app, RunOptions& run);
void AddOutputOption(CLI::App& app, RunOptions& run, const std::string& help);
void AddRunOptions(CLI::App& app, RunOptions& run);

// UsageError where what every run needs is missing.
void CheckRunOptions(const RunOptions& run, const std::string& command,
                     const std::string& example_output);

// A config as --dump-config asks for it: the one text or the other.
std::string ConfigText(const RunOptions& run, const std::string& toml, const Json& json);

}  // namespace alcedo::cli
