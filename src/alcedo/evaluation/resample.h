// Bootstrap resamples, the same for any number of threads, and the intervals that resamples cannot
// give: a class that is all right stays all right in every one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/evaluation_internal.h"
#include "alcedo/evaluation/interval.h"

namespace alcedo::internal {

// measure(rng) of every resample, each with its own stream of random numbers.
std::vector<double> Resample(const BootstrapOptions& options,
                             const std::function<double(Rng&)>& measure);

// The same if a measure needs memory to work in: begin() gives one measure, which is used for
// many resamples, one after the other.
std::vector<double> ResampleInRuns(const BootstrapOptions& options,
                                   const std::function<std::function<double(Rng&)>()>& begin);

// The middle `level` of the values, between them by linear interpolation. Requires a value.
Interval MiddleOf(std::vector<double> values, double level);

// Of one value or more; the variance is unbiased, and 0 of a single one.
double MeanOf(std::span<const double> values);
double VarianceOf(std::span<const double> values);

// Top-1 as a mean of values per image: the share of what was right, or a difference of two shares.
// Over classes, images are drawn within each class and classes have equal weights.
class ValueResampler {
 public:
  ValueResampler(std::span<const int> values, std::span<const int> labels, int classes,
                 bool over_classes);
  double operator()(Rng& rng) const;

 private:
  struct Group {
    std::size_t begin, count;
  };
  std::vector<std::int8_t> values_;  // group after group
  std::vector<Group> groups_;        // not empty ones
};

// Half of the images, without replacement: counts of 0 and 1. Of an odd number the half is rounded
// up or down at random.
void DrawHalf(Index images, Rng& rng, std::vector<std::int32_t>& counts);

// Mean average precision of resampled images. Scores are sorted once; a resample is a count per
// image, and one pass over every class's ranking.
class MeanPrecisionResampler {
 public:
  // Requires what CheckScores checks.
  MeanPrecisionResampler(const MatrixView& scores, const TargetMatrix& targets, ApRule rule);

  // The mean over the classes that have a positive among the images drawn; 0 if none has.
  double Measure(const std::vector<std::int32_t>& counts, std::vector<CurvePoint>& scratch) const;

 private:
  std::vector<std::vector<RankedImage>> ranked_;  // per class
  ApRule rule_;
};

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

// `resampled`, and if no value differs from another in half or more of the groups the smallest
// interval that also holds that of the mean over the groups' intervals, added as squares (Zou and
// Donner's method of variance estimates recovery).
Interval WithFewImages(const Interval& resampled, const std::vector<ValueCounts>& groups,
                       double level, Interval (*of_group)(const ValueCounts&, double));

}  // namespace alcedo::internal
