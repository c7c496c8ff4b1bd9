// DATA of `train` and `evaluate`: a dataset as its authors distribute it, or a folder per class.
#pragma once

#include <string>
#include <vector>

#include "alcedo/cli/app.h"
#include "alcedo/cli/paths.h"
#include "alcedo/dataset/read_dataset.h"

namespace alcedo::cli {

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
