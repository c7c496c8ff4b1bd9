#include "alcedo/vocabulary/kmeans_seeding.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/linalg/score_kernels.h"

namespace alcedo {
namespace {

Rows DrawSample(const SampleSource& samples, Index size, Rng& rng) {
  Rows sample(size, samples.dimension()), scratch;
  for (Index i = 0; i < size; ++i) {
    const Index begin = i * samples.rows() / size, end = (i + 1) * samples.rows() / size;
    const Index row = begin + rng.UniformIndex(end - begin);
    const float* values = samples.Chunk(row, 1, scratch);
    std::copy_n(values, samples.dimension(), sample.row(i).data());
  }
  return sample;
}

// Draws an index in proportion to weights whose sums over parts of `kPart` are given.
constexpr Index kPart = 1024;
Index Draw(const std::vector<float>& weights, const std::vector<double>& sums, double total,
           Rng& rng) {
  double rest = rng.Uniform() * total;
  std::size_t part = 0;
  while (part + 1 < sums.size() && rest >= sums[part]) rest -= sums[part++];
  const auto size = static_cast<Index>(weights.size());
  const Index begin = static_cast<Index>(part) * kPart, end = std::min(begin + kPart, size);
  Index chosen = -1;
  for (Index i = begin; i < end && rest >= 0; ++i) {
    if (weights[i] > 0) chosen = i;
    rest -= static_cast<double>(weights[i]);
  }
  if (chosen >= 0) return chosen;
  // Rounding led to a part without weight: the largest weight of all is as good as any.
  return std::max_element(weights.begin(), weights.end()) - weights.begin();
}

}  // namespace

Rows SeedCenters(const SampleSource& samples, Index clusters, double largest, Rng& rng,
                 int threads) {
  const Index dimension = samples.dimension();
  const Index size = std::min(samples.rows(), std::max<Index>(16384, 16 * clusters));
  Rows sample = DrawSample(samples, size, rng);
  // Squares stay inside the range of float; a power of two changes nothing else.
  const float scale = kernels::InverseScale(largest);
  sample *= scale;

  Rows centers(clusters, dimension);
  std::vector<float> distances(size, std::numeric_limits<float>::max());
  const Index parts = (size + kPart - 1) / kPart;
  std::vector<double> sums(parts);
  Index chosen = rng.UniformIndex(size);
  for (Index k = 0; k < clusters; ++k) {
    centers.row(k) = sample.row(chosen);
    if (k + 1 == clusters) break;
    ParallelFor(parts, threads, [&](Index part) {
      const Index begin = part * kPart, count = std::min(kPart, size - begin);
      kernels::LowerDistances(sample.row(begin).data(), count, dimension, centers.row(k).data(),
                              distances.data() + begin);
      double sum = 0;
      for (Index i = begin; i < begin + count; ++i) sum += static_cast<double>(distances[i]);
      sums[part] = sum;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    if (!(total > 0)) {
      for (Index rest = k + 1; rest < clusters; ++rest) centers.row(rest) = centers.row(0);
      break;
    }
    chosen = Draw(distances, sums, total, rng);
  }
  return centers / scale;
}

}  // namespace alcedo
