#include "alcedo/pooling/nonnegative.h"

#include <gtest/gtest.h>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

TEST(SolveNonNegative, WithAndWithoutTheKernelAgree) {
  Rng rng(1);
  const Index n = 80, d = 12;
  std::vector<float> values(n * d);
  for (float& v : values) v = static_cast<float>(rng.Normal() + 0.4);
  RowOperator rows(values.data(), n, d);
  Matrix kernel(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      kernel(i, j) = 0;
      for (Index k = 0; k < d; ++k) kernel(i, j) += double(values[i * d + k]) * values[j * d + k];
    }
  }
  const NonNegativeResult by_kernel = SolveNonNegative(kernel, 0.3, {});
  const NonNegativeResult by_rows = SolveNonNegative(rows, 0.3, {});
  EXPECT_TRUE(by_kernel.converged);
  EXPECT_TRUE(by_rows.converged);
  EXPECT_GT((by_kernel.weights.array() == 0).count(), 0) << "the constraint must bind here";
  EXPECT_LE((by_kernel.weights - by_rows.weights).norm(), 1e-4 * by_kernel.weights.norm());
  // Projected gradient descent, a thousand naive steps, cannot do better.
  const auto objective = [&](const Vector& a) {
    return 0.5 * a.dot(kernel * a) + 0.15 * a.squaredNorm() - a.sum();
  };
  Vector a = Vector::Zero(n);
  const double step = 1 / (kernel.trace() + 0.3);
  for (int i = 0; i < 1000; ++i)
    a = (a - step * (kernel * a + 0.3 * a - Vector::Ones(n))).cwiseMax(0);
  EXPECT_LE(objective(by_kernel.weights), objective(a) + 1e-12);
}

TEST(SolveNonNegative, NoRowsAreFine) {
  EXPECT_TRUE(SolveNonNegative(Matrix(0, 0), 1, {}).converged);
}

}  // namespace
}  // namespace alcedo
