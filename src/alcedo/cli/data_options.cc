#include "alcedo/cli/data_options.h"

#include <fmt/format.h>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/field_flags.h"

namespace alcedo::cli {

void AddDataOptions(CLI::App& app, DataOptions& options) {
  app.option_defaults()->group("Data");
  AddTextOption(app, "--dataset", Choices<DatasetKind>(),
                "what DATA is; folder: one folder of pictures for each class (default auto)",
                [&options](const std::string& text) {
                  options.kind = ParseEnum<DatasetKind>(
                      "--dataset", CheckChoice("--dataset", text, Choices<DatasetKind>()));
                });
  app.option_defaults()->group("Only for a folder per class");
  const FieldFlags split{app, "folder-",
                         [&options](CLI::Option* o) { options.folder_flags.push_back(o); }};
  VisitFields(options.split, split);
}

Dataset ReadData(const DataOptions& options, bool all, const std::string& instead, bool arrays) {
  const CLI::Option* given = nullptr;
  for (const CLI::Option* flag : options.folder_flags) {
    if (flag->count() > 0) given = flag;
  }
  const std::string name = given != nullptr ? given->get_name() : "";
  RequireUsage(given == nullptr || !all,
               fmt::format("{} does not go with {}: there is nothing to split", name, instead));
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
    dataset = ReadDataset(options.data, arrays ? DatasetKind::kFolder : options.kind, split);
  } catch (const InvalidArgument& error) {
    // Options of the split are the only ones with such a name.
    std::string message = error.what();
    if (!message.starts_with("folder.")) throw;
    const std::size_t end = message.find(' ');
    const std::string flag = FlagName("folder-", message.substr(7, end - 7));
    throw UsageError(flag + message.substr(end));
  } catch (const FormatError& error) {
    const std::string message = error.what();
    if (!message.ends_with("has no image to test on")) throw;
    throw FormatError(fmt::format(
        "{}: a class of one image has none to spare; {} takes every image", message, instead));
  }
  RequireUsage(given == nullptr || dataset.kind == DatasetKind::kFolder,
               fmt::format("{} goes with a folder per class, and {} is {}", name, options.data,
                           dataset.title));
  return dataset;
}

void CheckDataPaths(const Dataset& dataset, const std::vector<NamedPath>& more,
                    const std::vector<NamedPath>& written) {
  std::vector<NamedPath> given;
  for (const NamedPath& path : written) {
    if (path.path.empty()) continue;
    given.push_back(path);
    CheckParent(path.path.string());
  }
  const WrittenPaths paths(std::move(given));
  for (const DatasetImage& image : dataset.images) paths.CheckRead("DATA", image.path);
  for (const NamedPath& path : more) paths.CheckRead(path.option, path.path);
}

}  // namespace alcedo::cli
