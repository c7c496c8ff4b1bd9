#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"
#include "alcedo/projection/pca.h"

namespace alcedo {
namespace {

constexpr Index kChunkRows = 2048;  // the unit of work for a thread
constexpr Index kPanelRows = 512;   // centred at a time: stays in cache until it is multiplied

constexpr double kNoVariance = 1e-12;  // of the first component's

// y = P (x - m), P being the components over their standard deviations where whitened.
struct Projection {
  // The mean in two floats: x - high is exact where x is near it, so that rows far from zero keep
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

// Where float arithmetic met something that is not finite: a bad value, or an intermediate one out
// of range. In double the latter are harmless.
void ProjectExactly(const Pca& pca, const RowsView& rows, Index begin, Index count, Rows& to) {
  for (Index n = begin; n < begin + count; ++n) {
    for (Index j = 0; j < rows.cols(); ++j) {
      if (std::isfinite(rows(n, j))) continue;
      throw InvalidArgument(fmt::format("rows to project: row {}, column {} is {}", n, j,
                                        std::isnan(rows(n, j)) ? "NaN" : "infinite"));
    }
    const Vector centred = rows.row(n).transpose().cast<double>() - pca.mean;
    const Vector y = pca.components.cast<double>() * centred;
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
  ParallelFor((total + kChunkRows - 1) / kChunkRows, threads, [&](Index chunk) {
    const Index end = std::min(total, (chunk + 1) * kChunkRows);
    std::vector<float> panel(kPanelRows * d);
    for (Index first = chunk * kChunkRows; first < end; first += kPanelRows) {
      const Index height = std::min(kPanelRows, end - first);
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
        ProjectExactly(pca, rows, first, height, to);
      }
    }
  });
  return to;
}

}  // namespace alcedo
