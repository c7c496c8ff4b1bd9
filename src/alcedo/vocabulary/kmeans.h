// K-means: the codebook of BOV, VLAD and Super Vector, and the start of the Gaussian mixture.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/training.h"
#include "alcedo/base/types.h"

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

// Always `clusters` centres. Where there are fewer distinct points than clusters the last centres
// repeat earlier ones and have weight 0; they are never assigned to (ties go to the lowest index).
struct Codebook {
  Rows centers;    // K x d
  Vector weights;  // K: share of the training samples; Super Vector's p_k. Sums to 1

  Index size() const { return centers.rows(); }
  Index dimension() const { return centers.cols(); }
};

// k-means++ on a sample of max(16384, 16 clusters) rows (all, where there are no more), then Lloyd
// on all rows; a cluster without rows takes the row that is farthest from its centre (lowest row
// number among equals). Same bytes for any number of threads. No rows is an InvalidArgument, and so
// is a value that is not finite.
//
// Centres, weights and error always belong together: those that the observer and the report get,
// and those that are returned. Sums are double, and memory does not grow with the number of rows.
//
// `start`, where given, takes the place of k-means++; with the `start_iteration` it had when it was
// observed, the rest of the run gives the bytes that the whole run would have given (chance is only
// in k-means++). A codebook whose observed change is not above the tolerance is finished: going on
// from it would add an iteration.
Codebook FitKMeans(const SampleSource& samples, const KMeansOptions& options, Rng& rng,
                   int threads = 1, TrainingReport* report = nullptr,
                   const TrainingObserver<Codebook>& observer = nullptr,
                   const Codebook* start = nullptr, int start_iteration = 0);

// The nearest centre of every row: Euclidean, decided as in double arithmetic; the lowest index
// among equals. Requires centres and rows of one dimension, finite (a bad value is named by row and
// column).
std::vector<std::int32_t> AssignNearest(const Rows& centers, const RowsView& rows, int threads = 1);

// The k nearest centres of every row in order of distance: n x k indices, row by row, and squared
// distances (never negative; the largest float where they are larger) where asked for. Requires
// 1 <= k <= K. Fast for k up to 16: beyond, all distances are computed in double.
std::vector<std::int32_t> AssignNearestK(const Rows& centers, const RowsView& rows, Index k,
                                         Rows* squared_distances, int threads = 1);

}  // namespace alcedo
