// K-means: the codebook of BOV, VLAD and Super Vector, and the start of the Gaussian mixture.
#pragma once

#include <span>

#include "alcedo/base/choice.h"
#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/training.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/nearest_centers.h"

namespace alcedo {

struct KMeansOptions {
  static constexpr Label kLabel{.name = "kmeans", .title = "k-means"};

  int clusters = 256;
  int max_iterations = 25;
  double tolerance = 1e-4;  // stop when the error falls by less than this part of itself
};
template <class Visitor>
void VisitFields(KMeansOptions& o, Visitor&& visit) {
  visit("clusters", o.clusters, "number of clusters, >= 1");
  visit("max_iterations", o.max_iterations, "Lloyd iterations at most");
  visit("tolerance", o.tolerance, "stop when the error falls by less than this part of itself");
}

void Check(const KMeansOptions& options);

// Always `clusters` centres. If there are fewer distinct points than clusters the last centres
// repeat earlier ones and have weight 0; they are never assigned to (ties go to the lowest index).
struct Codebook {
  Rows centers;    // K x d
  Vector weights;  // K: share of the training samples; Super Vector's p_k. Sums to 1

  Index size() const { return centers.rows(); }
  Index dimension() const { return centers.cols(); }
};

// k-means++ on a sample of max(16384, 16 clusters) rows (all, if there are no more), then Lloyd on
// all rows; a cluster without rows takes the row that is farthest from its centre (lowest row
// number among equals). Same bytes for any number of threads. No rows is an InvalidArgument, and so
// is a value that is not finite.
//
// Centres, weights and error always belong together: those that the observer and the report get,
// and those that are returned. Sums are double, and memory does not grow with the number of rows.
//
// A codebook whose observed change is not above the tolerance is finished: resuming from it would
// add an iteration. (Chance is only in k-means++.)
//
// Ranks: each has its own samples; see SampleGrain().
Codebook FitKMeans(const SampleSource& samples, const KMeansOptions& options, Rng& rng,
                   const FitContext<Codebook>& context = {});

// The sufficient statistics of k-means: what one pass over samples tells about centres.
struct ClusterSums {
  Vector counts;     // K: samples that are nearest to each centre
  Matrix sums;       // K x d: of those samples
  double error = 0;  // sum of their squared distances to the centres

  ClusterSums() = default;
  ClusterSums(Index clusters, Index dimension)
      : counts(Vector::Zero(clusters)), sums(Matrix::Zero(clusters, dimension)) {}

  void Add(const ClusterSums& other);
  template <class Visit>
  void VisitValues(Visit&& visit) {
    visit(std::span(counts.data(), static_cast<std::size_t>(counts.size())));
    visit(std::span(sums.data(), static_cast<std::size_t>(sums.size())));
    visit(std::span(&error, 1));
  }
};
// Collective. Requires finite centres and samples of one dimension.
ClusterSums SumClusters(const RankedSamples& samples, const Rows& centers, int threads = 1);

// If every rank but the last has a multiple of this many samples, the ranks get the bytes that one
// process would get from all `rows` samples: `values` is K x d for FitKMeans(), twice G x d for
// FitGaussianMixture(). With other numbers, and for more than 262,144 values, sums differ in their
// rounding.
Index SampleGrain(Index rows, Index dimension, Index values);

}  // namespace alcedo
