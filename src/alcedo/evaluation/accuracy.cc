#include "alcedo/evaluation/accuracy.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/evaluation_internal.h"

namespace alcedo {
namespace internal {

void CheckClasses(std::span<const int> values, int classes, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0 && values[i] < classes) continue;
    throw InvalidArgument(fmt::format("{} must be classes in [0, {}), got {} in row {}", what,
                                      classes, values[i], i));
  }
}

void CheckPredictions(std::span<const int> predicted, std::span<const int> labels, int classes) {
  Require(classes >= 0, "classes", ">= 0", classes);
  if (predicted.size() != labels.size()) {
    throw InvalidArgument(fmt::format("predictions must be as many as labels, {}, got {}",
                                      labels.size(), predicted.size()));
  }
  CheckClasses(labels, classes, "labels");
  CheckClasses(predicted, classes, "predictions");
}

}  // namespace internal

std::vector<int> Predict(const MatrixView& scores) {
  Require(scores.cols() >= 1 || scores.rows() == 0, "the number of classes", ">= 1", 0);
  std::vector<int> predicted(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    int best = 0;
    for (Index c = 0; c < scores.cols(); ++c) {
      if (std::isnan(scores(i, c))) {
        throw InvalidArgument(fmt::format("scores: row {}, column {} is NaN", i, c));
      }
      if (scores(i, c) > scores(i, best)) best = static_cast<int>(c);
    }
    predicted[i] = best;
  }
  return predicted;
}

std::vector<std::int64_t> ImagesPerClass(std::span<const int> labels, int classes) {
  Require(classes >= 0, "classes", ">= 0", classes);
  internal::CheckClasses(labels, classes, "labels");
  std::vector<std::int64_t> images(classes, 0);
  for (const int label : labels) ++images[label];
  return images;
}

std::vector<double> PerClassAccuracy(std::span<const int> predicted, std::span<const int> labels,
                                     int classes) {
  internal::CheckPredictions(predicted, labels, classes);
  const std::vector<std::int64_t> images = ImagesPerClass(labels, classes);
  std::vector<double> accuracy(classes, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) accuracy[labels[i]] += predicted[i] == labels[i];
  for (int c = 0; c < classes; ++c) {
    if (images[c] > 0) accuracy[c] /= static_cast<double>(images[c]);
  }
  return accuracy;
}

TopOne TopOneAccuracy(std::span<const int> predicted, std::span<const int> labels, int classes) {
  const std::vector<double> per_class = PerClassAccuracy(predicted, labels, classes);
  const std::vector<std::int64_t> images = ImagesPerClass(labels, classes);
  if (labels.empty()) return {};
  std::int64_t right = 0, with_images = 0;
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i];
  for (int c = 0; c < classes; ++c) {
    with_images += images[c] > 0;
    sum += per_class[c];
  }
  return {static_cast<double>(right) / static_cast<double>(labels.size()),
          sum / static_cast<double>(with_images)};
}

ConfusionCounts ConfusionMatrix(std::span<const int> predicted, std::span<const int> labels,
                                int classes) {
  internal::CheckPredictions(predicted, labels, classes);
  ConfusionCounts confusion = ConfusionCounts::Zero(classes, classes);
  for (std::size_t i = 0; i < labels.size(); ++i) ++confusion(labels[i], predicted[i]);
  return confusion;
}

}  // namespace alcedo
