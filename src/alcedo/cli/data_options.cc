#include "alcedo/cli/data_options.h"

#include <fmt/format.h>

#include "alcedo/cli/config_flags.h"
#include "alcedo/cli/errors.h"

namespace alcedo::cli {

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
