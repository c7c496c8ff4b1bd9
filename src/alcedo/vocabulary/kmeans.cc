#include "alcedo/vocabulary/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/linalg/score_kernels.h"
#include "alcedo/vocabulary/center_tables.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

double SumBytes(const Rows& centers) {
  return sizeof(double) * static_cast<double>(centers.size());
}

Index CountEmpty(const ClusterSums& clusters) { return (clusters.counts.array() == 0).count(); }

Rows DrawSample(const RankedSamples& samples, Index size, Rng& rng) {
  std::vector<Index> numbers(size);
  for (Index i = 0; i < size; ++i) {
    const Index begin = i * samples.rows() / size, end = (i + 1) * samples.rows() / size;
    numbers[i] = begin + rng.UniformIndex(end - begin);
  }
  return samples.Fetch(numbers);
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

// k-means++ (Arthur and Vassilvitskii 2007) on a sample of max(16384, 16 clusters) rows, all of
// them if there are no more: the first centre at random, every further one with a probability in
// proportion to the squared distance to the nearest so far. The sample takes one row at random from
// each of as many equal stretches. If the sample has fewer distinct rows than clusters, the last
// centres repeat the first one. `largest` is the largest magnitude among the values.
Rows SeedCenters(const RankedSamples& samples, Index clusters, double largest, Rng& rng,
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

}  // namespace

ClusterSums SumClusters(const RankedSamples& samples, const Rows& centers, int threads) {
  const CenterTables nearest(centers);
  const ClusterSums zero(centers.rows(), centers.cols());
  return SumShards(samples, SumBytes(centers), zero, threads,
                   [&](Index first, Index size, const Shards& shards, ClusterSums& sums) {
                     CenterTables::Work work(nearest);
                     std::vector<std::int32_t> assigned(shards.chunk);
                     Rows scratch;
                     shards.ForEachChunk(first, size, [&](Index begin, Index count) {
                       const float* rows = samples.own().Chunk(begin, count, scratch);
                       nearest.Find(rows, count, begin, work, assigned.data());
                       sums.error +=
                           kernels::AddToCenters(rows, count, centers.cols(), assigned.data(),
                                                 centers.data(), sums.sums.data());
                       for (Index i = 0; i < count; ++i) ++sums.counts[assigned[i]];
                     });
                   });
}

namespace {

struct FarRow {
  double distance;
  Index row;
  bool operator<(const FarRow& other) const {
    return distance != other.distance ? distance > other.distance : row < other.row;
  }
};

// The rows that are farthest from their centres, at most `wanted`, none at distance 0.
std::vector<FarRow> FarthestRows(const RankedSamples& samples, const Rows& centers, Index wanted,
                                 int threads) {
  const CenterTables nearest(centers);
  const Shards shards(samples.own().rows(), samples.dimension(), SumBytes(centers));
  std::vector<std::vector<FarRow>> parts(shards.count);
  const auto keep = [&](std::vector<FarRow>& rows) {
    std::sort(rows.begin(), rows.end());
    if (static_cast<Index>(rows.size()) > wanted) rows.resize(wanted);
  };
  samples.Together([&] {
    ParallelFor(shards.count, threads, [&](Index shard) {
      CenterTables::Work work(nearest);
      std::vector<std::int32_t> assigned(shards.chunk);
      Rows scratch;
      const auto look_at = [&](Index begin, Index count) {
        const float* rows = samples.own().Chunk(begin, count, scratch);
        nearest.Find(rows, count, begin, work, assigned.data());
        for (Index i = 0; i < count; ++i) {
          double distance;
          kernels::SquaredDistances(rows + i * centers.cols(), centers.data(), centers.cols(),
                                    &assigned[i], 1, &distance);
          if (distance > 0) parts[shard].push_back({distance, samples.first() + begin + i});
        }
        keep(parts[shard]);
      };
      shards.ForEachChunk(shards.Begin(shard), shards.Size(shard), look_at);
    });
  });
  std::vector<FarRow> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  keep(all);
  if (samples.alone()) return all;
  std::vector<double> own(2 * wanted, 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    own[2 * i] = all[i].distance;
    own[2 * i + 1] = static_cast<double>(all[i].row);
  }
  const std::vector<double> gathered = samples.Gather(own);
  all.clear();
  for (std::size_t i = 0; i < gathered.size(); i += 2) {
    if (gathered[i] > 0) all.push_back({gathered[i], static_cast<Index>(gathered[i + 1])});
  }
  keep(all);
  return all;
}

// Gives clusters without a sample the samples that are farthest from their centres, until there are
// none, or no sample is away from its centre. The error falls in every round. What is left without
// samples goes to the end and repeats the first centre.
ClusterSums AssignAll(const RankedSamples& samples, Rows& centers, int threads) {
  ClusterSums clusters = SumClusters(samples, centers, threads);
  while (clusters.error > 0 && CountEmpty(clusters) > 0) {
    const auto far = FarthestRows(samples, centers, CountEmpty(clusters), threads);
    std::vector<Index> numbers;
    for (const FarRow& row : far) numbers.push_back(row.row);
    const Rows far_rows = samples.Fetch(numbers);
    const Rows before = centers;
    Index next = 0;
    std::vector<Index> moved;
    for (Index k = 0; k < centers.rows(); ++k) {
      if (clusters.counts[k] > 0 || next == far_rows.rows()) continue;
      const auto values = far_rows.row(next++);
      // Of equal rows one is enough: the others will be at distance 0.
      if (std::any_of(moved.begin(), moved.end(),
                      [&](Index other) { return centers.row(other) == values; })) {
        --k;
        continue;
      }
      centers.row(k) = values;
      moved.push_back(k);
    }
    ClusterSums better = SumClusters(samples, centers, threads);
    // Not so only if distances are lost in rounding.
    if (!(better.error < clusters.error)) {
      centers = before;
      break;
    }
    clusters = std::move(better);
  }
  Index used = 0;
  for (Index k = 0; k < centers.rows(); ++k) {
    if (clusters.counts[k] == 0) continue;
    if (used != k) {
      centers.row(used) = centers.row(k);
      clusters.sums.row(used) = clusters.sums.row(k);
      clusters.counts[used] = clusters.counts[k];
    }
    ++used;
  }
  for (Index k = used; k < centers.rows(); ++k) {
    centers.row(k) = centers.row(0);
    clusters.counts[k] = 0;
  }
  return clusters;
}

void MoveToMeans(const ClusterSums& clusters, Rows& centers) {
  for (Index k = 0; k < centers.rows(); ++k) {
    const Index from = clusters.counts[k] > 0 ? k : 0;
    centers.row(k) = (clusters.sums.row(from) / clusters.counts[from]).cast<float>();
  }
}

void CheckStart(const SampleSource& samples, const KMeansOptions& options,
                const FitContext<Codebook>& context) {
  Require(context.start_iteration >= 0, "k-means start iteration", ">= 0", context.start_iteration);
  const Codebook* start = context.start;
  if (start != nullptr &&
      (start->size() != options.clusters || start->dimension() != samples.dimension())) {
    throw InvalidArgument(fmt::format("k-means start must be {} x {} centers, got {} x {}",
                                      options.clusters, samples.dimension(), start->size(),
                                      start->dimension()));
  }
}

}  // namespace

void Check(const KMeansOptions& options) {
  Require(options.clusters >= 1, "kmeans.clusters", ">= 1", options.clusters);
  Require(options.max_iterations >= 0, "kmeans.max_iterations", ">= 0", options.max_iterations);
  Require(std::isfinite(options.tolerance) && options.tolerance >= 0, "kmeans.tolerance",
          "finite and >= 0", options.tolerance);
}

void ClusterSums::Add(const ClusterSums& other) {
  counts += other.counts;
  sums += other.sums;
  error += other.error;
}

Codebook FitKMeans(const SampleSource& own, const KMeansOptions& options, Rng& rng,
                   const FitContext<Codebook>& context) {
  Check(options);
  CheckStart(own, options, context);
  const int threads = context.threads;
  const RankedSamples samples(own, context.ranks);
  const double largest = CheckSamples(samples, "samples", threads);
  const auto total = static_cast<double>(samples.rows());

  Codebook codebook;
  codebook.centers = context.start != nullptr
                         ? context.start->centers
                         : SeedCenters(samples, options.clusters, largest, rng, threads);
  // The assignment to the centres as they are is the end of every iteration, not its beginning: so
  // centres, weights and error always belong together, and a fit can be resumed from centres alone.
  ClusterSums clusters = AssignAll(samples, codebook.centers, threads);
  codebook.weights = clusters.counts / total;
  int iteration = context.start_iteration;
  bool converged = clusters.error == 0;
  while (!converged && iteration < options.max_iterations) {
    const double before = clusters.error;
    MoveToMeans(clusters, codebook.centers);
    clusters = AssignAll(samples, codebook.centers, threads);
    codebook.weights = clusters.counts / total;
    const double change = (before - clusters.error) / before;
    converged = change <= options.tolerance || clusters.error == 0;
    ++iteration;
    if (context.observer) {
      context.observer({iteration, options.max_iterations, clusters.error / total, change},
                       codebook);
    }
  }
  if (context.report != nullptr) *context.report = {iteration, clusters.error / total, converged};
  return codebook;
}

}  // namespace alcedo
