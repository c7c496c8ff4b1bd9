#include "alcedo/bags/bag_output.h"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>

#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/files/file_batch.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

// A .npy of a matrix in f8, and with one row as a vector.
std::string WeightsNpy(const Matrix& weights) {
  std::vector<Index> shape{weights.cols()};
  if (weights.rows() != 1) shape.insert(shape.begin(), weights.rows());
  const std::string bytes = ValueBytes(weights, ValueType::kFloat64);
  return NpyBytes({"", shape, ElementType::kFloat64, bytes});
}

// (lambdas, dimension), and (dimension,) for one lambda; `bags` in front unless 0.
std::vector<Index> OutputShape(Index bags, const BagJob& job, Index dimension) {
  std::vector<Index> shape{dimension};
  const auto lambdas = static_cast<Index>(job.pooling.lambdas.size());
  if (lambdas != 1) shape.insert(shape.begin(), lambdas);
  if (bags != 0) shape.insert(shape.begin(), bags);
  return shape;
}

ElementType ElementTypeOf(ValueType type) {
  return type == ValueType::kFloat32 ? ElementType::kFloat32 : ElementType::kFloat64;
}

// All bags in one file, or in memory.
class StackedOutput : public BagOutput {
 public:
  explicit StackedOutput(const BagJob& job) : job_(job) {}

  std::vector<OptionPath> PathsWritten(const BagPlan& plan) const override {
    std::vector<OptionPath> paths;
    if (job_.destination.form != BagForm::kBytes)
      paths.push_back({"output", job_.destination.output});
    if (WritesNames(plan)) paths.push_back({"output", NamesFile()});
    if (!job_.destination.weights.empty()) paths.push_back({"weights", job_.destination.weights});
    if (!job_.destination.report.empty()) paths.push_back({"report", job_.destination.report});
    return paths;
  }

  void Put(Index slot, const Bag&, BagValues output) override {
    const std::lock_guard lock(mutex_);
    if (slot >= static_cast<Index>(bags_.size())) bags_.resize(slot + 1);
    bags_[slot] = std::move(output);
  }

  std::string Finish(std::span<const Index> good, const BagPlan& plan,
                     const std::string& report) override {
    // Without a good bag there is no table, and the report says why.
    const BagDestination& to = job_.destination;
    std::string bytes = good.empty() ? "" : TableBytes(good, plan);
    FileBatch files;
    if (!to.report.empty()) files.Add(to.report, report);
    if (!good.empty()) {
      if (!to.weights.empty()) files.Add(to.weights, WeightsNpy(StackWeights(good)));
      if (WritesNames(plan)) files.Add(NamesFile(), NameLines(good, plan));
      if (to.form != BagForm::kBytes) files.Add(to.output, bytes);
    }
    files.Commit();
    return to.form == BagForm::kBytes ? bytes : "";
  }

 private:
  // A .npy has no room for the names of its bags.
  bool WritesNames(const BagPlan& plan) const {
    return job_.destination.form == BagForm::kNpy && plan.collection;
  }
  std::string NamesFile() const { return job_.destination.output + ".names.txt"; }

  std::string TableBytes(std::span<const Index> good, const BagPlan& plan) {
    std::string values;
    values.reserve(good.size() * bags_[good[0]].values.size());
    for (const Index slot : good) {
      values += bags_[slot].values;
      std::string().swap(bags_[slot].values);  // not twice in memory
    }
    const Index count = plan.collection ? static_cast<Index>(good.size()) : 0;
    const ArrayToWrite array{"pooled", OutputShape(count, job_, bags_[good[0]].dimension),
                             ElementTypeOf(job_.destination.type), values};
    if (job_.destination.form != BagForm::kSafetensors) return NpyBytes(array);
    return SafetensorsBytes({&array, 1}, {{"alcedo_version", Version()},
                                          {"config", Dump(ConfigOf(job_))},
                                          {"names", Dump(Names(good, plan))},
                                          {"seed", std::to_string(job_.seed)}});
  }

  Matrix StackWeights(std::span<const Index> good) const {
    Index patches = 0;
    for (const Index slot : good) patches += bags_[slot].weights.cols();
    Matrix weights(static_cast<Index>(job_.pooling.lambdas.size()), patches);
    Index column = 0;
    for (const Index slot : good) {
      const Matrix& bag = bags_[slot].weights;
      weights.middleCols(column, bag.cols()) = bag;
      column += bag.cols();
    }
    return weights;
  }

  static Json Names(std::span<const Index> good, const BagPlan& plan) {
    Json names = Json::array();
    for (const Index slot : good) names.push_back(plan.bags[slot].name);
    return names;
  }

  static std::string NameLines(std::span<const Index> good, const BagPlan& plan) {
    std::string lines;
    for (const Index slot : good) lines += plan.bags[slot].name + "\n";
    return lines;
  }

  const BagJob& job_;
  std::mutex mutex_;
  std::vector<BagValues> bags_;
};

// One .npy for each bag, in a folder that remembers the options its bags were pooled with.
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

constexpr std::int64_t kMaxStoredConfig = std::int64_t{1} << 20;

