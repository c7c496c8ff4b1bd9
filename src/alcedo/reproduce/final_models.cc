#include "alcedo/reproduce/final_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/reproduce/finish.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

constexpr const char* kFormat = "alcedo-reproduce-model";
constexpr const char* kArray = "weights";
constexpr const char* kCentre = "centre";

std::string ModelName(const ReadyPlan& ready, const ModelKey& key) {
  const Coding& coding = ready.codings[static_cast<std::size_t>(key.candidate.coding)].coding;
  const PoolChoice& choice = coding.choices[static_cast<std::size_t>(key.candidate.choice)];
  return fmt::format("{}-{}-power{:g}-c{:g}", coding.name, choice.name, key.candidate.power, key.c);
}

fs::path ModelFile(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  return run.work / "models" / (ModelName(ready, key) + ".safetensors");
}

// There if the model did not converge.
fs::path UnfinishedFile(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  return run.work / "unfinished" / "models" / (ModelName(ready, key) + ".json");
}

std::string_view BytesOf(const Rows& values) {
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(float)};
}

// Weights, and the bias as a last column; the centre of those that have one.
void WriteModel(const FinalModel& model, const fs::path& file, const Run& run) {
  const LinearModel& linear = model.linear;
  Rows values(linear.weights.rows(), linear.weights.cols() + 1);
  values.leftCols(linear.weights.cols()) = linear.weights;
  values.rightCols(1) = linear.bias.cast<float>();
  Rows centre(1, model.centre.size());
  centre.row(0) = model.centre.transpose().cast<float>();
  std::vector<ArrayToWrite> arrays{
      {kArray, {values.rows(), values.cols()}, ElementType::kFloat32, BytesOf(values)}};
  if (centre.size() > 0) {
    arrays.push_back({kCentre, {1, centre.cols()}, ElementType::kFloat32, BytesOf(centre)});
  }
  const std::string sealed = internal::Seal(SafetensorsBytes(
      arrays, {{"format", kFormat}, {"checksum", std::string(internal::kNoChecksum)}}));
  Write(run, [&] { WriteWholeFile(file, sealed); });
}

struct Values {
  Rows weights, centre;
};
Values ReadValues(const fs::path& file) {
  std::string bytes = ReadFileBytes(file, std::numeric_limits<std::int64_t>::max());
  const std::string name = file.string();
  const ArrayReader reader = ArrayReader::FromView(bytes, name);
  const std::string checksum = internal::Required(reader.metadata(), "checksum", name);
  internal::CheckSeal(bytes, checksum, name);
  Values values;
  for (Index i = 0; i < std::ssize(reader.arrays()); ++i) {
    (reader.arrays()[static_cast<std::size_t>(i)].name == kCentre ? values.centre
                                                                  : values.weights) =
        reader.ReadRows(i);
  }
  return values;
}

// One that was damaged is trained again.
bool IsWhole(const fs::path& file) {
  if (!fs::exists(file)) return false;
  try {
    ReadValues(file);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

}  // namespace

std::vector<ModelKey> ModelsOf(const PairSelection& selection) {
  std::set<ModelKey> keys;
  for (const RowSelection& row : selection.rows) {
    for (const Chosen& chosen : row.methods) {
      keys.insert({chosen.trial.candidate, chosen.trial.c});
      keys.insert({chosen.trial.candidate, chosen.fused_c});
    }
  }
  return {keys.begin(), keys.end()};
}

void TrainModels(const ReadyPlan& ready, const std::vector<ModelKey>& keys,
                 const TrainingVectors& vectors, const Truth& truth, const Run& run) {
  fs::create_directories(run.work / "models");
  const Targets targets = truth.targets.transpose();
  Progress progress{"training", 0, static_cast<Index>(keys.size()), 0, "models"};
  // Keys of one candidate follow each other and share its products.
  Rows finished, gram;
  Vector centre;
  Candidate made{-1, -1, -1};
  for (const ModelKey& key : keys) {
    ++progress.done;
    const fs::path file = ModelFile(ready, key, run);
    if (IsWhole(file)) {
      ++progress.resumed;
      continue;
    }
    if (made != key.candidate) {
      made = key.candidate;
      const ReadyCoding& coding = ready.codings[static_cast<std::size_t>(made.coding)];
      Rows pooled = vectors.Read(made.coding, made.choice);
      centre = CentreOf(coding, pooled);
      finished = Finished(coding, std::move(pooled), made.power, centre, run.threads);
      gram = GramMatrix(finished, run.threads);
    }
    SvmOptions options;
    options.c = key.c;
    options.threads = run.threads;
    SvmReport report;
    const KernelModel model = TrainGramSvm(gram, targets, options, &report);
    const fs::path unfinished = UnfinishedFile(ready, key, run);
    if (!report.converged) {  // before the model: where that is, this is too
      WriteJson(run, unfinished, {{"gap", *std::ranges::max_element(report.gap)}});
    } else {
      fs::remove(unfinished);
    }
    WriteModel({ToLinear(model, finished, run.threads), centre}, file, run);
    Report(run, progress);
  }
}

bool ModelConverged(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  return !fs::exists(UnfinishedFile(ready, key, run));
}

FinalModel ReadModel(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  const fs::path file = ModelFile(ready, key, run);
  // Models are trained with the selection that they belong to.
  const Hint advice{
      .text = fmt::format("remove the folders {} and {}, then run the same command again",
                          file.parent_path().string(), (run.work / "selection").string())};
  Values values;
  try {
    values = ReadValues(file);
  } catch (const FormatError& error) {
    throw FormatError(error.file(), error.reason(), advice);
  }
  const Index dimension = ready.codings[static_cast<std::size_t>(key.candidate.coding)].dimension;
  const bool centred =
      ready.codings[static_cast<std::size_t>(key.candidate.coding)].coding.finish ==
      Finish::kCentred;
  if (values.weights.cols() != dimension + 1 || values.centre.size() != (centred ? dimension : 0)) {
    throw FormatError(file.string(), "is not a model of this experiment", advice);
  }
  FinalModel model{{values.weights.leftCols(dimension), values.weights.rightCols(1).cast<double>()},
                   {}};
  if (centred) model.centre = values.centre.row(0).transpose().cast<double>();
  return model;
}

}  // namespace alcedo::reproduce
