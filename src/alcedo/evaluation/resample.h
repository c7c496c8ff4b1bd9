// Bootstrap resamples, the same for any number of threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/evaluation/interval.h"

namespace alcedo::internal {

// InvalidArgument where an option is out of its range.
void CheckBootstrap(const BootstrapOptions& options);

// measure(rng) of every resample, each with its own stream of random numbers.
std::vector<double> Resample(const BootstrapOptions& options,
                             const std::function<double(Rng&)>& measure);

// The same where a measure needs memory to work in: begin() gives one measure, which is used for
// many resamples, one after the other.
std::vector<double> ResampleInRuns(const BootstrapOptions& options,
                                   const std::function<std::function<double(Rng&)>()>& begin);

// The middle `level` of the values, between them by linear interpolation. Requires a value.
Interval MiddleOf(std::vector<double> values, double level);

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

}  // namespace alcedo::internal
