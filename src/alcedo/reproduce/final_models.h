// The SVMs that see the test images: trained on all other images with what was chosen.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {

// One trained SVM: methods that chose the same share it.
struct ModelKey {
  Candidate candidate;
  double c = 1;

  friend auto operator<=>(const ModelKey&, const ModelKey&) = default;
};

// All SVMs that the methods of these rows need, alone and fused, in order.
std::vector<ModelKey> ModelsOf(const PairSelection& selection);

// Trains those that run.work / "models" does not have. What did not converge is kept, too, and said
// by ModelConverged().
void TrainModels(const ReadyPlan& ready, const std::vector<ModelKey>& keys,
                 const TrainingVectors& vectors, const Truth& truth, const Run& run);

bool ModelConverged(const ReadyPlan& ready, const ModelKey& key, const Run& run);

// A classifier, and what its vectors are finished with.
struct FinalModel {
  LinearModel linear;
  Vector centre;
};
FinalModel ReadModel(const ReadyPlan& ready, const ModelKey& key, const Run& run);

}  // namespace alcedo::reproduce
