#include "alcedo/encoding/llc.h"

#include <cmath>
#include <memory>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {

void Check(const LlcOptions& options) {
  Require(options.nearest >= 1, "llc.nearest", ">= 1", options.nearest);
  // Less would drown in the rounding of the covariance, which is singular for nearest > d.
  Require(options.regularization >= 1e-10 && std::isfinite(options.regularization),
          "llc.regularization", ">= 1e-10 and finite", options.regularization);
}

namespace encoding {
namespace {

// The weights of one row, from its differences z to k codewords, one per row. `covariance` is
// memory for k x k values.
void SolveWeights(const Matrix& differences, double regularization, Matrix& covariance,
                  Vector& weights) {
  const Index k = differences.rows();
  kernels::SmallKernelMatrix(differences.data(), k, differences.cols(), covariance.data());
  const double trace = covariance.trace();
  weights.setOnes(k);
  if (trace > 0) {
    // Relative to the trace, so that neither large nor small descriptors leave the range.
    covariance /= trace;
    covariance.diagonal().array() += regularization;
    if (!blas::CholeskyFactor(covariance.data(), k)) {
      throw Error("llc: a local covariance is not positive definite");
    }
    blas::CholeskySolve(covariance.data(), k, weights.data());
  }
  weights /= weights.sum();  // > 0: 1' A 1 of a positive definite A
}

class PreparedLlc : public Prepared {
 public:
  explicit PreparedLlc(const LlcEncoder& encoder)
      : centers_(encoder.codebook.centers), options_(encoder.options) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    NearestCodewords nearest = FindNearest(centers_, options_.nearest, rows, threads);
    const Index k = nearest.k, dimension = rows.dimension();
    Rows weights(rows.count() * k, 1);
    ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
      Matrix differences(k, dimension), covariance(k, k);
      Vector row_weights(k);
      for (Index n = begin; n < end; ++n) {
        for (Index i = 0; i < k; ++i) {
          const float* center = centers_.centers().row(nearest.codewords[n * k + i]).data();
          for (Index j = 0; j < dimension; ++j) {
            differences(i, j) = static_cast<double>(center[j]) - rows.Row(n)[j];
          }
        }
        SolveWeights(differences, options_.regularization, covariance, row_weights);
        for (Index i = 0; i < k; ++i) weights(n * k + i, 0) = static_cast<float>(row_weights[i]);
      }
    });
    return FromWeights(std::move(nearest), std::move(weights), centers_.centers().rows());
  }

 private:
  NearestCenters centers_;
  LlcOptions options_;
};

}  // namespace

void Check(const LlcEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  Check(encoder.options);
}

PreparedPointer Prepare(const LlcEncoder& encoder, int) {
  return std::make_unique<PreparedLlc>(encoder);
}

}  // namespace encoding
}  // namespace alcedo
