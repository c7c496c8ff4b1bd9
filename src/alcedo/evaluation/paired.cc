#include "alcedo/evaluation/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/evaluation/evaluation_internal.h"
#include "alcedo/evaluation/resample.h"
#include "alcedo/evaluation/seeded_measures.h"
#include "alcedo/evaluation/seeds_and_images.h"

namespace alcedo {
namespace {

// Sign flips and resamples share no random numbers.
constexpr std::uint64_t kFlipSeed = std::uint64_t{1} << 63;
// Flips per resample: the smallest p must stay below 0.05 after a correction for hundreds of
// comparisons.
constexpr int kFlipsPerResample = 20;

// +1 if only the first method is right, -1 if only the second is, 0 else.
std::vector<int> Advantages(std::span<const int> first, std::span<const int> second,
                            std::span<const int> labels) {
  if (first.size() != labels.size() || second.size() != labels.size()) {
    throw InvalidArgument(fmt::format("predictions must be as many as labels, {}, got {} and {}",
                                      labels.size(), first.size(), second.size()));
  }
  std::vector<int> advantages(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    advantages[i] = int{first[i] == labels[i]} - int{second[i] == labels[i]};
  }
  return advantages;
}

double SignFlipP(const std::vector<int>& advantages, std::span<const int> labels, int classes,
                 const BootstrapOptions& options) {
  const std::vector<std::int64_t> images = ImagesPerClass(labels, classes);
  std::vector<double> parts;  // of the difference, without the constant factor
  double difference = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (advantages[i] == 0) continue;  // changing places changes nothing
    parts.push_back(1 / static_cast<double>(images[labels[i]]));
    difference += advantages[i] * parts.back();
  }
  // Sums of the same numbers in another order are the same difference.
  const double least = std::abs(difference) * (1 - 1e-12) - 1e-12;
  const auto flip = [&](Rng& rng) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i % 64 == 0) bits = rng.Next();
      sum += (bits >> (i % 64) & 1) != 0 ? parts[i] : -parts[i];
    }
    return std::abs(sum) >= least ? 1.0 : 0.0;
  };
  BootstrapOptions flips = options;
  flips.seed = options.seed ^ kFlipSeed;
  flips.resamples = static_cast<int>(std::min<std::int64_t>(
      std::numeric_limits<int>::max(), std::int64_t{kFlipsPerResample} * options.resamples));
  double reached = 1;
  for (const double one : internal::Resample(flips, flip)) reached += one;
  return reached / (flips.resamples + 1.0);
}

}  // namespace

double McNemarP(std::int64_t only_first, std::int64_t only_second) {
  Require(only_first >= 0, "the images that only the first method gets right", ">= 0",
          static_cast<double>(only_first));
  Require(only_second >= 0, "the images that only the second method gets right", ">= 0",
          static_cast<double>(only_second));
  const auto n = static_cast<double>(only_first + only_second);
  const std::int64_t fewer = std::min(only_first, only_second);
  // Logarithms, since 2^-n leaves the range of double; not lgamma, which writes to a global.
  double tail = 0, log_probability = -n * std::log(2.0);
  for (std::int64_t k = 0; k <= fewer; ++k) {
    tail += std::exp(log_probability);
    const auto x = static_cast<double>(k);
    log_probability += std::log((n - x) / (x + 1));
  }
  return std::min(1.0, 2 * tail);
}

McNemar McNemarTest(std::span<const int> first, std::span<const int> second,
                    std::span<const int> labels) {
  McNemar result;
  for (const int advantage : Advantages(first, second, labels)) {
    result.only_first += advantage > 0;
    result.only_second += advantage < 0;
  }
  result.p = McNemarP(result.only_first, result.only_second);
  return result;
}

PairedComparison CompareTopOne(std::span<const int> first, std::span<const int> second,
                               std::span<const int> labels, int classes, bool over_classes,
                               const BootstrapOptions& options) {
  Check(options);
  internal::CheckPredictions(first, labels, classes);
  internal::CheckPredictions(second, labels, classes);
  const std::vector<int> advantages = Advantages(first, second, labels);
  const TopOne a = TopOneAccuracy(first, labels, classes);
  const TopOne b = TopOneAccuracy(second, labels, classes);
  const internal::ValueResampler resampler(advantages, labels, classes, over_classes);
  PairedComparison result;
  result.difference =
      over_classes ? a.over_classes - b.over_classes : a.over_images - b.over_images;
  result.interval = internal::WithFewImages(
      internal::MiddleOf(internal::Resample(options, resampler), options.level),
      internal::CountValues(advantages, labels, classes, over_classes), options.level,
      internal::AgrestiMinInterval);
  result.p = over_classes ? SignFlipP(advantages, labels, classes, options)
                          : McNemarTest(first, second, labels).p;
  return result;
}

PairedComparison CompareMap(const MatrixView& first, const MatrixView& second,
                            const TargetMatrix& targets, ApRule rule,
                            const BootstrapOptions& options) {
  std::vector<double> halves = MapOfHalves(first, targets, rule, options);
  const std::vector<double> others = MapOfHalves(second, targets, rule, options);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] -= others[i];
  const double difference =
      MeanAveragePrecision(first, targets, rule) - MeanAveragePrecision(second, targets, rule);
  const SeededResult result = IntervalOfSeeds(
      SeededMap(std::span(&difference, 1), std::span(&halves, 1)), {}, options.level);
  return {difference, result.interval, result.p};
}

}  // namespace alcedo
