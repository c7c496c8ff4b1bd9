// Values, intervals and comparisons of methods on the test images, over all seeds.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/evaluation/interval.h"
#include "alcedo/evaluation/seeds_and_images.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {

// What is kept of one method's scores with one seed.
struct Scored {
  std::map<std::string, double> metrics;  // in percent
  std::vector<int> predicted;             // single-label sets
  std::vector<double> halves;             // MapOfHalves of the others
};

// A measure or a difference of two, in percent, with its interval and p.
struct Judged {
  SeededMeasure measure;
  Interval interval;
  double p = 1;
  bool exact = false;  // interval and p are of the tests for one seed, and stay
};

// All that compares methods on one dataset. Every seed must have scored the same images.
class Judge {
 public:
  Judge(Truth truth, int threads);

  Scored Score(const Matrix& scores) const;
  // Per class, in percent.
  std::vector<double> PerClass(const Matrix& scores) const;

  // Of one method, and of a method less another, seed by seed, by MetricOf(). With one seed, top-1
  // accuracies have the interval of BootstrapTopOne and those and p of CompareTopOne, which need no
  // normal distribution. Others wait for JudgeTogether.
  Judged Value(std::span<const Scored> seeds) const;
  Judged Difference(std::span<const Scored> method, std::span<const Scored> baseline) const;

  const Truth& truth() const { return truth_; }

 private:
  SeededMeasure MapMeasure(std::span<const Scored> seeds) const;

  Truth truth_;
  BootstrapOptions options_;
};

// Intervals and p of those that are not exact, by IntervalOfSeeds: of all values of a dataset, or
// of all differences. `independent` as PoolSeeds takes it.
void JudgeTogether(std::span<Judged> all, int independent);

}  // namespace alcedo::reproduce
