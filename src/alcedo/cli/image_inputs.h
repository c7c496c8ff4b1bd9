// What the commands over images share: IMAGES and --list, --config, and what is read and written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/config/config.h"
#include "alcedo/files/image_list.h"

namespace alcedo::cli {

// IMAGES, which are `help`, and --list. All must outlive the app.
void AddImages(App& app, std::vector<std::string>& inputs, std::string& list,
               const std::string& help);

// The images that they name; a list "-" is read from standard input. `outputs` are left out.
ImageList ReadImageList(const std::vector<std::string>& inputs, const std::string& list,
                        const std::vector<std::string>& outputs, std::optional<bool> arrays);

// Refuses to write over what is read: the files, the folders around them, and `more` (those that
// are not empty).
void CheckImagePaths(const ImageList& list, const std::vector<NamedPath>& more,
                     const std::vector<NamedPath>& written);

// InvalidArgument if no image that is scaled down as asked has room for a patch.
void CheckRoomForPatches(const DescribeOptions& options);

// The options that `alcedo learn` and `alcedo encode` share and that are not part of a config.
struct RunOptions {
  std::vector<std::string> inputs;
  std::string list;  // a file of inputs; "": none
  std::string output;
  std::string config;       // a file; "": none
  std::string dump_config;  // "true" or "toml", or "json"; "": the command is run
  int threads = 1;
  bool quiet = false;
};
// `run` must outlive the app.
void AddInputOptions(App& app, RunOptions& run, const std::string& output_help);
void AddRunOptions(App& app, RunOptions& run);
// UsageError if what every run needs is missing.
void CheckRunOptions(const RunOptions& run, const std::string& command,
                     const std::string& example_output);
// A config as --dump-config asks for it: the one text or the other.
std::string ConfigText(const RunOptions& run, const std::string& toml, const Json& json);

}  // namespace alcedo::cli
