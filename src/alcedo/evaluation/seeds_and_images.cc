#include "alcedo/evaluation/seeds_and_images.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/resample.h"
#include "alcedo/evaluation/student_t.h"

namespace alcedo {

SeedSpread PoolSeeds(std::span<const SeededMeasure> measures, int independent) {
  Require(independent >= 1, "independent measures", ">= 1", independent);
  double weights = 0, raw = 0, both = 0;
  std::size_t used = 0;
  for (const SeededMeasure& measure : measures) {
    const auto seeds = static_cast<double>(measure.seeds.size());
    if (seeds < 2) continue;
    ++used;
    weights += seeds - 1;
    raw += (seeds - 1) * internal::VarianceOf(measure.seeds);
    both += (seeds - 1) * seeds * measure.both;
  }
  if (used == 0) return {};
  const double freedom = independent * weights / static_cast<double>(used);
  return {std::max(0.0, (raw - both) / weights), raw / weights, freedom};
}

SeededResult IntervalOfSeeds(const SeededMeasure& measure, const SeedSpread& spread, double level) {
  Require(!measure.seeds.empty(), "seeds of a measure", ">= 1", 0);
  const auto seeds = static_cast<double>(measure.seeds.size());
  SeededResult result;
  result.value = internal::MeanOf(measure.seeds);
  double variance = measure.images;
  result.freedom = std::numeric_limits<double>::infinity();
  if (seeds > 1 && spread.freedom > 0) {
    variance += spread.variance / seeds;
    // Of the parts only the raw spread has few degrees of freedom. Never fewer than it has alone:
    // the others are known.
    const double ratio = variance * seeds / spread.raw;
    if (spread.raw > 0) result.freedom = spread.freedom * std::max(1.0, ratio * ratio);
  }
  result.standard_error = std::sqrt(variance);
  const double half =
      variance > 0 ? StudentHalfWidth(level, result.freedom) * result.standard_error : 0;
  result.interval = {result.value - half, result.value + half};
  if (variance > 0) result.p = StudentP(result.value / result.standard_error, result.freedom);
  return result;
}

}  // namespace alcedo
