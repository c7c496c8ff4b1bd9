// Section 4: the weights of the dual, from encodings and from kernels alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

GmpSolver AnySolver(Random& random) {
  return random.Pick({GmpSolver::kAuto, GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect,
                      GmpSolver::kPrimal, GmpSolver::kDual});
}

Reals NaiveWeightedSum(const Table& rows, const Vector& weights) {
  return Times(Transposed(rows), Reals(weights.begin(), weights.end()));
}

// The diagonal blocks of the kernel, and the row numbers in their order.
struct KernelBlocks {
  std::vector<Matrix> blocks;
  std::vector<Index> order;
};
KernelBlocks SplitKernel(const Problem& problem, const Table& kernel) {
  KernelBlocks split;
  for (const std::vector<Index>& rows : problem.RowsOfBlocks()) {
    Matrix block(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j)
        block(i, j) = static_cast<double>(kernel(rows[i], rows[j]));
    split.blocks.push_back(block);
    split.order.insert(split.order.end(), rows.begin(), rows.end());
  }
  return split;
}

TEST(WeightsLaws, WeightsSolveTheDual) {
  ForEachCase(7000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense();
    const GmpOptions options{.lambda = AnyLambda(random, rows), .solver = AnySolver(random)};
    const WeightsResult result = GmpWeights(problem.Build(), options);
    if (options.solver == GmpSolver::kAuto) {
      EXPECT_TRUE(result.report.converged) << problem;
    }
    if (!result.report.converged) return;
    EXPECT_LE(RelativeError(result.weights, RidgeWeights(Gram(rows), options.lambda)), 1e-5)
        << "solver " << static_cast<int>(options.solver) << ", lambda " << options.lambda
        << problem;
  });
}

// Eq. 8, and with K for Phi^T Phi Eq. 9, as they stand.
Real Objective(const Table& kernel, const Reals& weights, Real lambda) {
  const Reals k_a = Times(kernel, weights);
  Real sum = lambda * Dot(k_a.data(), weights.data(), kernel.rows);
  for (const Real similarity : k_a) sum += (similarity - 1) * (similarity - 1);
  return sum;
}

TEST(WeightsLaws, NoOtherWeightsHaveASmallerObjective) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const Table rows = problem.Dense(), kernel = Gram(rows);
    const double lambda = AnyLambda(random, rows);
    const WeightsResult result = GmpWeights(problem.Build(), {.lambda = lambda});
    const Reals weights(result.weights.begin(), result.weights.end());
    const Real objective = Objective(kernel, weights, lambda);
    const Real gain = std::max<Real>(0, rows.rows - objective);
    for (int trial = 0; trial < 5; ++trial) {
      Reals other = weights;
      const Real step = Norm(weights) * random.LogUniform(1e-4, 1);
      for (Real& w : other) w += step * random.Normal();
      EXPECT_LE(objective, Objective(kernel, other, lambda) + 1e-9L * gain + 1e-15L * rows.rows)
          << "lambda " << lambda << problem;
    }
  });
}

// A sum of rows that cancel magnifies the error of the weights, so these are asked to be better
// than usual: the law is about what they add up to, not about when a solver stops.
TEST(WeightsLaws, WeightedSumGivesBackThePrimal) {
  int cases = 0, compared = 0;
  ForEachCase(10000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    GmpOptions options{.lambda = AnyLambda(random, rows), .solver = AnySolver(random)};
    options.tolerance = options.accuracy = 1e-10;
    const WeightsResult dual = GmpWeights(encodings, options);
    ++cases;
    if (!dual.report.converged) return;
    ++compared;
    const Reals want = RidgePhi(rows, options.lambda);
    const Real floor = RidgeFloor(rows, options.lambda);
    const std::vector<double> naive = ToDoubles(NaiveWeightedSum(rows, dual.weights));
    const Eigen::Map<const EigenVector> naive_phi(naive.data(), problem.dimension());
    EXPECT_LE(RelativeError(naive_phi, want, floor), 1e-5)
        << "solver " << static_cast<int>(options.solver) << ", lambda " << options.lambda
        << problem;
    const Vector primal = PoolGmp(encodings, options).phi;
    const Vector phi = WeightedSum(encodings, dual.weights);
    EXPECT_LE(RelativeError(phi, Reals(primal.begin(), primal.end()), floor), 2e-5) << problem;
  });
  if (AllCasesRun()) {
    EXPECT_GE(compared, 0.9 * cases);
  }
}

