#include "alcedo/reproduce/final_models.h"

#include <fmt/format.h>

#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

fs::path ModelFile(const ReadyPlan& ready, const ModelKey& key, const Run& run) {
  const Coding& coding = ready.codings[static_cast<std::size_t>(key.candidate.coding)].coding;
  const PoolChoice& choice = coding.choices[static_cast<std::size_t>(key.candidate.choice)];
  return run.work / "models" /
         fmt::format("{}-{}-power{:g}-c{:g}.npy", coding.name, choice.name, key.candidate.power,
                     key.c);
}

// Weights, and the bias as a last column.
void WriteModel(const LinearModel& model, const fs::path& file, const Run& run) {
  Rows values(model.weights.rows(), model.weights.cols() + 1);
  values.leftCols(model.weights.cols()) = model.weights;
  values.rightCols(1) = model.bias.cast<float>();
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               static_cast<std::size_t>(values.size()) * sizeof(float));
  Write(run, [&] {
    WriteWholeFile(file,
                   NpyBytes({"", {values.rows(), values.cols()}, ElementType::kFloat32, bytes}));
  });
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
    if (fs::exists(file)) {
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
  const Rows values = ArrayReader::Open(file).ReadRows(0);
  const Index dimension = ready.codings[static_cast<std::size_t>(key.candidate.coding)].dimension;
  if (values.cols() != dimension + 1) {
    throw FormatError(file.string(), "is not a model of this experiment", {.text = "remove it"});
  }
  return {values.leftCols(dimension), values.rightCols(1).cast<double>()};
}

}  // namespace alcedo::reproduce