void CheckStoredConfig(const fs::path& file, const Json& here) {
  if (!fs::exists(file)) return;
  const Json stored = ParseJson(ReadFileBytes(file, kMaxStoredConfig), file.string());
  if (!stored.is_object() || !stored.contains("config") || !stored["config"].is_object()) {
    throw FormatError(file.string(), "is not a configuration of Alcedo; use another folder");
  }
  if (stored["config"] != here) {
    throw InvalidArgument(
        fmt::format("folder '{}' has bags pooled with other options ({}); use another folder",
                    file.parent_path().string(), Difference(stored["config"], here)));
  }
}

class FolderOutput : public BagOutput {
 public:
  explicit FolderOutput(const BagJob& job) : job_(job), config_(ConfigOf(job)) {
    for (const std::string& folder : {job.destination.output, job.destination.weights}) {
      if (folder.empty()) continue;
      if (fs::exists(folder) && !fs::is_directory(folder)) {
        throw IoError(folder, "exists and is not a folder");
      }
      CheckStoredConfig(fs::path(folder) / kConfigFile, config_);
    }
  }

  bool Has(const Bag& bag) const override {
    if (!job_.destination.resume) return false;
    RequireConfig(job_.destination.output, bag);
    const std::optional<Index> dimension =
        LastSize(Path(job_.destination.output, bag), ElementTypeOf(job_.destination.type));
    bool has = dimension && bag.source->MayPoolTo(*dimension);
    if (!job_.destination.weights.empty()) {
      RequireConfig(job_.destination.weights, bag);
      const bool weights = LastSize(Path(job_.destination.weights, bag), ElementType::kFloat64) ==
                           bag.end - bag.begin;
      has = has && weights;
    }
    return has;
  }

  std::vector<OptionPath> PathsWritten(const BagPlan& plan) const override {
    std::vector<OptionPath> paths{{"output", job_.destination.output}};
    if (!job_.destination.weights.empty()) paths.push_back({"weights", job_.destination.weights});
    const std::vector<OptionPath> folders = paths;
    for (const auto& [option, folder] : folders) {
      paths.push_back({option, fs::path(folder) / kConfigFile});
      for (const Bag& bag : plan.bags) paths.push_back({option, Path(folder, bag)});
    }
    if (!job_.destination.report.empty()) paths.push_back({"report", job_.destination.report});
    return paths;
  }

  // The name of an array in a file may be longer than that of a file.
  std::string Problem(const Bag& bag) const override {
    for (const std::string& folder : {job_.destination.output, job_.destination.weights}) {
      const std::string why = folder.empty() ? "" : WhyTooLong(Path(folder, bag));
      if (!why.empty()) return why;
    }
    return "";
  }

  void Put(Index, const Bag& bag, BagValues output) override {
    PrepareFolders();
    FileBatch files;
    // The vector last: where it is, all of the bag is.
    if (!job_.destination.weights.empty())
      files.Add(Path(job_.destination.weights, bag), WeightsNpy(output.weights));
    files.Add(Path(job_.destination.output, bag),
              NpyBytes({"", OutputShape(0, job_, output.dimension),
                        ElementTypeOf(job_.destination.type), output.values}));
    files.Commit();
  }

  std::string Finish(std::span<const Index>, const BagPlan&, const std::string& report) override {
    FileBatch files;
    if (!job_.destination.report.empty()) files.Add(job_.destination.report, report);
    files.Commit();
    return "";
  }

 private:
  // Nothing tells how a bag was pooled in a folder that does not say.
  static void RequireConfig(const std::string& folder, const Bag& bag) {
    std::error_code too_long;
    if (fs::exists(fs::path(folder) / kConfigFile) || !fs::exists(Path(folder, bag), too_long)) {
      return;
    }
    throw FormatError(Path(folder, bag),
                      fmt::format("cannot be resumed: without {} beside it nothing tells how it "
                                  "was pooled; use another folder",
                                  kConfigFile));
  }

  // The last dimension of a whole .npy of this type with a row per lambda; nothing for all else.
  std::optional<Index> LastSize(const std::string& file, ElementType type) const {
    std::error_code too_long;
    if (!fs::exists(file, too_long)) return std::nullopt;
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
    for (const std::string& folder : {job_.destination.output, job_.destination.weights}) {
      if (folder.empty()) continue;
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) {
        throw IoError(folder, "cannot be made: " + error.message());
      }
      if (fs::exists(fs::path(folder) / kConfigFile)) continue;
      FileBatch config;
      config.Add(fs::path(folder) / kConfigFile, text);
      config.Commit();
    }
    prepared_ = true;
  }

  const BagJob& job_;
  const Json config_;
  std::mutex mutex_;
  bool prepared_ = false;
};

}  // namespace

std::unique_ptr<BagOutput> OpenBagOutput(const BagJob& job) {
  const BagDestination& to = job.destination;
  CheckParent(to.report);
  if (to.form == BagForm::kFolder) return std::make_unique<FolderOutput>(job);
  if (to.form != BagForm::kBytes) CheckParent(to.output);
  CheckParent(to.weights);
  return std::make_unique<StackedOutput>(job);
}

}  // namespace alcedo
