#include "alcedo/vocabulary/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/distance_kernels.h"
#include "alcedo/vocabulary/kmeans_nearest.h"
#include "alcedo/vocabulary/kmeans_seeding.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

// What one pass over the samples tells about centres.
struct Clusters {
  Matrix sums;
  std::vector<Index> counts;
  double error = 0;  // sum of squared distances

  Clusters(Index clusters, Index dimension)
      : sums(Matrix::Zero(clusters, dimension)), counts(clusters, 0) {}
  Index Empty() const { return std::count(counts.begin(), counts.end(), 0); }
};

double SumBytes(const Rows& centers) {
  return sizeof(double) * static_cast<double>(centers.size());
}

Clusters Assign(const SampleSource& samples, const Rows& centers, int threads) {
  const NearestCenters nearest(centers);
  const Shards shards(samples.rows(), samples.dimension(), SumBytes(centers));
  std::vector<Clusters> parts(shards.count, Clusters(0, 0));
  ParallelFor(shards.count, threads, [&](Index shard) {
    Clusters part(centers.rows(), centers.cols());
    NearestCenters::Work work(nearest);
    std::vector<std::int32_t> assigned(shards.chunk);
    Rows scratch;
    shards.ForEachChunk(shard, [&](Index begin, Index count) {
      const float* rows = samples.Chunk(begin, count, scratch);
      nearest.Find(rows, count, begin, work, assigned.data());
      part.error += kernels::AddToCenters(rows, count, centers.cols(), assigned.data(),
                                          centers.data(), part.sums.data());
      for (Index i = 0; i < count; ++i) ++part.counts[assigned[i]];
    });
    parts[shard] = std::move(part);
  });
  Clusters all = std::move(parts[0]);
  for (Index shard = 1; shard < shards.count; ++shard) {
    all.sums += parts[shard].sums;
    for (Index k = 0; k < centers.rows(); ++k) all.counts[k] += parts[shard].counts[k];
    all.error += parts[shard].error;
  }
  return all;
}

struct FarRow {
  double distance;
  Index row;
  bool operator<(const FarRow& other) const {
    return distance != other.distance ? distance > other.distance : row < other.row;
  }
};

// The rows that are farthest from their centres, at most `wanted`, none at distance 0.
std::vector<FarRow> FarthestRows(const SampleSource& samples, const Rows& centers, Index wanted,
                                 int threads) {
  const NearestCenters nearest(centers);
  const Shards shards(samples.rows(), samples.dimension(), SumBytes(centers));
  std::vector<std::vector<FarRow>> parts(shards.count);
  const auto keep = [&](std::vector<FarRow>& rows) {
    std::sort(rows.begin(), rows.end());
    if (static_cast<Index>(rows.size()) > wanted) rows.resize(wanted);
  };
  ParallelFor(shards.count, threads, [&](Index shard) {
    NearestCenters::Work work(nearest);
    std::vector<std::int32_t> assigned(shards.chunk);
    Rows scratch;
    shards.ForEachChunk(shard, [&](Index begin, Index count) {
      const float* rows = samples.Chunk(begin, count, scratch);
      nearest.Find(rows, count, begin, work, assigned.data());
      for (Index i = 0; i < count; ++i) {
        double distance;
        kernels::SquaredDistances(rows + i * centers.cols(), centers.data(), centers.cols(),
                                  &assigned[i], 1, &distance);
        if (distance > 0) parts[shard].push_back({distance, begin + i});
      }
      keep(parts[shard]);
    });
  });
  std::vector<FarRow> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  keep(all);
  return all;
}

