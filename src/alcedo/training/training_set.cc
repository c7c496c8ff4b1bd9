#include "alcedo/training/training_set.h"

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/evaluation/folds.h"

namespace alcedo {

Truth TruthOf(const Dataset& dataset, std::span<const Index> images) {
  Truth truth;
  truth.classes = static_cast<int>(dataset.classes.size());
  truth.multi_label = dataset.multi_label;
  truth.targets.setConstant(static_cast<Index>(images.size()), truth.classes, std::int8_t{-1});
  for (std::size_t i = 0; i < images.size(); ++i) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(images[i])];
    const auto row = static_cast<Index>(i);
    if (dataset.multi_label) {
      for (int c = 0; c < truth.classes; ++c) {
        truth.targets(row, c) = image.targets[static_cast<std::size_t>(c)];
      }
    } else {
      truth.labels.push_back(image.label);
      truth.targets(row, image.label) = 1;
    }
  }
  return truth;
}

Truth Part(const Truth& truth, std::span<const Index> rows) {
  Truth part;
  part.classes = truth.classes;
  part.multi_label = truth.multi_label;
  part.targets.resize(static_cast<Index>(rows.size()), truth.classes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.targets.row(static_cast<Index>(i)) = truth.targets.row(rows[i]);
    if (!truth.multi_label) part.labels.push_back(truth.labels[static_cast<std::size_t>(rows[i])]);
  }
  return part;
}

std::string MetricOf(bool multi_label) { return multi_label ? "map-voc11" : "top1-classes"; }

double Quality(const Matrix& scores, const Truth& truth) {
  if (truth.multi_label) return 100 * MeanAveragePrecision(scores, truth.targets, ApRule::kVoc11);
  return 100 * TopOneAccuracy(Predict(scores), truth.labels, truth.classes).over_classes;
}

std::vector<Fold> MakeFolds(const Dataset& dataset, std::span<const Index> images, int folds,
                            std::uint64_t seed) {
  std::vector<int> fold_of(images.size());
  if (dataset.has_validation) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      const Split split = dataset.images[static_cast<std::size_t>(images[i])].split;
      fold_of[i] = split == Split::kValidation ? 0 : -1;
    }
    folds = 1;
  } else {
    // A multi-label set is spread by one of each image's classes.
    std::vector<int> labels;
    for (const Index number : images) {
      const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
      const auto first = std::ranges::find(image.targets, std::int8_t{1});
      labels.push_back(dataset.multi_label ? static_cast<int>(first - image.targets.begin())
                                           : image.label);
    }
    folds = std::min(folds, static_cast<int>(images.size()));
    fold_of = StratifiedFolds(labels, folds, seed);
  }
  std::vector<Fold> result(static_cast<std::size_t>(folds));
  for (int f = 0; f < folds; ++f) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      Fold& fold = result[static_cast<std::size_t>(f)];
      (fold_of[i] == f ? fold.held_out : fold.train).push_back(static_cast<Index>(i));
    }
  }
  for (const Fold& fold : result) {
    if (!fold.train.empty() && !fold.held_out.empty()) continue;
    throw InvalidArgument(fold.held_out.empty()
                              ? "there is no image to validate on: none of them could be read"
                              : "there is no image to train on beside those to validate on");
  }
  return result;
}

std::vector<Input> InputsOf(const Dataset& dataset, std::span<const Index> images) {
  std::vector<Input> inputs;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    inputs.push_back({image.path.string(), image.name});
  }
  return inputs;
}

std::vector<LearnResult> LearnIn(const Dataset& dataset, std::span<const Index> images,
                                 const std::vector<LearnTask>& tasks, const Run& run) {
  LearnRun learn;
  static_cast<Run&>(learn) = run;
  return LearnMany(InputsOf(dataset, images), tasks, learn);
}

}  // namespace alcedo
