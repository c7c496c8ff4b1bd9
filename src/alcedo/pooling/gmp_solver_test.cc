#include "alcedo/pooling/gmp_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

std::vector<float> RandomValues(Index count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(rng.Normal());
  return values;
}

TEST(GmpCost, GrowsWithTheProblem) {
  const GmpCost small = EstimateCost(40, 128, 40 * 128, 1, false);
  const GmpCost tall = EstimateCost(4000, 128, 4000 * 128, 1, false);
  EXPECT_LT(small.cg_iteration, tall.cg_iteration);
  EXPECT_LT(small.direct, tall.direct);
  EXPECT_LT(small.direct, EstimateCost(40, 128, 40 * 128, 5, false).direct);
  EXPECT_LT(EstimateCost(40, 128, 40 * 128, 1, true).cg_iteration, small.cg_iteration);
  EXPECT_TRUE(small.direct_fits);
  EXPECT_FALSE(EstimateCost(20000, 32768, 20000 * 128, 1, false).direct_fits);
}

TEST(GmpSolverForRows, AutoLeavesWellConditionedProblemsToCgAndOthersToCholesky) {
  const Index n = 300, d = 100;
  std::vector<float> values = RandomValues(n * d, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) values[i * d + j] *= std::pow(10.0f, -4.0f * j / d);
  }
  RowOperator rows(values.data(), n, d);
  GmpSolverForRows solver(GmpOptions{}, 0);
  Matrix phi(1, d);
  GmpPartReport report;
  const double easy = 1e3, hard = 1e-5;
  solver.SolvePhi(rows, std::span(&easy, 1), phi, std::span(&report, 1));
  EXPECT_FALSE(report.direct);
  solver.SolvePhi(rows, std::span(&hard, 1), phi, std::span(&report, 1));
  EXPECT_TRUE(report.direct);
  EXPECT_EQ(report.stop, CgReport::Stop::kConverged);
}

// Large enough for the matrix in float; lambdas down to where only the one in double is left.
TEST(GmpSolverForRows, IsAsAccurateWithAMatrixInFloat) {
  const Index n = 700, d = 600;
  std::vector<float> values = RandomValues(n * d, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) {
      values[i * d + j] = (values[i * d + j] + 1) * std::pow(10.0f, -3.0f * j / d);
    }
  }
  Eigen::MatrixXd phi(d, n);  // the paper's Phi
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) phi(j, i) = values[i * d + j];
  }
  const Eigen::MatrixXd gram = phi * phi.transpose();
  const std::vector<double> lambdas{1e-7, 1e-3, 1, 1e3};
  GmpOptions options;
  options.solver = GmpSolver::kPrimal;
  GmpSolverForRows solver(options, gram.trace());
  RowOperator rows(values.data(), n, d);
  Matrix found(4, d);
  std::vector<GmpPartReport> reports(4);
  solver.SolvePhi(rows, lambdas, found, reports);
  for (Index l = 0; l < 4; ++l) {
    const Eigen::MatrixXd a = gram + lambdas[l] * Eigen::MatrixXd::Identity(d, d);
    const Eigen::VectorXd exact = a.ldlt().solve(phi.rowwise().sum());
    EXPECT_LE((found.row(l).transpose() - exact).norm(), 1e-5 * exact.norm()) << lambdas[l];
    EXPECT_EQ(reports[l].stop, CgReport::Stop::kConverged) << lambdas[l];
    EXPECT_TRUE(reports[l].direct);
  }
}

TEST(GmpSolverForRows, IsReusableForProblemsOfOtherSizes) {
  GmpSolverForRows solver(GmpOptions{}, 0);
  const double lambda = 0.5;
  for (Index n : {30, 3, 50}) {
    const std::vector<float> values = RandomValues(n * 10, n);
    RowOperator rows(values.data(), n, 10);
    Matrix phi(1, 10);
    GmpPartReport report;
    solver.SolvePhi(rows, std::span(&lambda, 1), phi, std::span(&report, 1));
    Vector weights(n);
    solver.SolveWeights(rows, lambda, weights);
    Vector sum(10);
    rows.WeightedSum(weights.data(), sum.data());
    EXPECT_LE((sum - phi.row(0).transpose()).norm(), 1e-5 * sum.norm());
  }
}

}  // namespace
}  // namespace alcedo
