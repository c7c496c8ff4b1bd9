// One .npy for each bag, in a folder that remembers the options its bags were pooled with.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>

#include "alcedo/cli/json.h"
#include "alcedo/cli/output.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kConfigFile = "alcedo.json";

// The first option that differs, as "lambda is 10 there and 100 here".
std::string Difference(const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    if (!there.contains(key)) return fmt::format("it does not say {}", key);
    if (there[key] != value) {
      return fmt::format("{} is {} there and {} here", key, Dump(there[key]), Dump(value));
    }
  }
  return "it has options unknown here";
}

void CheckConfig(const fs::path& file, const Json& here) {
  if (!fs::exists(file)) return;
  std::ifstream stream(file);
  const Json stored = Json::parse(stream, nullptr, false);
  if (!stored.is_object() || !stored.contains("config") || !stored["config"].is_object()) {
    throw FormatError(
        fmt::format("'{}' is not a configuration of alcedo; use another folder", file.string()));
  }
  if (stored["config"] != here) {
    throw InvalidArgument(
        fmt::format("folder '{}' has bags pooled with other options ({}); use another folder",
                    file.parent_path().string(), Difference(stored["config"], here)));
  }
}

class FolderOutput : public Output {
 public:
  FolderOutput(const PoolJob& job, Interrupts& interrupts)
      : job_(job), interrupts_(interrupts), config_(ConfigOf(job)) {
    for (const std::string& folder : {job.output, job.weights}) {
      if (folder.empty()) continue;
      if (fs::exists(folder) && !fs::is_directory(folder)) {
        throw IoError(fmt::format("'{}' exists and is not a folder", folder));
      }
      CheckConfig(fs::path(folder) / kConfigFile, config_);
    }
  }

  bool Has(const Bag& bag) const override {
    if (!job_.resume) return false;
    RequireConfig(job_.output, bag);
    const std::optional<Index> dimension =
        LastSize(Path(job_.output, bag), ElementTypeOf(job_.type));
    bool has = dimension && bag.source->MayPoolTo(*dimension);
    if (!job_.weights.empty()) {
      RequireConfig(job_.weights, bag);
      const bool weights =
          LastSize(Path(job_.weights, bag), ElementType::kFloat64) == bag.end - bag.begin;
      has = has && weights;
    }
    return has;
  }

  std::vector<NamedPath> PathsWritten(const BagPlan& plan) const override {
    std::vector<NamedPath> paths{{"--output", job_.output}};
    if (!job_.weights.empty()) paths.push_back({"--weights", job_.weights});
    const std::vector<NamedPath> folders = paths;
    for (const auto& [option, folder] : folders) {
      paths.push_back({option, folder / kConfigFile});
      for (const Bag& bag : plan.bags) paths.push_back({option, Path(folder, bag)});
    }
    if (!job_.report_file.empty()) paths.push_back({"--report", job_.report_file});
    return paths;
  }

  void Put(Index, const Bag& bag, BagOutput output) override {
    PrepareFolders();
    FileBatch files;
    // The vector last: where it is, all of the bag is.
    if (!job_.weights.empty()) files.Add(Path(job_.weights, bag), WeightsNpy(output.weights));
    files.Add(Path(job_.output, bag), NpyBytes({"", OutputShape(0, job_, output.dimension),
                                                ElementTypeOf(job_.type), output.values}));
    files.Commit();
  }

  void Finish(std::span<const Index>, const BagPlan&, const std::string& report) override {
    const Interrupts::Writing writing(interrupts_);
    FileBatch files;
    if (!job_.report_file.empty()) files.Add(job_.report_file, report);
    files.Commit();
  }

 private:
  // Nothing tells how a bag was pooled in a folder that does not say.
  static void RequireConfig(const std::string& folder, const Bag& bag) {
    if (fs::exists(fs::path(folder) / kConfigFile) || !fs::exists(Path(folder, bag))) return;
    throw InvalidArgument(
        fmt::format("cannot resume: '{}' exists, but without {} beside it nothing tells how it was "
                    "pooled; use another folder, or leave out --resume",
                    Path(folder, bag), kConfigFile));
  }

  // The last dimension of a whole .npy of this type with a row per lambda; nothing for all else.
  std::optional<Index> LastSize(const std::string& file, ElementType type) const {
    if (!fs::exists(file)) return std::nullopt;
    try {
      const ArrayReader reader = ArrayReader::Open(file);
      if (reader.arrays().size() != 1) return std::nullopt;
      const ArrayInfo& info = reader.arrays()[0];
      if (info.type != type || info.shape.empty()) return std::nullopt;
      const Index last = info.shape.back();
      if (info.shape != OutputShape(0, job_, last)) return std::nullopt;
      return last;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  static std::string Path(const std::string& folder, const Bag& bag) {
    return fs::path(folder) / (bag.name + ".npy");
  }

  // With the first bag and not before: a run without a good bag leaves nothing behind.
  void PrepareFolders() {
    const std::lock_guard lock(mutex_);
    if (prepared_) return;
    const std::string text = Dump({{"alcedo", Version()}, {"config", config_}}, 2) + "\n";
    for (const std::string& folder : {job_.output, job_.weights}) {
      if (folder.empty()) continue;
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) {
        throw IoError(fmt::format("cannot make folder '{}': {}", folder, error.message()));
      }
      if (fs::exists(fs::path(folder) / kConfigFile)) continue;
      FileBatch config;
      config.Add(fs::path(folder) / kConfigFile, text);
      config.Commit();
    }
    prepared_ = true;
  }

  const PoolJob& job_;
  Interrupts& interrupts_;
  const Json config_;
  std::mutex mutex_;
  bool prepared_ = false;
};

}  // namespace

std::unique_ptr<Output> OpenFolderOutput(const PoolJob& job, Interrupts& interrupts) {
  return std::make_unique<FolderOutput>(job, interrupts);
}

}  // namespace alcedo::cli