TEST(WeightsLaws, LambdaZeroIsThePseudoInverseOfTheKernel) {
  ForEachCase(4000, [&](Random& random) {
    const GapProblem gap = AnyGapProblem(random, 16);
    const Table rows = gap.problem.Dense();
    const Encodings encodings = gap.problem.Build();
    const Reals want = PseudoInverseOnes(gap.svd, 2);
    const Real largest = gap.svd.largest();
    const Real floor = largest > 0 ? 1e-12L * gap.amplification / largest / largest : 0;
    for (const GmpSolver solver :
         {GmpSolver::kAuto, GmpSolver::kDirect, GmpSolver::kPrimal, GmpSolver::kDual}) {
      const WeightsResult result = GmpWeights(encodings, {.lambda = 0, .solver = solver});
      EXPECT_LE(RelativeError(result.weights, want, floor), 1e-5)
          << "solver " << static_cast<int>(solver) << gap.problem;
    }
    const WeightsResult kernel = GmpWeights(ToMatrix(Gram(rows)), {.lambda = 0});
    EXPECT_LE(RelativeError(kernel.weights, want, floor), 1e-5) << gap.problem;
  });
}

TEST(WeightsLaws, TheKernelAloneIsEnough) {
  ForEachCase(7000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense(), kernel = Gram(rows);
    const double lambda = AnyLambda(random, rows);
    const double mean = MeanSquaredNorm(rows);
    GmpOptions options{.lambda = lambda};
    if (mean > 0 && random.Chance(0.5)) options = {.lambda = lambda / mean, .relative = true};
    const Reals want = RidgeWeights(kernel, lambda);
    const WeightsResult dense = GmpWeights(ToMatrix(kernel), options);
    EXPECT_LE(RelativeError(dense.weights, want), 1e-6) << "lambda " << lambda << problem;
    EXPECT_NEAR(dense.report.lambda, lambda, 1e-9 * lambda) << problem;
    if (problem.layout != Layout::kOneBlockPerRow) return;
    const KernelBlocks split = SplitKernel(problem, kernel);
    const WeightsResult blocks = GmpWeights(split.blocks, options);
    Reals ordered;
    for (const Index n : split.order) ordered.push_back(want[n]);
    EXPECT_LE(RelativeError(blocks.weights, ordered), 1e-6) << "lambda " << lambda << problem;
    EXPECT_NEAR(blocks.report.lambda, lambda, 1e-9 * lambda) << problem;
  });
}

TEST(WeightsLaws, RowsOfZerosWeighOneOverLambda) {
  ForEachCase(2000, [&](Random& random) {
    Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    if (problem.num_rows() == 0) return;
    const Index zero = random.Integer(0, problem.num_rows() - 1);
    for (Index e = problem.offsets[zero]; e < problem.offsets[zero + 1]; ++e)
      problem.values.row(e).setZero();
    const double lambda = AnyLambda(random, problem.Dense());
    const GmpOptions options{.lambda = lambda, .solver = AnySolver(random)};
    EXPECT_NEAR(GmpWeights(problem.Build(), options).weights[zero] * lambda, 1, 1e-5) << problem;
    const Vector at_zero = GmpWeights(problem.Build(), {.lambda = 0}).weights;
    EXPECT_LE(std::abs(at_zero[zero]), 1e-9 * (1e-300 + at_zero.norm())) << problem;
  });
}

}  // namespace
}  // namespace alcedo::laws