// Gives clusters without a sample the samples that are farthest from their centres, until there are
// none, or no sample is away from its centre. The error falls in every round. What is left without
// samples goes to the end and repeats the first centre.
Clusters AssignAll(const SampleSource& samples, Rows& centers, int threads) {
  Clusters clusters = Assign(samples, centers, threads);
  Rows scratch;
  while (clusters.error > 0 && clusters.Empty() > 0) {
    const auto far = FarthestRows(samples, centers, clusters.Empty(), threads);
    const Rows before = centers;
    Index next = 0;
    std::vector<Index> moved;
    for (Index k = 0; k < centers.rows(); ++k) {
      if (clusters.counts[k] > 0 || next == static_cast<Index>(far.size())) continue;
      const float* row = samples.Chunk(far[next++].row, 1, scratch);
      const Eigen::Map<const Eigen::RowVectorXf> values(row, centers.cols());
      // Of equal rows one is enough: the others will be at distance 0.
      if (std::any_of(moved.begin(), moved.end(),
                      [&](Index other) { return centers.row(other) == values; })) {
        --k;
        continue;
      }
      centers.row(k) = values;
      moved.push_back(k);
    }
    Clusters better = Assign(samples, centers, threads);
    // Not so only where distances are lost in rounding.
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

void MoveToMeans(const Clusters& clusters, Rows& centers) {
  for (Index k = 0; k < centers.rows(); ++k) {
    const Index from = clusters.counts[k] > 0 ? k : 0;
    centers.row(k) =
        (clusters.sums.row(from) / static_cast<double>(clusters.counts[from])).cast<float>();
  }
}

void CheckArguments(const SampleSource& samples, const KMeansOptions& options,
                    const Codebook* start, int start_iteration) {
  Require(options.clusters >= 1, "kmeans.clusters", ">= 1", options.clusters);
  Require(options.max_iterations >= 0, "kmeans.max_iterations", ">= 0", options.max_iterations);
  Require(std::isfinite(options.tolerance) && options.tolerance >= 0, "kmeans.tolerance",
          "finite and >= 0", options.tolerance);
  Require(start_iteration >= 0, "k-means start iteration", ">= 0", start_iteration);
  if (start != nullptr &&
      (start->size() != options.clusters || start->dimension() != samples.dimension())) {
    throw InvalidArgument(fmt::format("k-means start must be {} x {} centers, got {} x {}",
                                      options.clusters, samples.dimension(), start->size(),
                                      start->dimension()));
  }
}

}  // namespace

Codebook FitKMeans(const SampleSource& samples, const KMeansOptions& options, Rng& rng, int threads,
                   TrainingReport* report, const TrainingObserver<Codebook>& observer,
                   const Codebook* start, int start_iteration) {
  CheckArguments(samples, options, start, start_iteration);
  const double largest = CheckSamples(samples, "samples", threads);
  const auto total = static_cast<double>(samples.rows());

  Codebook codebook;
  codebook.centers = start != nullptr
                         ? start->centers
                         : SeedCenters(samples, options.clusters, largest, rng, threads);
  // The assignment to the centres as they are is the end of every iteration, not its beginning: so
  // centres, weights and error always belong together, and centres are all there is to go on from.
  Clusters clusters = AssignAll(samples, codebook.centers, threads);
  const auto set_weights = [&] {
    codebook.weights.resize(options.clusters);
    for (Index k = 0; k < options.clusters; ++k) {
      codebook.weights[k] = static_cast<double>(clusters.counts[k]) / total;
    }
  };
  set_weights();
  int iteration = start_iteration;
  bool converged = clusters.error == 0;
  while (!converged && iteration < options.max_iterations) {
    const double before = clusters.error;
    MoveToMeans(clusters, codebook.centers);
    clusters = AssignAll(samples, codebook.centers, threads);
    set_weights();
    const double change = (before - clusters.error) / before;
    converged = change <= options.tolerance || clusters.error == 0;
    ++iteration;
    if (observer) {
      observer({iteration, options.max_iterations, clusters.error / total, change}, codebook);
    }
  }
  if (report != nullptr) *report = {iteration, clusters.error / total, converged};
  return codebook;
}

}  // namespace alcedo
