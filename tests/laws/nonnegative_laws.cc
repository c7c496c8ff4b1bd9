// The non-negative weights, by the optimality conditions of the problem they solve:
// a >= 0, g = (K + lambda I) a - 1 >= 0, and a_n g_n = 0.
#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/gmp_weights.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

// The largest violation, free of scale: a_n counts times the diagonal that multiplies it.
double Violation(const Table& kernel, double lambda, const Vector& weights) {
  const Reals a(weights.begin(), weights.end());
  const Reals k_a = Times(kernel, a);
  Real worst = 0;
  for (Index n = 0; n < kernel.rows; ++n) {
    const Real gradient = k_a[n] + lambda * a[n] - 1;
    const Real weight = a[n] * (kernel(n, n) + lambda);
    if (std::isnan(gradient)) return std::nan("");
    worst = std::max(worst, std::abs(std::min(weight, gradient)));
  }
  return static_cast<double>(worst);
}

// Residuals are relative to the N ones on the right side, and one component may hold all of it.
double Tolerance(Index rows) {
  return 3e-6 * std::sqrt(static_cast<double>(std::max<Index>(rows, 1)));
}

TEST(NonNegativeLaws, OptimalityConditionsHold) {
  int cases = 0, constrained = 0;
  ForEachCase(8000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense(), kernel = Gram(rows);
    const double lambda = AnyLambda(random, rows);
    const WeightsResult result = GmpWeightsNonNegative(problem.Build(), {.lambda = lambda});
    ASSERT_EQ(result.weights.size(), problem.num_rows());
    EXPECT_TRUE(result.report.converged) << result.report.reason << problem;
    if (problem.num_rows() == 0) return;
    EXPECT_GE(result.weights.minCoeff(), 0) << problem;
    EXPECT_LE(Violation(kernel, lambda, result.weights), Tolerance(rows.rows))
        << "lambda " << lambda << problem;
    ++cases;
    constrained += result.weights.minCoeff() == 0;
  });
  if (AllCasesRun()) {
    EXPECT_GE(constrained, cases / 20);  // the constraint has to matter
  }
}

TEST(NonNegativeLaws, TheKernelAloneIsEnough) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense(), kernel = Gram(rows);
    const GmpOptions options{.lambda = AnyLambda(random, rows)};
    const WeightsResult dense = GmpWeightsNonNegative(ToMatrix(kernel), options);
    EXPECT_LE(Violation(kernel, options.lambda, dense.weights), Tolerance(rows.rows)) << problem;
    if (problem.layout != Layout::kOneBlockPerRow) return;
    std::vector<Matrix> blocks;
    for (const std::vector<Index>& members : problem.RowsOfBlocks())
      blocks.push_back(ToMatrix(Gram(problem.Select(members).Dense())));
    const WeightsResult split = GmpWeightsNonNegative(blocks, options);
    ASSERT_EQ(split.weights.size(), problem.num_rows());
    Vector back(problem.num_rows());
    Index next = 0;
    for (const std::vector<Index>& members : problem.RowsOfBlocks())
      for (const Index n : members) back[n] = split.weights[next++];
    EXPECT_LE(Violation(kernel, options.lambda, back), Tolerance(rows.rows)) << problem;
    if (back.size() > 0) {
      EXPECT_GE(back.minCoeff(), 0) << problem;
    }
  });
}

TEST(NonNegativeLaws, WhereEq10IsNonNegativeItIsTheAnswer) {
  int cases = 0, compared = 0;
  ForEachCase(3000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const Table rows = problem.Dense();
    const double lambda = AnyLambda(random, rows);
    const Reals want = RidgeWeights(Gram(rows), lambda);
    ++cases;
    if (std::any_of(want.begin(), want.end(), [](Real w) { return w < 0; })) return;
    ++compared;
    const WeightsResult result = GmpWeightsNonNegative(problem.Build(), {.lambda = lambda});
    EXPECT_LE(RelativeError(result.weights, want), 1e-5) << "lambda " << lambda << problem;
  });
  if (AllCasesRun()) {
    EXPECT_GE(compared, cases / 2);
  }
}

}  // namespace
}  // namespace alcedo::laws
