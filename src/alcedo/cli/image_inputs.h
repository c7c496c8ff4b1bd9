// What the commands over images share: IMAGES and --list, --config, and what is read and written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/config/config.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/files/image_list.h"

namespace alcedo::cli {

// The images that a command was given.
struct ImageArguments {
  std::vector<std::string> inputs;
  std::string list;   // a file of inputs; "": none
  bool null = false;  // its paths end in NUL bytes

  bool empty() const { return inputs.empty() && list.empty(); }
};

// IMAGES, which are `help`, --list and --null. `images` must outlive the app.
void AddImages(App& app, ImageArguments& images, const std::string& help);

// The images that they name; a list "-" is read from standard input. `outputs` are left out.
ImageList ReadImageList(const ImageArguments& images, const std::vector<std::string>& outputs,
                        std::optional<bool> arrays);

// Refuses to write over what is read: the files, the folders around them, and `more` (those that
// are not empty).
void CheckImagePaths(const ImageList& list, const std::vector<NamedPath>& more,
                     const std::vector<NamedPath>& written);

// InvalidArgument if no image that is scaled down as asked has room for a patch.
void CheckRoomForPatches(const DescribeOptions& options);

// The options that `alcedo learn` and `alcedo encode` share and that are not part of a config.
struct RunOptions {
  ImageArguments images;
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

// DATA of `train` and `evaluate`: a dataset as its authors distribute it, or a folder per class.
struct DataOptions {
  std::string data;
  DatasetKind kind = DatasetKind::kAuto;
  FolderSplitOptions split;
  std::vector<std::string> folder_flags;
};

// `options` must outlive the app. The positional argument itself is the command's to add.
void AddDataOptions(App& app, DataOptions& options);

// `all`: it does not matter which images are for training and which for testing; `instead` is the
// option that says so. `arrays`: the images are array files of descriptors, in a folder per class.
// UsageError if options of folders were given that have no effect.
Dataset ReadData(const App& app, const DataOptions& options, bool all, const std::string& instead,
                 bool arrays);

// Refuses to write over an image of the dataset or one of `more`, or into a folder that is not
// there.
void CheckDataPaths(const Dataset& dataset, const std::vector<NamedPath>& more,
                    const std::vector<NamedPath>& written);

}  // namespace alcedo::cli
