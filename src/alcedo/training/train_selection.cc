#include "alcedo/training/train_selection.h"

#include <algorithm>

#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/evaluation/accuracy.h"

namespace alcedo {

std::vector<Fold> TrainFolds(const Dataset& dataset, const std::vector<Index>& images,
                             const TrainOptions& options) {
  Dataset layout;  // what MakeFolds() looks at
  layout.multi_label = dataset.multi_label;
  layout.images = dataset.images;
  const auto validation = std::ranges::count_if(images, [&](Index number) {
    return dataset.images[static_cast<std::size_t>(number)].split == Split::kValidation;
  });
  layout.has_validation = validation > 0 && validation < std::ssize(images);
  auto folds = std::min<Index>(options.folds, std::ssize(images));
  if (!dataset.multi_label) {
    std::vector<Index> counts(dataset.classes.size(), 0);
    for (const Index number : images) {
      const int label = dataset.images[static_cast<std::size_t>(number)].label;
      ++counts[static_cast<std::size_t>(label)];
    }
    for (const Index count : counts) {
      if (count > 0) folds = std::min(folds, count);
    }
  }
  if (!layout.has_validation && folds < 2) return {};
  return MakeFolds(layout, images, static_cast<int>(folds), options.seed);
}

void ChooseByHeldOut(const std::vector<std::vector<Matrix>>& scores, const std::vector<double>& cs,
                     const Truth& truth, const TrainOptions& options, TrainResult& result) {
  Model& model = result.model;
  const auto channels_at = [&](std::size_t c) {
    std::vector<Matrix> channels;
    for (const std::vector<Matrix>& channel : scores) channels.push_back(channel[c]);
    return channels;
  };
  std::size_t best = 0;
  double quality = -1;
  for (std::size_t i = 0; i < cs.size(); ++i) {
    // Among equals the first, the smallest C.
    const double q = Quality(FuseScores(channels_at(i)), truth);
    if (q > quality) best = i, quality = q;
  }
  const std::vector<Matrix> channels = channels_at(best);
  if (options.fusion_weights == FusionWeights::kValidation) {
    model.fusion_weights =
        ChooseFusionWeights(channels, [&](const Matrix& fused) { return Quality(fused, truth); });
  }
  const Matrix fused = FuseScores(channels, model.fusion_weights);
  model.training.c = cs[best];
  model.training.validation = Quality(fused, truth);
  if (!truth.multi_label) {
    result.held_out_images =
        100 * TopOneAccuracy(Predict(fused), truth.labels, truth.classes).over_images;
  }
  if (options.probabilities) model.platt = FitPlatt(fused, truth.targets.transpose());
}

}  // namespace alcedo
