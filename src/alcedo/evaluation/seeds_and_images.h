// How far a result would move with other test images and other seeds together.
//
// A measure of one method, or a difference of two methods, is the mean over S seeds of values on
// the same n test images. Both are samples, and crossed: every seed meets every image. The variance
// of the mean is
//
//     images: other test images, the same for all seeds   + seeds: other seeds   - both,
//
// where `both` is the chance of one image with one seed, which is in either of the first two. The
// first and the last come from the images (seeded_measures.h), the seeds' part from the spread of
// the S values. With S = 2 such a spread is an estimate with one degree of freedom, for which a 95%
// interval is 13 standard errors long on either side. So the spreads of many measures are pooled;
// PoolSeeds says what that assumes.
#pragma once

#include <span>
#include <vector>

#include "alcedo/evaluation/interval.h"

namespace alcedo {

struct SeededMeasure {
  std::vector<double> seeds;  // the value with each seed, one or more
  double images = 0;          // variance of their mean with other test images
  double both = 0;            // the part of `images` that other seeds change too; 0 for one seed
};

// What other seeds change in one seed's value, beyond what is in SeededMeasure::images.
struct SeedSpread {
  double variance = 0;
  double raw = 0;      // before what `both` explains is taken off: what the freedom is of
  double freedom = 0;  // degrees of freedom; 0 if no measure has two seeds or more
};

// The mean spread of the measures that have two seeds or more; others say nothing about seeds. It
// assumes that seeds move all of them about equally far (measures in points, of one dataset and of
// one kind: values, or differences), so that an interval is too short for one that they move
// farther than the others.
//
// `independent`: how many of the measures have seeds of their own, so to speak. Methods that share
// a vocabulary move together, and twenty of them are one draw, not twenty. The spread has
// independent * (S - 1) degrees of freedom. Requires 1 <= independent.
SeedSpread PoolSeeds(std::span<const SeededMeasure> measures, int independent);

struct SeededResult {
  double value = 0;  // mean over the seeds
  Interval interval;
  double p = 1;  // two-sided, of a mean this far from 0 if the true one is 0; fits the interval
  double standard_error = 0;
  double freedom = 0;  // Satterthwaite's, of the sum of the parts; infinite without a seeds' part
};

// value +- t * standard_error. With one seed the seeds' part is left out: the interval is of images
// only, however large the spread is. If nothing varies nothing is known: the interval is the value,
// and p is 1.
SeededResult IntervalOfSeeds(const SeededMeasure& measure, const SeedSpread& spread,
                             double level = 0.95);

}  // namespace alcedo
