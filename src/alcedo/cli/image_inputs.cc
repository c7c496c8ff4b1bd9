#include "alcedo/cli/image_inputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"

namespace alcedo::cli {
namespace fs = std::filesystem;

void AddImages(App& app, std::vector<std::string>& inputs, std::string& list,
               const std::string& help) {
  app.Add("IMAGES", "PATH", help, inputs);
  app.Group("Input");
  app.Add("--list", "FILE", "a file of more inputs, one path a line; - is standard input", list);
}

ImageList ReadImageList(const std::vector<std::string>& inputs, const std::string& list,
                        const std::vector<std::string>& outputs, std::optional<bool> arrays) {
  ImageSources sources{inputs, list, {}, outputs};
  if (list == "-") sources.lines = ReadStdin();
  return ListImages(sources, arrays);
}

void CheckImagePaths(const ImageList& list, const std::vector<NamedPath>& more,
                     const std::vector<NamedPath>& written) {
  const WrittenPaths outputs(written);
  for (const auto& [option, path] : more) {
    if (!path.empty() && path != "-") outputs.CheckRead(option, path);
  }
  std::set<std::string> folders;
  for (const Input& image : list.images) {
    outputs.CheckRead("the image", image.path);
    std::error_code ignored;
    fs::path folder = fs::absolute(image.path, ignored).lexically_normal().parent_path();
    // The folder of a folder too: nothing is written around an input.
    while (folders.insert(folder.string()).second) {
      outputs.CheckRead("the folder of images", folder);
      folder = folder.parent_path();
    }
  }
}

void CheckRoomForPatches(const DescribeOptions& options) {
  const double most = options.image.max_pixels, patch = options.grid.patch;
  // Images of up to 1% more than the limit are kept as they are.
  if (options.descriptor.Is<ExternalOptions>() || most <= 0 || 1.01 * most >= patch * patch) return;
  throw InvalidArgument("grid.patch", fmt::format("must fit into an image of {} pixels", most),
                        fmt::format("{}", patch), Hint{"raise", "image.max_pixels", ""});
}

void AddInputOptions(App& app, RunOptions& run, const std::string& output_help) {
  AddImages(app, run.inputs, run.list,
            "images (JPEG, PNG, WebP, GIF, PNM), folders of images (with all folders in them; "
            "hidden ones are left out), or array files of descriptors");
  app.Group("Output");
  app.Add("-o,--output", "PATH", output_help, run.output);
}

void AddRunOptions(App& app, RunOptions& run) {
  app.Group("Running");
  app.Add("--config", "FILE",
          "a TOML file (JSON if it ends in .json) of options; flags override it", run.config);
  app.AddFlag("--dump-config",
              "print the options as they would be used, as TOML, and stop; --dump-config=json as "
              "JSON",
              run.dump_config);
  AddRunning(app, run.threads, run.quiet, "no progress, no summary and no warnings");
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
