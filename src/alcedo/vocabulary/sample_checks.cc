#include "alcedo/vocabulary/sample_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/kernels.h"
#include "alcedo/linalg/score_kernels.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

void RequireFinite(const float* rows, Index count, Index dimension, Index first_row,
                   std::string_view name) {
  const float* end = rows + count * dimension;
  const float* bad = std::find_if_not(rows, end, [](float x) { return std::isfinite(x); });
  if (bad == end) return;
  throw InvalidArgument(fmt::format("{}: row {}, column {} is {}", name,
                                    first_row + (bad - rows) / dimension, (bad - rows) % dimension,
                                    std::isnan(*bad) ? "NaN" : "infinite"));
}

double CheckSamples(const RankedSamples& samples, std::string_view name, int threads) {
  if (samples.rows() < 1 || samples.dimension() < 1) {
    throw InvalidArgument(
        fmt::format("{} must be at least one of at least one dimension, got {} x {}", name,
                    samples.rows(), samples.dimension()));
  }
  const Shards shards(samples.own().rows(), samples.dimension(), 0);
  std::vector<double> largest(shards.count, 0.0);
  samples.Together([&] {
    ParallelFor(shards.count, threads, [&](Index shard) {
      Rows scratch;
      const auto check = [&](Index begin, Index count) {
        const float* rows = samples.own().Chunk(begin, count, scratch);
        const Index size = count * samples.dimension();
        if (!std::isfinite(kernels::SquaredNorm(rows, size))) {
          RequireFinite(rows, count, samples.dimension(), begin, name);
        }
        const auto most = Eigen::Map<const Eigen::VectorXf>(rows, size).cwiseAbs().maxCoeff();
        largest[shard] = std::max(largest[shard], static_cast<double>(most));
      };
      shards.ForEachChunk(shards.Begin(shard), shards.Size(shard), check);
    });
  });
  const double own[] = {largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end())};
  const std::vector<double> all = samples.Gather(own);
  return *std::max_element(all.begin(), all.end());
}

Index SampleGrain(Index rows, Index dimension, Index values) {
  return Shards(rows, dimension, sizeof(double) * static_cast<double>(values)).per_shard;
}

Shards::Shards(Index num_rows, Index dimension, double bytes) : rows(num_rows) {
  constexpr double kChunkBytes = 128 << 10, kAllBytes = 128 << 20;
  const double row_bytes = sizeof(float) * static_cast<double>(dimension);
  // Whole blocks of scores.
  chunk = kernels::RoundUp(static_cast<Index>(std::clamp(kChunkBytes / row_bytes, 48.0, 1920.0)),
                           kernels::kScoreRows);
  const auto most = static_cast<Index>(std::clamp(kAllBytes / (bytes + 1), 8.0, 64.0));
  constexpr Index kLeastRows = 2048;  // fewer are not worth sums of their own
  per_shard = kernels::RoundUp(std::max((rows + most - 1) / most, kLeastRows), chunk);
  count = (rows + per_shard - 1) / per_shard;
}

}  // namespace alcedo
