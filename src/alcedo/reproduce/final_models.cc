#include "alcedo/reproduce/final_models.h"

#include <fmt/format.h>

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

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

constexpr const char* kFormat = "alcedo-reproduce-model";
constexpr const char* kArray = "weights";

fs::path ModelFile(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  const Coding& coding = ready.codings[static_cast<std::size_t>(key.candidate.coding)].coding;
  const PoolChoice& choice = coding.choices[static_cast<std::size_t>(key.candidate.choice)];
  return run.work / "models" /
         fmt::format("{}-{}-power{:g}-c{:g}.safetensors", coding.name, choice.name,
                     key.candidate.power, key.c);
}

// Weights, and the bias as a last column.
void WriteModel(const LinearModel& model, const fs::path& file, const Run& run) {
  Rows values(model.weights.rows(), model.weights.cols() + 1);
  values.leftCols(model.weights.cols()) = model.weights;
  values.rightCols(1) = model.bias.cast<float>();
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               static_cast<std::size_t>(values.size()) * sizeof(float));
  const ArrayToWrite array{kArray, {values.rows(), values.cols()}, ElementType::kFloat32, bytes};
  const std::string sealed = internal::Seal(
      SafetensorsBytes(std::span(&array, 1),
                       {{"format", kFormat}, {"checksum", std::string(internal::kNoChecksum)}}));
  Write(run, [&] { WriteWholeFile(file, sealed); });
}

Rows ReadValues(const fs::path& file) {
  std::string bytes = ReadFileBytes(file, std::numeric_limits<std::int64_t>::max());
  const std::string name = file.string();
  {
    const ArrayReader reader = ArrayReader::FromView(bytes, name);
    const std::string checksum = internal::Required(reader.metadata(), "checksum", name);
    internal::CheckSeal(bytes, checksum, name);
  }
  return ArrayReader::FromView(bytes, name).ReadRows(0);
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
  Rows normalized, gram;
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
      normalized = Normalized(ready.codings[static_cast<std::size_t>(made.coding)],
                              vectors.Read(made.coding, made.choice), made.power, run.threads);
      gram = GramMatrix(normalized, run.threads);
    }
    SvmOptions options;
    options.c = key.c;
    options.threads = run.threads;
    const KernelModel model = TrainGramSvm(gram, targets, options);
    WriteModel(ToLinear(model, normalized, run.threads), file, run);
    Report(run, progress);
  }
}

LinearModel ReadModel(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  const fs::path file = ModelFile(ready, key, run);
  // Models are trained with the selection that they belong to.
  const Hint advice{
      .text = fmt::format("remove the folders {} and {}, then run the same command again",
                          file.parent_path().string(), (run.work / "selection").string())};
  Rows values;
  try {
    values = ReadValues(file);
  } catch (const FormatError& error) {
    throw FormatError(error.file(), error.reason(), advice);
  }
  const Index dimension = ready.codings[static_cast<std::size_t>(key.candidate.coding)].dimension;
  if (values.cols() != dimension + 1) {
    throw FormatError(file.string(), "is not a model of this experiment", advice);
  }
  return {values.leftCols(dimension), values.rightCols(1).cast<double>()};
}

}  // namespace alcedo::reproduce
