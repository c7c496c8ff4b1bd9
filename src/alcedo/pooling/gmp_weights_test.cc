#include "alcedo/pooling/gmp_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"
#include "alcedo/testing/random_rows.h"

namespace alcedo {
namespace {

using test::NaiveKernel;
using test::RandomRows;

TEST(GmpWeights, SolveTheDualSystem) {
  for (const auto& [n, d] : std::vector<std::pair<Index, Index>>{{30, 8}, {8, 30}, {1, 3}}) {
    const Rows rows = RandomRows(n, d, n);
    const Matrix kernel = NaiveKernel(rows);
    for (double lambda : {0.1, 10.0}) {
      for (GmpSolver solver :
           {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kPrimal, GmpSolver::kDual}) {
        GmpOptions options;
        options.lambda = lambda;
        options.solver = solver;
        const WeightsResult result = GmpWeights(Encodings::Dense(rows), options);
        const Vector left = kernel * result.weights + lambda * result.weights;
        EXPECT_LE((left - Vector::Ones(n)).norm(), 1e-5 * std::sqrt(n));
        EXPECT_TRUE(result.report.converged);
      }
    }
  }
}

TEST(GmpWeights, GiveBackThePrimal) {
  const Rows rows = RandomRows(40, 6, 2);
  std::vector<std::int32_t> blocks(40);
  for (int n = 0; n < 40; ++n) blocks[n] = (n * 7) % 5;
  std::vector<Index> offsets;
  for (Index n = 0; n <= 20; ++n) offsets.push_back(2 * n);
  std::vector<std::int32_t> pairs(40);
  for (int n = 0; n < 40; ++n) pairs[n] = n % 2 == 0 ? (n / 2) % 2 : 2 + (n / 2) % 3;
  for (const Encodings& encodings :
       {Encodings::Dense(rows), Encodings::OneBlockPerRow(rows, blocks, 5),
        Encodings::SeveralBlocksPerRow(rows, pairs, offsets, 5)}) {
    for (double lambda : {0.0, 1.0}) {
      GmpOptions options;
      options.lambda = lambda;
      const Vector phi = PoolGmp(encodings, options).phi;
      const Vector back = WeightedSum(encodings, GmpWeights(encodings, options).weights);
      EXPECT_LE((phi - back).norm(), 1e-5 * phi.norm());
    }
  }
}

TEST(GmpWeights, ZeroRowsHaveTheirDocumentedWeight) {
  Rows rows = Rows::Zero(3, 2);
  rows(0, 0) = 2;
  GmpOptions options;
  options.lambda = 4;
  const Vector weights = GmpWeights(Encodings::Dense(rows), options).weights;
  EXPECT_NEAR(weights[0], 1.0 / 8, 1e-7);
  EXPECT_NEAR(weights[1], 1.0 / 4, 1e-7);
  options.lambda = 0;
  EXPECT_NEAR(GmpWeights(Encodings::Dense(rows), options).weights[1], 0, 1e-12);
  EXPECT_EQ(GmpWeights(Encodings::Dense(Rows(0, 2)), options).weights.size(), 0);
}

TEST(GmpWeights, DuplicatesShareTheWeightOfOne) {
  Rows rows(4, 2);
  rows << 1, 0, 1, 0, 1, 0, 0, 1;
  GmpOptions options;
  options.lambda = 0;
  const Vector weights = GmpWeights(Encodings::Dense(rows), options).weights;
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(weights[n], 1.0 / 3, 1e-9);
  EXPECT_NEAR(weights[3], 1, 1e-9);
}

TEST(GmpWeights, ZeroLambdaByConjugateGradientsIsThePseudoInverseToo) {
  const Rows rows = RandomRows(50, 20, 6);  // more rows than dimensions: K a = 1 has no solution
  GmpOptions options;
  options.lambda = 0;
  const Vector direct = GmpWeights(Encodings::Dense(rows), options).weights;
  options.solver = GmpSolver::kCg;
  options.tolerance = 1e-10;
  const WeightsResult cg = GmpWeights(Encodings::Dense(rows), options);
  EXPECT_TRUE(cg.report.converged);
  EXPECT_LE((cg.weights - direct).norm(), 1e-6 * direct.norm());
}

TEST(GmpWeights, KernelAloneIsEnough) {
  const Rows rows = RandomRows(25, 10, 4);
  for (double lambda : {0.0, 0.5}) {
    GmpOptions options;
    options.lambda = lambda;
    options.relative = true;
    const Vector from_rows = GmpWeights(Encodings::Dense(rows), options).weights;
    const WeightsResult from_kernel = GmpWeights(NaiveKernel(rows), options);
    EXPECT_LE((from_rows - from_kernel.weights).norm(), 1e-5 * from_rows.norm());
    const std::vector<Matrix> halves = {NaiveKernel(rows.topRows(10)),
                                        NaiveKernel(rows.bottomRows(15))};
    std::vector<std::int32_t> blocks(25, 0);
    for (int n = 10; n < 25; ++n) blocks[n] = 1;
    const Vector by_block = GmpWeights(Encodings::OneBlockPerRow(rows, blocks, 2), options).weights;
    const WeightsResult from_blocks = GmpWeights(halves, options);
    EXPECT_LE((by_block - from_blocks.weights).norm(), 1e-5 * by_block.norm());
    EXPECT_EQ(from_blocks.report.lambda_relative, lambda);
  }
  EXPECT_THROW(GmpWeights(Matrix(Matrix::Zero(2, 3)), {}), InvalidArgument);
}

TEST(GmpWeightsNonNegative, SatisfyTheKarushKuhnTuckerConditions) {
  for (Index n : {1, 12, 60}) {
    Rows rows = RandomRows(n, 8, n);
    rows.col(0).array() += 1;
    const Matrix kernel = NaiveKernel(rows);
    for (double lambda : {0.05, 5.0}) {
      GmpOptions options;
      options.lambda = lambda;
      const WeightsResult result = GmpWeightsNonNegative(Encodings::Dense(rows), options);
      EXPECT_TRUE(result.report.converged);
      const Vector gradient = kernel * result.weights + lambda * result.weights - Vector::Ones(n);
      for (Index i = 0; i < n; ++i) {
        EXPECT_GE(result.weights[i], 0);
        EXPECT_GE(gradient[i], -1e-5);
        EXPECT_NEAR(result.weights[i] * gradient[i], 0, 1e-5);
      }
      const Vector same = GmpWeightsNonNegative(kernel, options).weights;
      EXPECT_LE((same - result.weights).norm(), 1e-6 * same.norm());
    }
  }
}

TEST(GmpWeightsNonNegative, EqualGmpWhereThatIsPositive) {
  Rows rows(2, 2);
  rows << 1, 0.1f, 0.2f, 1;
  GmpOptions options;
  options.lambda = 0.1;
  const Vector plain = GmpWeights(Encodings::Dense(rows), options).weights;
  ASSERT_GT(plain.minCoeff(), 0);
  EXPECT_LE((GmpWeightsNonNegative(Encodings::Dense(rows), options).weights - plain).norm(), 1e-6);
  options.lambda = 0;
  EXPECT_THROW(GmpWeightsNonNegative(Encodings::Dense(rows), options), InvalidArgument);
}

TEST(GmpWeights, RefuseSolversThatDoNotApply) {
  const Rows rows = RandomRows(6, 3, 9);
  const Matrix kernel = NaiveKernel(rows);
  const auto kernel_refuses = [&](GmpSolver solver) {
    const auto refused = test::RefusalOf([&] { GmpWeights(kernel, {.solver = solver}); });
    return refused == test::Refused{"gmp.solver",
                                    "must be auto, direct or dual for a kernel matrix",
                                    std::string(Name(solver))};
  };
  EXPECT_FALSE(kernel_refuses(GmpSolver::kAuto));
  EXPECT_FALSE(kernel_refuses(GmpSolver::kDirect));
  EXPECT_FALSE(kernel_refuses(GmpSolver::kDual));
  EXPECT_TRUE(kernel_refuses(GmpSolver::kCg));
  EXPECT_TRUE(kernel_refuses(GmpSolver::kPrimal));
  for (const auto& [solver, name] : EnumNames<GmpSolver>::values) {
    if (solver == GmpSolver::kAuto) continue;
    EXPECT_THROW(GmpWeightsNonNegative(kernel, {.solver = solver}), InvalidArgument) << name;
    EXPECT_THROW(GmpWeightsNonNegative(Encodings::Dense(rows), {.solver = solver}), InvalidArgument)
        << name;
  }
}

TEST(GmpWeightsNonNegative, ReachTheAccuracyOrSaySo) {
  const Rows rows = RandomRows(40, 8, 10);
  for (const double lambda : {1e-6, 1e-2, 1.0}) {
    const WeightsResult result = GmpWeightsNonNegative(Encodings::Dense(rows), {.lambda = lambda});
    EXPECT_EQ(result.report.converged, result.report.error_bound <= 1e-6);
    EXPECT_EQ(result.report.converged, result.report.reason.empty());
  }
  EXPECT_FALSE(GmpWeightsNonNegative(Encodings::Dense(rows), {.lambda = 1e-6, .max_iterations = 1})
                   .report.converged);
}

}  // namespace
}  // namespace alcedo
