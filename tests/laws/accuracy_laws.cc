// How many digits of GMP are right, from a lambda of 1e-16 of the mean squared norm to 1e16 of it:
// as many as the rows determine, and those that the report claims.
#include <array>
#include <cmath>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/pooling/pool.h"
#include "problem.h"
#include "quad_oracle.h"

namespace alcedo::laws {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kSmallest = 1e-16, kLargest = 1e16;
// Conjugate gradients may fall short, and then say so.
constexpr std::array kSolvers = {GmpSolver::kAuto, GmpSolver::kDirect, GmpSolver::kCg,
                                 GmpSolver::kPrimal, GmpSolver::kDual};

// Half of them as doubles, with digits that float does not have.
Problem AnyFloatOrDoubleProblem(Random& random, Index size) {
  const Problem problem = AnyProblem(random, {.max_rows = size, .max_dimension = size});
  if (random.Chance(0.5)) return problem;
  return problem.WithDigits(random, random.Pick({0.0, 1e-15, 1e-9}));
}

double AnyTinyOrHugeLambda(Random& random, const Table& rows) {
  return AnyLambda(random, rows, kSmallest, kLargest);
}

void ExpectAccuratePhi(const Encodings& encodings, const Table& rows, double lambda,
                       const Problem& problem) {
  const QuadRidge want = SolveInQuad(rows, lambda);
  // A relative rounding error of the rows, times how much it may be magnified.
  const double determined = 100 * kEpsilon * want.phi_condition;
  // The rounding errors of rows that cancel, in phi.
  const Real cancelled =
      32 * kEpsilon * std::sqrt(Trace(rows) * rows.rows) / (lambda + Trace(rows));
  for (const GmpSolver solver : kSolvers) {
    const GmpResult got = PoolGmp(encodings, {.lambda = lambda, .solver = solver});
    const double error = RelativeError(got.phi, want.phi, cancelled);
    SCOPED_TRACE(::testing::Message()
                 << Name(solver) << ", lambda " << lambda << " = " << got.report.lambda_relative
                 << " relative, condition " << want.phi_condition << problem);
    const bool direct = solver != GmpSolver::kCg;
    if (direct) {
      EXPECT_LE(error, 1e-6 + determined);
    }
    if (direct && 10 * static_cast<double>(rows.rows + rows.cols) * determined < 1e-6) {
      EXPECT_TRUE(got.report.converged) << got.report.reason;
    }
    if (got.report.converged) {
      EXPECT_LE(error, 2e-6) << got.report.error_bound;
    }
    // Beyond a tenth, what it is relative to is not known well enough.
    if (got.report.error_bound < 0.1) {
      EXPECT_LE(error, got.report.error_bound + 1e-9);
    }
  }
}

TEST(AccuracyLaws, PhiIsAsAccurateAsTheRowsDetermine) {
  ForEachCase(20000, [&](Random& random) {
    const Problem problem = AnyFloatOrDoubleProblem(random, 30);
    const Table rows = problem.Dense();
    if (rows.rows == 0) return;
    ExpectAccuratePhi(problem.Build(), rows, AnyTinyOrHugeLambda(random, rows), problem);
  });
}

// Rows that are far from dependent determine phi at any lambda: nothing may be lost on the way.
TEST(AccuracyLaws, IndependentRowsKeepTenDigits) {
  ForEachCase(300, [&](Random& random) {
    Problem problem;
    problem.block_size = random.Integer(40, 70);
    const Index count = random.Integer(1, 20);
    problem.values.resize(count, problem.block_size);
    for (Index i = 0; i < count; ++i) {
      problem.blocks.push_back(0);
      problem.offsets.push_back(i + 1);
      for (Index j = 0; j < problem.block_size; ++j) {
        problem.values(i, j) = static_cast<float>(random.Normal());
      }
    }
    const bool twice = random.Chance(0.3);  // copies share their weight, and change nothing
    if (twice) {
      std::vector<Index> rows;
      for (Index i = 0; i < 2 * count; ++i) rows.push_back(i / 2);
      problem = problem.Select(rows);
    }
    const Table rows = problem.Dense();
    const double lambda = AnyTinyOrHugeLambda(random, rows);
    const QuadRidge want = SolveInQuad(rows, lambda);
    for (const GmpSolver solver : {GmpSolver::kAuto, GmpSolver::kDirect}) {
      const GmpResult got = PoolGmp(problem.Build(), {.lambda = lambda, .solver = solver});
      const double enough = solver == GmpSolver::kAuto ? 1e-6 : 1e-10;
      EXPECT_LE(RelativeError(got.phi, want.phi), enough) << lambda << problem;
      EXPECT_TRUE(got.report.converged) << got.report.reason << problem;
    }
  });
}

// Every pooling of doubles is that of their exact values, not of what float makes of them.
TEST(AccuracyLaws, EveryPoolingUsesTheDigitsOfDoubles) {
  ForEachCase(3000, [&](Random& random) {
    const Problem problem =
        AnyProblem(random, {.max_rows = 12, .max_dimension = 12, .scales = false})
            .WithDigits(random, 1e-7);
    const Table rows = problem.Dense();
    if (rows.rows == 0) return;
    const Encodings encodings = problem.Build();
    Reals sum(rows.cols, 0), largest(rows.cols, -1e30), squares(rows.cols, 0);
    for (Index n = 0; n < rows.rows; ++n) {
      for (Index j = 0; j < rows.cols; ++j) {
        sum[j] += rows(n, j);
        largest[j] = std::max(largest[j], rows(n, j));
        squares[j] += rows(n, j) * rows(n, j) / rows.rows;
      }
    }
    for (Real& x : squares) x = std::sqrt(x);
    const Real floor = 1e-14L * std::sqrt(Trace(rows));
    EXPECT_LE(RelativeError(PoolSum(encodings), sum, floor), 1e-12) << problem;
    EXPECT_LE(RelativeError(PoolMax(encodings), largest, floor), 1e-15) << problem;
    EXPECT_LE(RelativeError(PoolLp(encodings, {.p = 2}), squares, floor), 1e-12) << problem;
    // Democratic: every row of the exact kernel contributes 1.
    const WeightsResult democratic = DemocraticWeights(encodings, {.tolerance = 1e-11});
    const Table kernel = Gram(rows);
    for (Index n = 0; n < rows.rows && democratic.report.converged; ++n) {
      Real contribution = 0;
      for (Index m = 0; m < rows.rows; ++m) {
        contribution +=
            democratic.weights[n] * std::max<Real>(kernel(n, m), 0) * democratic.weights[m];
      }
      if (kernel(n, n) > 0) {
        EXPECT_NEAR(static_cast<double>(contribution), 1, 1e-10) << problem;
      }
    }
    // The accumulator has seen the digits too.
    GmpAccumulator accumulator(problem.num_blocks, problem.block_size,
                               GmpAccumulator::Layout::kSeveralBlocksPerRow);
    accumulator.Add(encodings);
    const double lambda = AnyLambda(random, rows, 1e-2, 1e2);
    const GmpPath path = accumulator.Solve(ForLambdas(std::span(&lambda, 1)));
    EXPECT_LE(RelativeError(path.phi.row(0), RidgePhi(rows, lambda), RidgeFloor(rows, lambda)),
              1e-11)
        << problem;
    const std::vector<Index> order = random.Permutation(rows.rows);
    const Vector shuffled =
        PoolGmp(encodings.Select(order), {.lambda = lambda, .solver = GmpSolver::kDirect}).phi;
    EXPECT_LE(RelativeError(shuffled, RidgePhi(rows, lambda), RidgeFloor(rows, lambda)), 1e-11)
        << problem;
  });
}

TEST(AccuracyLaws, WeightsAreAsAccurateAsTheRowsDetermine) {
  ForEachCase(10000, [&](Random& random) {
    const Problem problem = AnyFloatOrDoubleProblem(random, 25);
    const Table rows = problem.Dense();
    if (rows.rows == 0 || !(Trace(rows) > 0)) return;
    const double lambda = AnyTinyOrHugeLambda(random, rows);
    const QuadRidge want = SolveInQuad(rows, lambda);
    const double determined = 100 * kEpsilon * want.weights_condition;
    for (const GmpSolver solver : {GmpSolver::kAuto, GmpSolver::kDirect}) {
      const WeightsResult got = GmpWeights(problem.Build(), {.lambda = lambda, .solver = solver});
      const double error = RelativeError(got.weights, want.weights);
      SCOPED_TRACE(::testing::Message() << Name(solver) << ", lambda " << lambda << ", condition "
                                        << want.weights_condition << problem);
      EXPECT_LE(error, 1e-6 + determined);
      if (got.report.converged) {
        EXPECT_LE(error, 2e-6) << got.report.error_bound;
      }
    }
  });
}

// Hard BOV, the appendix: pi / (pi + lambda), and 1 / (pi + lambda) for every patch of a codeword.
TEST(AccuracyLaws, HardBovIsExactAtAnyLambda) {
  ForEachCase(500, [&](Random& random) {
    const Index words = random.Integer(1, 12), count = random.Integer(1, 60);
    std::vector<std::int32_t> blocks;
    std::vector<double> pi(words, 0);
    for (Index n = 0; n < count; ++n) {
      blocks.push_back(static_cast<std::int32_t>(random.Integer(0, words - 1)));
      ++pi[blocks.back()];
    }
    const double lambda = random.LogUniform(kSmallest, kLargest);
    const Encodings encodings = Encodings::OneBlockPerRow(Rows::Ones(count, 1), blocks, words);
    const Vector phi = PoolGmp(encodings, {.lambda = lambda}).phi;
    const Vector weights = GmpWeights(encodings, {.lambda = lambda}).weights;
    for (Index k = 0; k < words; ++k) EXPECT_NEAR(phi[k], pi[k] / (pi[k] + lambda), 1e-6 * phi[k]);
    for (Index n = 0; n < count; ++n) {
      const double want = 1 / (pi[blocks[n]] + lambda);
      EXPECT_NEAR(weights[n], want, 1e-6 * want) << "lambda " << lambda;
    }
  });
}

}  // namespace
}  // namespace alcedo::laws
