#include "alcedo/evaluation/few_images.h"

#include <algorithm>
#include <cmath>

namespace alcedo::internal {
namespace {

// z such that a standard normal number lies within -z ... z so often; by halving, which needs no
// table and is exact enough.
double NormalHalfWidth(double level) {
  double low = 0, high = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < level ? low : high) = middle;
  }
  return high;
}

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
  const double n = Total(counts), share = Mean(counts), z = NormalHalfWidth(level);
  const double scale = 1 / (1 + z * z / n);
  const double center = scale * (share + z * z / (2 * n));
  const double half = scale * z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // Rounding must not put the share outside.
  return {std::clamp(center - half, 0.0, share), std::clamp(center + half, share, 1.0)};
}

Interval AgrestiMinInterval(const ValueCounts& counts, double level) {
  const double n = Total(counts) + 2, mean = Mean(counts), z = NormalHalfWidth(level);
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
