#include "alcedo/projection/pca.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"
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

void Check(const PcaOptions& options) {
  Require(options.dimensions >= 0, "pca.dimensions", ">= 0", options.dimensions);
}

Pca FitPca(const SampleSource& own, const PcaOptions& options, int threads, const Ranks& ranks) {
  Require(options.dimensions >= 1, "pca.dimensions", ">= 1", options.dimensions);
  const RankedSamples samples(own, ranks);
  const Index d = samples.dimension();
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
  if (data.count > 0) matrix /= data.count;
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

namespace {

constexpr Index kProjectedChunk = 2048;  // the unit of work for a thread
constexpr Index kProjectedPanel = 512;   // centred at a time: stays in cache until it is multiplied

constexpr double kNoVariance = 1e-12;  // of the first component's

// y = P (x - m), P being the components, over their standard deviations if whitened.
struct Projection {
  // The mean in two floats: x - high is exact if x is near it, so that rows far from zero keep
  // their digits, at the speed of float.
  Eigen::VectorXf high, low;
  // With components whitened, data of very small scale would need numbers beyond float's range: the
  // first standard deviation is taken from the centred row, the rest (at most 1e6) from P.
  float scale = 1;
  Rows matrix;

  explicit Projection(const Pca& pca);
};

// What component i is multiplied with: 1, or one over its standard deviation.
double Factor(const Pca& pca, Index i) {
  if (!pca.whiten) return 1;
  const double floor = kNoVariance * pca.variances[0];
  return pca.variances[i] > 0 && pca.variances[i] >= floor ? 1 / std::sqrt(pca.variances[i]) : 0;
}

Projection::Projection(const Pca& pca)
    : high(pca.mean.cast<float>()),
      low((pca.mean - high.cast<double>()).cast<float>()),
      matrix(pca.components) {
  const double first = pca.dimension() > 0 ? Factor(pca, 0) : 0;
  if (!pca.whiten || !(first > 0)) {
    if (pca.whiten) matrix.setZero();
    return;
  }
  scale = static_cast<float>(first);
  for (Index i = 0; i < matrix.rows(); ++i) {
    matrix.row(i) *= static_cast<float>(Factor(pca, i) / first);
  }
}

void CheckPca(const Pca& pca, const RowsView& rows) {
  Require(pca.mean.size() == pca.input_dimension(), "size of the PCA mean",
          fmt::format("{} as the components", pca.input_dimension()),
          static_cast<double>(pca.mean.size()));
  Require(!pca.whiten || pca.variances.size() == pca.dimension(), "number of the PCA variances",
          fmt::format("{} as the components", pca.dimension()),
          static_cast<double>(pca.variances.size()));
  Require(rows.cols() == pca.input_dimension(), "columns of the rows to project",
          fmt::format("{} as the PCA expects", pca.input_dimension()),
          static_cast<double>(rows.cols()));
}

// If float arithmetic met something that is not finite: a bad value, or an intermediate one out of
// range. In double the latter are harmless.
void ProjectInDouble(const Pca& pca, const RowsView& rows, Index begin, Index count, Rows& to) {
  const Matrix components = pca.components.cast<double>();
  for (Index n = begin; n < begin + count; ++n) {
    for (Index j = 0; j < rows.cols(); ++j) {
      if (std::isfinite(rows(n, j))) continue;
      throw InvalidArgument(fmt::format("rows to project: row {}, column {} is {}", n, j,
                                        std::isnan(rows(n, j)) ? "NaN" : "infinite"));
    }
    const Vector centred = rows.row(n).transpose().cast<double>() - pca.mean;
    const Vector y = components * centred;
    for (Index i = 0; i < y.size(); ++i) {
      const double value = Factor(pca, i) * y[i];
      if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
        throw InvalidArgument(fmt::format(
            "rows to project: component {} of row {} must be in the range of float, got {}", i, n,
            value));
      }
      to(n, i) = static_cast<float>(value);
    }
  }
}

}  // namespace

Rows Project(const Pca& pca, const RowsView& rows, int threads) {
  CheckPca(pca, rows);
  Require(threads >= 1, "threads", ">= 1", threads);
  const Projection projection(pca);
  const Index d = rows.cols(), k = pca.dimension(), total = rows.rows();
  Rows to(total, k);
  ParallelFor((total + kProjectedChunk - 1) / kProjectedChunk, threads, [&](Index chunk) {
    const Index end = std::min(total, (chunk + 1) * kProjectedChunk);
    std::vector<float> panel(kProjectedPanel * d);
    for (Index first = chunk * kProjectedChunk; first < end; first += kProjectedPanel) {
      const Index height = std::min(kProjectedPanel, end - first);
      const float *high = projection.high.data(), *low = projection.low.data();
      const float scale = projection.scale;
      for (Index n = 0; n < height; ++n) {
        const float* row = rows.data() + (first + n) * rows.outerStride();
        float* centred = panel.data() + n * d;
        for (Index j = 0; j < d; ++j) centred[j] = ((row[j] - high[j]) - low[j]) * scale;
      }
      float* out = to.data() + first * k;
      blas::MultiplyTransposed(panel.data(), height, d, d, projection.matrix.data(), k, d, out, k);
      // A bad value makes every product with its row bad, so that looking at the result is enough.
      if (!std::isfinite(kernels::SquaredNorm(out, height * k))) {
        ProjectInDouble(pca, rows, first, height, to);
      }
    }
  });
  return to;
}

}  // namespace alcedo
