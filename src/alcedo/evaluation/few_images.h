// Intervals that resamples cannot give: a class that is all right stays all right in every one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alcedo/evaluation/interval.h"

namespace alcedo::internal {

// How many values of a group of images are 1, 0 and -1; of what is right or wrong none is -1.
struct ValueCounts {
  std::int64_t plus = 0, zero = 0, minus = 0;
};
// Per class for the mean over classes, else of all images; groups without images are left out.
std::vector<ValueCounts> CountValues(std::span<const int> values, std::span<const int> labels,
                                     int classes, bool over_classes);

// Of a share: Wilson's score interval. Of a difference of two shares of the same images: Agresti
// and Min's, with one image more that is the same for both and half a one for either method.
Interval WilsonInterval(const ValueCounts& counts, double level);
Interval AgrestiMinInterval(const ValueCounts& counts, double level);

// `resampled`, and where no value differs from another in half or more of the groups the smallest
// interval that also holds that of the mean over the groups' intervals, added as squares (Zou and
// Donner's method of variance estimates recovery).
Interval WithFewImages(const Interval& resampled, const std::vector<ValueCounts>& groups,
                       double level, Interval (*of_group)(const ValueCounts&, double));

}  // namespace alcedo::internal
