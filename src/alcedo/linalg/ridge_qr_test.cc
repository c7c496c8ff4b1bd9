#include "alcedo/linalg/ridge_qr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Rows c_n e_n along different axes: phi_n = c_n / (c_n^2 + lambda), weight 1 / (c_n^2 + lambda).
// The axes without rows and the rows of zeros are left over.
void ExpectAlongAxes(Index rows, Index dimension, double lambda) {
  std::vector<double> values(static_cast<std::size_t>(rows * dimension), 0.0);
  const auto length = [&](Index n) { return n < dimension ? std::pow(10.0, -n) : 0.0; };
  for (Index n = 0; n < std::min(rows, dimension); ++n) values[n * dimension + n] = length(n);
  const RowOperator operator_of(values.data(), rows, dimension);
  const RidgeQr got = SolveRidgeByQr(operator_of, lambda);
  for (Index j = 0; j < dimension; ++j) {
    const double c = j < rows ? length(j) : 0.0;
    EXPECT_NEAR(got.phi[j], c / (c * c + lambda), got.phi_error + 1e-15) << j;
    EXPECT_NEAR(got.phi[j], c / (c * c + lambda), 1e-8 * got.phi.norm()) << j;
  }
  for (Index n = 0; n < rows; ++n) {
    const double want = 1 / (length(n) * length(n) + lambda);
    EXPECT_NEAR(got.weights[n], want, got.weights_error + 1e-15) << n;
  }
}

TEST(RidgeQr, SolvesRowsAlongAxesFarBelowTheRoundingOfTheirGramMatrix) {
  for (const double lambda : {1e-16, 1e-12, 1e-3, 1.0, 1e6}) {
    SCOPED_TRACE(lambda);
    ExpectAlongAxes(4, 7, lambda);
    ExpectAlongAxes(7, 4, lambda);
    ExpectAlongAxes(1, 1, lambda);
  }
}

TEST(Blas, InverseTraceIsTheSumOfInverseEigenvalues) {
  // Eigenvalues 1 and 3: (2 1; 1 2).
  double matrix[] = {2, 0, 1, 2};
  ASSERT_TRUE(blas::CholeskyFactor(matrix, 2));
  EXPECT_NEAR(blas::InverseTrace(matrix, 2), 1 + 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace alcedo
