// What seeds_and_images.h starts from: the measures of predictions and scores with several seeds.
#pragma once

#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/evaluation/average_precision.h"
#include "alcedo/evaluation/interval.h"
#include "alcedo/evaluation/seeds_and_images.h"

namespace alcedo {

// Top-1 accuracy with every seed, a list of predictions for each. Images are drawn within classes
// for the mean over classes, of which the variance is then known without drawing: the sum of the
// classes' variances. If half or more of the classes do not vary (all right, or all wrong, with all
// seeds) two right and two wrong images are added to each for the variance, as in Agresti and
// Coull's interval; to a class of one image always. Arguments as TopOneAccuracy, for every seed.
SeededMeasure SeededTopOne(std::span<const std::vector<int>> predicted, std::span<const int> labels,
                           int classes, bool over_classes);

// The first method's accuracy less the second's, seed by seed. What is added to classes that do not
// vary is half an image for either method and one for none, as in Agresti and Min's interval.
SeededMeasure SeededTopOneDifference(std::span<const std::vector<int>> first,
                                     std::span<const std::vector<int>> second,
                                     std::span<const int> labels, int classes, bool over_classes);

// Mean average precision: from its values on half of the images (MapOfHalves), for every seed the
// same halves. `values` are those on all images. Differences of two methods are differences of
// `values` and of `halves`, seed by seed. Requires as many lists of halves as values, equally long.
SeededMeasure SeededMap(std::span<const double> values,
                        std::span<const std::vector<double>> halves);

}  // namespace alcedo
