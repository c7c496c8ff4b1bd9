#include "alcedo/cli/run_options.h"

#include <fmt/format.h>

#include "alcedo/base/parallel.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {

void AddInputOptions(CLI::App& app, std::vector<std::string>& inputs, std::string& list,
                     const std::string& help) {
  app.add_option("IMAGES", inputs, help)->type_name("PATH");
  app.option_defaults()->group("Input");
  app.add_option("--list", list, "a file of more inputs, one path a line; - is standard input")
      ->type_name("FILE");
}

void AddInputOptions(CLI::App& app, RunOptions& run) {
  AddInputOptions(app, run.inputs, run.list,
                  "pictures (JPEG, PNG, WebP, GIF, PNM), folders of pictures (with all folders in "
                  "them; hidden ones are left out), or array files of descriptors");
}

void AddOutputOption(CLI::App& app, RunOptions& run, const std::string& help) {
  app.option_defaults()->group("Output");
  app.add_option("-o,--output", run.output, help)->type_name("PATH");
}

void AddRunOptions(CLI::App& app, RunOptions& run) {
  app.option_defaults()->group("Running");
  app.add_option("--config", run.config,
                 "a TOML file (JSON where it ends in .json) of options; flags override it")
      ->type_name("FILE");
  app.add_flag("--dump-config", run.dump_config,
               "print the options as they would be used, as TOML, and stop; --dump-config=json as "
               "JSON");
  AddThreadsOption(app, run.threads);
  app.add_flag("-q,--quiet", run.quiet, "no progress, no summary and no warnings");
}

void CheckRunOptions(const RunOptions& run, const std::string& command,
                     const std::string& example_output) {
  RequireUsage(run.dump_config.empty() || run.dump_config == "true" || run.dump_config == "toml" ||
                   run.dump_config == "json",
               fmt::format("--dump-config is toml or json, got '{}'", run.dump_config));
  if (!run.dump_config.empty()) return;
  RequireUsage(!run.inputs.empty() || !run.list.empty(),
               fmt::format("no IMAGES given (see 'alcedo {} --help')", command));
  RequireUsage(
      !run.output.empty(),
      fmt::format("no output given: add -o {} (see 'alcedo {} --help')", example_output, command));
}

std::string ConfigText(const RunOptions& run, const std::string& toml, const Json& json) {
  return run.dump_config == "json" ? Dump(json, 2) + "\n" : toml;
}

}  // namespace alcedo::cli
