#include "alcedo/training/cross_validation.h"

#include <algorithm>

#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/evaluation/accuracy.h"

namespace alcedo {
namespace {

Rows Submatrix(const Rows& matrix, const std::vector<Index>& rows,
               const std::vector<Index>& columns) {
  Rows part(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      part(static_cast<Index>(i), static_cast<Index>(j)) = matrix(rows[i], columns[j]);
    }
  }
  return part;
}

}  // namespace

std::vector<Matrix> HeldOutScores(const Rows& gram, const Truth& truth,
                                  const std::vector<Fold>& folds,
                                  std::span<const SvmOptions> candidates) {
  Index held_out = 0;
  for (const Fold& fold : folds) held_out += static_cast<Index>(fold.held_out.size());
  std::vector<Matrix> scores(candidates.size(), Matrix(held_out, truth.classes));
  Index begin = 0;
  for (const Fold& fold : folds) {
    const Rows train = Submatrix(gram, fold.train, fold.train);
    const Rows cross = Submatrix(gram, fold.held_out, fold.train);
    const Targets targets = Part(truth, fold.train).targets.transpose();
    KernelModel model;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const SvmOptions& options = candidates[i];
      model = TrainGramSvm(train, targets, options, nullptr, i == 0 ? nullptr : &model);
      scores[i].middleRows(begin, cross.rows()) = Scores(model, cross, options.threads);
    }
    begin += cross.rows();
  }
  return scores;
}

Truth HeldOutTruth(const Truth& truth, const std::vector<Fold>& folds) {
  std::vector<Index> rows;
  for (const Fold& fold : folds) {
    rows.insert(rows.end(), fold.held_out.begin(), fold.held_out.end());
  }
  return Part(truth, rows);
}

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
