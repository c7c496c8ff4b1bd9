#include "alcedo/projection/pca.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/projection/covariance.h"

namespace alcedo {
namespace {

// LAPACK's eigensolver counts its working memory in an int.
constexpr Index kMostDimensions = 32766;

// The first of the entries that are as large as any, up to rounding: of two that are equal by
// symmetry, rounding must not choose.
Index LeadingEntry(const double* values, Index count) {
  double largest = 0;
  for (Index j = 0; j < count; ++j) largest = std::max(largest, std::abs(values[j]));
  Index lead = 0;
  while (std::abs(values[lead]) < (1 - 1e-6) * largest) ++lead;
  return lead;
}

}  // namespace

Pca FitPca(const SampleSource& samples, const PcaOptions& options, int threads) {
  const Index d = samples.dimension();
  Require(options.dimensions >= 1, "pca.dimensions", ">= 1", options.dimensions);
  Require(d >= 1 && d <= kMostDimensions, "dimension of the PCA samples", "from 1 to 32766",
          static_cast<double>(d));
  const Index k = std::min<Index>(options.dimensions, d);
  MeanAndScatter data = ComputeMeanAndScatter(samples, threads);
  Pca pca;
  pca.mean = std::move(data.mean);
  pca.whiten = options.whiten;
  pca.variances = Vector::Zero(k);
  pca.components = Rows::Identity(k, d);
  Matrix& matrix = data.scatter;
  if (data.count > 0) matrix /= static_cast<double>(data.count);
  pca.total_variance = matrix.trace();
  if (!(pca.total_variance > 0)) return pca;

  Vector values(d);  // increasing
  blas::SymmetricEigen(matrix.data(), d, values.data());
  for (Index i = 0; i < k; ++i) {
    const auto vector = matrix.row(d - 1 - i);
    const double sign = vector[LeadingEntry(vector.data(), d)] < 0 ? -1 : 1;
    pca.components.row(i) = (sign * vector).cast<float>();
    pca.variances[i] = std::max(0.0, values[d - 1 - i]);  // rounding can take a zero below it
  }
  return pca;
}

}  // namespace alcedo
