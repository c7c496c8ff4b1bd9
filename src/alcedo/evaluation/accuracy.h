// Top-1 accuracy, the measure of the single-label sets (section 5.1 of the paper).
//
// Labels and predictions are classes in [0, classes); anything else is an InvalidArgument that
// names the row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// Shares in [0, 1]; 0 if there is no image.
struct TopOne {
  double over_images = 0;   // of all images
  double over_classes = 0;  // mean of the accuracies of the classes that have images
};

using ConfusionCounts = OwnedArray<std::int64_t, 2>;

// The class with the largest score of every row; the smaller class among equals. A NaN is an
// InvalidArgument that names row and class.
std::vector<int> Predict(const MatrixView& scores);

TopOne TopOneAccuracy(std::span<const int> predicted, std::span<const int> labels, int classes);

// The images of every class. A class that has none has no accuracy.
std::vector<std::int64_t> ImagesPerClass(std::span<const int> labels, int classes);

// The accuracy of every class; 0 if ImagesPerClass is 0.
std::vector<double> PerClassAccuracy(std::span<const int> predicted, std::span<const int> labels,
                                     int classes);

// Row: the truth, column: the prediction.
ConfusionCounts ConfusionMatrix(std::span<const int> predicted, std::span<const int> labels,
                                int classes);

}  // namespace alcedo
