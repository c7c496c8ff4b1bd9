// `alcedo synth`: a collection of painted birds to try everything on.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alcedo/synth/collection.h"

namespace alcedo::cli {

struct SynthJob {
  std::string output;
  synth::SynthOptions options;
  int threads = 1;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class SynthArguments {
 public:
  SynthArguments();
  SynthArguments(const SynthArguments&) = delete;
  SynthArguments& operator=(const SynthArguments&) = delete;

  CLI::App& app() { return app_; }
  const SynthJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  SynthJob job_;
};

int SynthCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
