// How far a measure would move with other test images: bootstrap intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/evaluation/average_precision.h"

namespace alcedo {

struct BootstrapOptions {
  int resamples = 2000;
  double level = 0.95;
  std::uint64_t seed = 0;
  int threads = 1;  // changes no result
};
// Throws InvalidArgument for options outside their range.
void Check(const BootstrapOptions& options);
template <class Visitor>
void VisitFields(BootstrapOptions& o, Visitor&& visit) {
  visit("resamples", o.resamples, "bootstrap resamples, >= 1");
  visit("level", o.level, "share of the resamples inside the interval, in (0, 1)");
  visit("seed", o.seed, "seed of the resamples");
}

struct Interval {
  double low = 0;
  double high = 0;
};

// The percentile interval of TopOneAccuracy: images are drawn with replacement, for the mean over
// classes within each class. {0, 0} if there is no image. Arguments as TopOneAccuracy.
//
// Resamples of images that are all right, or all wrong, are all the same: an interval without width
// from 8 images would be a claim that no 8 images can make. If half or more of the classes are
// like that (over images: if all images are) the interval is widened to hold the one that comes
// from Wilson's score intervals of the classes, the squares of their lengths below and above added.
Interval BootstrapTopOne(std::span<const int> predicted, std::span<const int> labels, int classes,
                         bool over_classes, const BootstrapOptions& options = {});

// MeanAveragePrecision on random halves of the images, drawn without replacement; a class that has
// no positive in a half is left out of its mean. The variance among halves estimates that of the
// measure on all images among sets of as many images: halves are half as large, and as parts of one
// set they differ half as much. The same options draw the same halves of as many images.
//
// Halves and not resamples with replacement: copies of a positive are next to each other in a
// ranking, which raises average precision. On samples of 60 to 1,000 images resamples are on
// average 0.8 to 3.2 points above the measure, and their middle 95% contains the expected measure
// in 82 to 94% of the samples.
std::vector<double> MapOfHalves(const MatrixView& scores, const TargetMatrix& targets, ApRule rule,
                                const BootstrapOptions& options = {});

// Of MeanAveragePrecision: the measure and to either side a normal quantile times the standard
// deviation of MapOfHalves, within [0, 1]. It is an interval for the expected measure of as many
// images. {0, 0} if there is no image.
Interval BootstrapMap(const MatrixView& scores, const TargetMatrix& targets, ApRule rule,
                      const BootstrapOptions& options = {});

}  // namespace alcedo
