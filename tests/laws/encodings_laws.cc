// The products with Phi and its transpose, against the dense table.
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

Vector AnyVector(Random& random, Index size) {
  Vector v(size);
  const double scale = random.LogUniform(1e-18, 1e18);
  for (double& x : v) x = random.Chance(0.1) ? 0 : scale * random.Normal();
  return v;
}

// Sums in any order differ by the rounding of their magnitudes.
void ExpectProduct(const Vector& got, const Table& a, const Vector& x, const Problem& problem) {
  ASSERT_EQ(got.size(), a.rows) << problem;
  for (Index i = 0; i < a.rows; ++i) {
    Real sum = 0, magnitude = 0;
    for (Index k = 0; k < a.cols; ++k) {
      sum += a(i, k) * x[k];
      magnitude += std::abs(a(i, k) * x[k]);
    }
    EXPECT_NEAR(got[i], static_cast<double>(sum), static_cast<double>(1e-12L * magnitude))
        << problem;
  }
}

TEST(EncodingsLaws, ProductsAreThoseOfTheDenseRows) {
  ForEachCase(8000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.large = true});
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    ASSERT_EQ(encodings.num_rows(), problem.num_rows());
    ASSERT_EQ(encodings.dimension(), problem.dimension());
    const Vector phi = AnyVector(random, problem.dimension());
    const Vector weights = AnyVector(random, problem.num_rows());
    ExpectProduct(Similarities(encodings, phi), rows, phi, problem);
    ExpectProduct(WeightedSum(encodings, weights), Transposed(rows), weights, problem);
    const double trace = static_cast<double>(Trace(rows));
    EXPECT_NEAR(encodings.squared_norm(), trace, 1e-12 * trace) << problem;
    EXPECT_NEAR(encodings.mean_squared_norm(), MeanSquaredNorm(rows), 1e-12 * trace) << problem;
  });
}

TEST(EncodingsLaws, LayoutsHoldTheSameRows) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense();
    for (const Layout layout : {problem.layout, Layout::kDense, Layout::kSeveralBlocksPerRow}) {
      const Problem other = problem.As(layout);
      const Rows dense = other.Build().ToDense();
      ASSERT_EQ(dense.rows(), rows.rows) << other;
      ASSERT_EQ(dense.cols(), rows.cols) << other;
      for (Index n = 0; n < rows.rows; ++n)
        for (Index j = 0; j < rows.cols; ++j) EXPECT_EQ(dense(n, j), rows(n, j)) << other;
    }
    const Problem flat = problem.As(Layout::kDense);
    const Encodings view = Encodings::DenseView(flat.values);
    EXPECT_EQ(view.ToDense(), flat.values);
    EXPECT_EQ(view.squared_norm(), flat.Build().squared_norm());
  });
}

}  // namespace
}  // namespace alcedo::laws
