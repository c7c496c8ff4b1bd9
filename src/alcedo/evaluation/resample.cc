#include "alcedo/evaluation/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/student_t.h"

namespace alcedo::internal {
namespace {

constexpr Index kRun = 50;  // resamples that share their working memory
constexpr double kNormal = std::numeric_limits<double>::infinity();

double Total(const ValueCounts& counts) {
  return static_cast<double>(counts.plus + counts.zero + counts.minus);
}

double Mean(const ValueCounts& counts) {
  return static_cast<double>(counts.plus - counts.minus) / Total(counts);
}

bool IsStill(const ValueCounts& counts) {
  return (counts.plus > 0) + (counts.zero > 0) + (counts.minus > 0) == 1;
}

}  // namespace

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

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double VarianceOf(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = MeanOf(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
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

void DrawHalf(Index images, Rng& rng, std::vector<std::int32_t>& counts) {
  counts.assign(images, 0);
  Index wanted = images / 2 + (images % 2 == 1 ? rng.UniformIndex(2) : 0);
  // Knuth's selection: every image with the probability that is left.
  for (Index i = 0; i < images && wanted > 0; ++i) {
    counts[i] = rng.UniformIndex(images - i) < wanted ? 1 : 0;
    wanted -= counts[i];
  }
}

MeanPrecisionResampler::MeanPrecisionResampler(const MatrixView& scores,
                                               const TargetMatrix& targets, ApRule rule)
    : rule_(rule) {
  for (Index c = 0; c < scores.cols(); ++c) ranked_.push_back(RankImages(scores, targets, c));
}

double MeanPrecisionResampler::Measure(const std::vector<std::int32_t>& counts,
                                       std::vector<CurvePoint>& scratch) const {
  double sum = 0;
  int classes = 0;
  for (const auto& ranked : ranked_) {
    const double precision = WeightedAveragePrecision(ranked, counts.data(), rule_, scratch);
    if (precision < 0) continue;
    sum += precision;
    ++classes;
  }
  return classes == 0 ? 0 : sum / classes;
}

std::vector<ValueCounts> CountValues(std::span<const int> values, std::span<const int> labels,
                                     int classes, bool over_classes) {
  std::vector<ValueCounts> groups(over_classes ? static_cast<std::size_t>(classes) : 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ValueCounts& group = groups[over_classes ? static_cast<std::size_t>(labels[i]) : 0];
    ++(values[i] > 0 ? group.plus : values[i] < 0 ? group.minus : group.zero);
  }
  std::erase_if(groups, [](const ValueCounts& group) { return Total(group) == 0; });
  return groups;
}

Interval WilsonInterval(const ValueCounts& counts, double level) {
  const double n = Total(counts), share = Mean(counts), z = StudentHalfWidth(level, kNormal);
  const double scale = 1 / (1 + z * z / n);
  const double center = scale * (share + z * z / (2 * n));
  const double half = scale * z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // Rounding must not put the share outside.
  return {std::clamp(center - half, 0.0, share), std::clamp(center + half, share, 1.0)};
}

Interval AgrestiMinInterval(const ValueCounts& counts, double level) {
  const double n = Total(counts) + 2, mean = Mean(counts), z = StudentHalfWidth(level, kNormal);
  const double differ = static_cast<double>(counts.plus + counts.minus) + 1;
  const double center = static_cast<double>(counts.plus - counts.minus) / n;
  const double half = z * std::sqrt(differ / n - center * center) / std::sqrt(n);
  return {std::clamp(center - half, -1.0, mean), std::clamp(center + half, mean, 1.0)};
}

Interval WithFewImages(const Interval& resampled, const std::vector<ValueCounts>& groups,
                       double level, Interval (*of_group)(const ValueCounts&, double)) {
  const auto still = static_cast<std::size_t>(std::ranges::count_if(groups, IsStill));
  if (groups.empty() || 2 * still < groups.size()) return resampled;
  double mean = 0, below = 0, above = 0;
  for (const ValueCounts& group : groups) {
    const Interval one = of_group(group, level);
    mean += Mean(group);
    below += std::pow(Mean(group) - one.low, 2);
    above += std::pow(one.high - Mean(group), 2);
  }
  const auto n = static_cast<double>(groups.size());
  return {std::min(resampled.low, (mean - std::sqrt(below)) / n),
          std::max(resampled.high, (mean + std::sqrt(above)) / n)};
}

}  // namespace alcedo::internal
