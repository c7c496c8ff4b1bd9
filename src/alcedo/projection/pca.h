// Principal components of local descriptors (section 5.2: to 64 dimensions).
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/base/ranks.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

struct PcaOptions {
  static constexpr Label kLabel{.name = "pca", .title = "PCA"};

  int dimensions = 64;  // kept; min(this, d) are
  bool whiten = false;  // divide by the standard deviation of each component
};
// 0 dimensions is for whoever puts a pipeline together, and leaves the step out; FitPca refuses it.
template <class Visitor>
void VisitFields(PcaOptions& o, Visitor&& visit) {
  visit("dimensions", o.dimensions, "dimensions kept by PCA; 0: no PCA");
  visit("whiten", o.whiten, "scale every component to unit variance");
}

// Accepts 0 dimensions.
void Check(const PcaOptions& options);

// y = (x - mean) components^T, each y divided by sqrt(variance) if whitened. Components are
// orthonormal rows in the order of falling variance; the entry of largest magnitude in each (the
// first of those that are equal to it up to 1e-6 of it) is positive, so that a fit has one answer.
// Directions without variance, as with fewer samples than dimensions, are completed to
// an orthonormal set in some way. A whitened component of no variance (below 1e-12 of the first)
// gives 0.
struct Pca {
  Vector mean;                // d
  Rows components;            // k x d
  Vector variances;           // k: of the training data along the components (divided by the count)
  double total_variance = 0;  // of all d directions: what share was kept
  bool whiten = false;

  Index input_dimension() const { return components.cols(); }
  Index dimension() const { return components.rows(); }
};

// Covariance in double over fixed chunks: the same bytes for any number of threads. Data far from
// zero lose nothing, since every chunk is centred before it is multiplied. No samples, one, or
// equal ones are a defined fit: zero variance, components that are unit vectors of the first axes
// (the mean of no samples is zero). Requires finite samples (a bad value is named by row and
// column) and options.dimensions >= 1.
//
// Ranks: each has its own samples, and all get the same PCA. It has the bytes that one process
// would get from all samples if each rank but the last has a multiple of 4096 and the sums of 4096
// samples each, d^2 values, take 256 MiB at most; otherwise sums differ in their rounding.
Pca FitPca(const SampleSource& samples, const PcaOptions& options, int threads = 1,
           const Ranks& ranks = {});

// Requires rows of input_dimension() columns, finite (a bad value is named by row and column), and
// near enough to the mean for the result to be in the range of float.
Rows Project(const Pca& pca, const RowsView& rows, int threads = 1);

}  // namespace alcedo
