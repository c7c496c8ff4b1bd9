#include "alcedo/cli/image_inputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/config/field_json.h"

namespace alcedo::cli {
namespace fs = std::filesystem;

void AddImages(App& app, ImageArguments& images, const std::string& help) {
  app.Add("IMAGES", "PATH", help, images.inputs);
  app.Group("Input");
  app.Add("--list", "FILE", "a file of more inputs, one path a line; - is standard input",
          images.list);
  app.AddFlag(
      "-0,--null",
      "NUL bytes separate the paths of --list, not line ends, as 'find -print0' writes them",
      images.null);
  app.Need("--null", "--list");
}

ImageList ReadImageList(const ImageArguments& images, const std::vector<std::string>& outputs,
                        std::optional<bool> arrays) {
  ImageSources sources{images.inputs, images.list, {}, outputs, images.null};
  if (images.list == "-") {
    sources.list = "standard input";
    sources.lines = ReadStdin(kMaxListBytes);
  }
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
  AddImages(app, run.images,
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
  RequireUsage(!run.images.empty(),
               fmt::format("no IMAGES given (see 'alcedo {} --help')", command));
  RequireUsage(
      !run.output.empty(),
      fmt::format("no output given: add -o {} (see 'alcedo {} --help')", example_output, command));
}

std::string ConfigText(const RunOptions& run, const std::string& toml, const Json& json) {
  return run.dump_config == "json" ? Dump(json, 2) + "\n" : toml;
}

void AddDataOptions(App& app, DataOptions& options) {
  app.Group("Data");
  AddChoice(app, "--dataset",
            "what DATA is; folder: one folder of images for each class (default auto)",
            options.kind);
  app.Group("Only for a folder per class");
  const FieldFlags split{app, "folder-", [&options](const std::string& name) {
                           options.folder_flags.push_back(name);
                         }};
  VisitFields(options.split, split);
}

Dataset ReadData(const App& app, const DataOptions& options, bool all, const std::string& instead,
                 bool arrays) {
  std::string given;
  for (const std::string& flag : options.folder_flags) {
    if (app.Given(flag)) given = flag;
  }
  RequireUsage(given.empty() || !all,
               fmt::format("{} does not go with {}: there is nothing to split", given, instead));
  FolderSplitOptions split = options.split;
  split.all = all;
  split.arrays = arrays;
  RequireUsage(
      !arrays || options.kind == DatasetKind::kAuto || options.kind == DatasetKind::kFolder,
      fmt::format("descriptors made elsewhere are read from a folder per class, not from "
                  "--dataset {}",
                  Name(options.kind)));
  Dataset dataset;
  try {
    CheckFlags(app, [&] {
      dataset = ReadDataset(options.data, arrays ? DatasetKind::kFolder : options.kind, split);
    });
  } catch (const FormatError& error) {
    if (error.hint().option != "folder.all") throw;
    throw FormatError(error.file(), error.reason(),
                      Hint{fmt::format("{}; {} takes every image", error.hint().text, instead)});
  }
  RequireUsage(given.empty() || dataset.kind == DatasetKind::kFolder,
               fmt::format("{} goes with a folder per class, and {} is {}", given, options.data,
                           dataset.title));
  return dataset;
}

void CheckDataPaths(const Dataset& dataset, const std::vector<NamedPath>& more,
                    const std::vector<NamedPath>& written) {
  std::vector<NamedPath> given;
  for (const NamedPath& path : written) {
    if (path.path.empty()) continue;
    given.push_back(path);
  }
  CheckParents(given);
  const WrittenPaths paths(std::move(given));
  for (const DatasetImage& image : dataset.images) paths.CheckRead("DATA", image.path);
  for (const NamedPath& path : more) paths.CheckRead(path.option, path.path);
}

}  // namespace alcedo::cli
