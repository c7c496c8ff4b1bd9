#include "alcedo/evaluation/resample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"

namespace alcedo::internal {
namespace {

constexpr Index kRun = 50;  // resamples that share their working memory

}  // namespace

void CheckBootstrap(const BootstrapOptions& options) {
  Require(options.resamples >= 1, "bootstrap.resamples", ">= 1", options.resamples);
  Require(options.level > 0 && options.level < 1, "bootstrap.level", "in (0, 1)", options.level);
  Require(options.threads >= 1, "threads", ">= 1", options.threads);
}

std::vector<double> ResampleInRuns(const BootstrapOptions& options,
                                   const std::function<std::function<double(Rng&)>()>& begin) {
  const Index count = options.resamples;
  std::vector<double> values(count);
  ParallelFor((count + kRun - 1) / kRun, options.threads, [&](Index run) {
    const std::function<double(Rng&)> measure = begin();
    for (Index i = run * kRun; i < std::min(count, (run + 1) * kRun); ++i) {
      Rng rng = Rng::ForItem(options.seed, static_cast<std::uint64_t>(i));
      values[i] = measure(rng);
    }
  });
  return values;
}

std::vector<double> Resample(const BootstrapOptions& options,
                             const std::function<double(Rng&)>& measure) {
  return ResampleInRuns(options, [&] { return measure; });
}

Interval MiddleOf(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    return values[below] + part * (values[above] - values[below]);
  };
  return {at((1 - level) / 2), at((1 + level) / 2)};
}

ValueResampler::ValueResampler(std::span<const int> values, std::span<const int> labels,
                               int classes, bool over_classes) {
  std::vector<std::vector<std::int8_t>> groups(over_classes ? classes : 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    groups[over_classes ? labels[i] : 0].push_back(static_cast<std::int8_t>(values[i]));
  }
  for (const auto& group : groups) {
    if (group.empty()) continue;
    groups_.push_back({values_.size(), group.size()});
    values_.insert(values_.end(), group.begin(), group.end());
  }
}

double ValueResampler::operator()(Rng& rng) const {
  double mean = 0;
  for (const Group& group : groups_) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < group.count; ++i) {
      sum += values_[group.begin + rng.UniformIndex(static_cast<Index>(group.count))];
    }
    mean += static_cast<double>(sum) / static_cast<double>(group.count);
  }
  return groups_.empty() ? 0 : mean / static_cast<double>(groups_.size());
}

}  // namespace alcedo::internal
