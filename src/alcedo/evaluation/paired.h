// Is one method better than another, on the same test images?
//
// All differences are the first method's measure less the second's.
#pragma once

#include <cstdint>
#include <span>

#include "alcedo/base/types.h"
#include "alcedo/evaluation/average_precision.h"
#include "alcedo/evaluation/interval.h"

namespace alcedo {

// The probability of a split at least as uneven as this one when a fair coin decides: the exact
// two-sided binomial test of McNemar. Both arguments >= 0; 1 if both are 0.
double McNemarP(std::int64_t only_first, std::int64_t only_second);

struct McNemar {
  std::int64_t only_first = 0;   // images that only the first method gets right
  std::int64_t only_second = 0;  // images that only the second gets right
  double p = 1;
};
McNemar McNemarTest(std::span<const int> first, std::span<const int> second,
                    std::span<const int> labels);

struct PairedComparison {
  double difference = 0;
  Interval interval;  // from resamples that both methods share
  double p = 1;       // two-sided, in [0, 1]: of a difference this large if there is none
};

// Top-1. Over images p is McNemar's; over classes that of a sign-flip test: again and again,
// 20 times for every resample, the two predictions of each image change places or not, and p is the
// share of these flips (with the data itself as one more) whose difference is at least as large.
// The interval is widened as that of BootstrapTopOne, by Agresti and Min's intervals of the classes
// if in half or more of them all images say the same.
//
// p and the interval are not one test: p counts only the images on which the methods differ and is
// exact however few they are (of five that all speak for one method it is 0.06), the interval draws
// new images, and with five that speak for one method and none against it cannot reach 0. A
// difference is decided if both say so.
PairedComparison CompareTopOne(std::span<const int> first, std::span<const int> second,
                               std::span<const int> labels, int classes, bool over_classes,
                               const BootstrapOptions& options = {});

// Mean average precision. Scores of two methods have different scales and cannot change places, so
// the interval and p are both of the normal distribution, with the standard deviation of the
// difference on MapOfHalves that both methods share (interval.h says why halves). 1 if it is 0.
PairedComparison CompareMap(const MatrixView& first, const MatrixView& second,
                            const TargetMatrix& targets, ApRule rule,
                            const BootstrapOptions& options = {});

}  // namespace alcedo
