#include "alcedo/pooling/gmp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/random_rows.h"

namespace alcedo {
namespace {

Rows RandomRows(Index n, Index d, std::uint64_t seed) { return test::RandomRows(n, d, seed, 0.3); }

// Eq. 6 by Gauss-Jordan elimination with pivoting, on matrices filled by loops.
std::vector<double> NaiveGmp(const Rows& rows, double lambda) {
  const Index d = rows.cols();
  std::vector<std::vector<double>> a(d, std::vector<double>(d + 1, 0.0));
  for (Index i = 0; i < d; ++i) {
    a[i][i] = lambda;
    for (Index n = 0; n < rows.rows(); ++n) {
      for (Index j = 0; j < d; ++j) a[i][j] += double(rows(n, i)) * rows(n, j);
      a[i][d] += rows(n, i);
    }
  }
  for (Index k = 0; k < d; ++k) {
    Index pivot = k;
    for (Index i = k; i < d; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    for (Index i = 0; i < d; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (Index j = k; j <= d; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> x(d);
  for (Index i = 0; i < d; ++i) x[i] = a[i][d] / a[i][i];
  return x;
}

void ExpectClose(const Vector& got, const std::vector<double>& want, double relative) {
  ASSERT_EQ(got.size(), static_cast<Index>(want.size()));
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    error += (got[i] - want[i]) * (got[i] - want[i]);
    norm += want[i] * want[i];
  }
  EXPECT_LE(std::sqrt(error), relative * std::sqrt(norm));
}

constexpr GmpSolver kAllSolvers[] = {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect,
                                     GmpSolver::kPrimal, GmpSolver::kDual};

TEST(PoolGmp, EverySolverEqualsTheFormula) {
  for (const auto& [n, d] :
       std::vector<std::pair<Index, Index>>{{30, 8}, {8, 30}, {1, 1}, {1, 6}, {20, 1}}) {
    const Rows rows = RandomRows(n, d, n);
    for (double lambda : {0.01, 1.0, 100.0}) {
      for (GmpSolver solver : kAllSolvers) {
        GmpOptions options;
        options.lambda = lambda;
        options.solver = solver;
        const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
        ExpectClose(result.phi, NaiveGmp(rows, lambda), 1e-6);
        EXPECT_TRUE(result.report.converged) << Name(solver);
        EXPECT_LE(result.report.residual, 1e-6);
        EXPECT_EQ(result.report.lambda, lambda);
      }
    }
  }
}

TEST(PoolGmp, BlocksAreSolvedByThemselvesAndEmptyOnesAreZero) {
  const Index width = 4;
  const Rows values = RandomRows(40, width, 3);
  std::vector<std::int32_t> blocks(40);
  for (int n = 0; n < 40; ++n) blocks[n] = n < 30 ? 4 : n % 2;  // blocks 2 and 3 stay empty
  for (GmpSolver solver : kAllSolvers) {
    GmpOptions options;
    options.lambda = 2;
    options.solver = solver;
    const GmpResult result = PoolGmp(Encodings::OneBlockPerRow(values, blocks, 5), options);
    for (int b = 0; b < 5; ++b) {
      std::vector<Index> mine;
      for (int n = 0; n < 40; ++n) {
        if (blocks[n] == b) mine.push_back(n);
      }
      Rows of_block(mine.size(), width);
      for (std::size_t i = 0; i < mine.size(); ++i) of_block.row(i) = values.row(mine[i]);
      const Vector part = result.phi.segment(b * width, width);
      if (mine.empty()) {
        EXPECT_EQ(part.norm(), 0);
      } else {
        ExpectClose(part, NaiveGmp(of_block, 2), 1e-6);
      }
    }
  }
}

TEST(PoolGmp, RareAndFrequentRowsAreEquallySimilar) {
  // The paper's Figure 1: a thousand of one kind, one of another.
  Rows rows(1001, 2);
  for (Index n = 0; n < 1000; ++n) rows.row(n) << 1, 0.2f;
  rows.row(1000) << 0.1f, 1;
  GmpOptions options;
  options.lambda = 0;
  const Vector phi = PoolGmp(Encodings::Dense(rows), options).phi;
  EXPECT_NEAR(phi[0] + 0.2 * phi[1], 1, 1e-6);
  EXPECT_NEAR(0.1 * phi[0] + phi[1], 1, 1e-6);
}

TEST(PoolGmp, ZeroLambdaIsTheMinimumNormSolution) {
  // Three copies of one row: phi = x / ||x||^2.
  Rows rows(3, 3);
  rows << 1, 2, 2, 1, 2, 2, 1, 2, 2;
  for (GmpSolver solver :
       {GmpSolver::kAuto, GmpSolver::kPrimal, GmpSolver::kDual, GmpSolver::kCg}) {
    GmpOptions options;
    options.lambda = 0;
    options.solver = solver;
    const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
    ExpectClose(result.phi, {1.0 / 9, 2.0 / 9, 2.0 / 9}, 1e-12);
    EXPECT_TRUE(result.report.converged);
  }
}

TEST(PoolGmp, RelativeLambdaIsReportedBothWays) {
  const Rows rows = RandomRows(20, 5, 9);
  double mean = 0;
  for (Index n = 0; n < 20; ++n) mean += rows.row(n).cast<double>().squaredNorm() / 20;
  GmpOptions options;
  options.lambda = 0.5;
  options.relative = true;
  const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
  EXPECT_NEAR(result.report.lambda, 0.5 * mean, 1e-9);
  EXPECT_NEAR(result.report.lambda_relative, 0.5, 1e-12);
  ExpectClose(result.phi, NaiveGmp(rows, 0.5 * mean), 1e-6);
}

TEST(PoolGmpPath, EqualsOneSolvePerLambdaInAnyOrder) {
  const std::vector<double> lambdas = {10, 0.1, 1e4, 0.1, 1};
  const Rows rows = RandomRows(50, 12, 4);
  std::vector<std::int32_t> blocks(50);
  for (int n = 0; n < 50; ++n) blocks[n] = n % 3;
  for (const Encodings& encodings :
       {Encodings::Dense(rows), Encodings::OneBlockPerRow(rows, blocks, 3)}) {
    for (GmpSolver solver : kAllSolvers) {
      GmpOptions options;
      options.solver = solver;
      const GmpPath path = PoolGmpPath(encodings, ForLambdas(lambdas, options));
      ASSERT_EQ(path.phi.rows(), 5);
      for (int l = 0; l < 5; ++l) {
        options.lambda = lambdas[l];
        const GmpResult one = PoolGmp(encodings, options);
        EXPECT_LE((path.phi.row(l).transpose() - one.phi).norm(), 3e-6 * one.phi.norm());
        EXPECT_EQ(path.reports[l].lambda, lambdas[l]);
      }
    }
  }
  EXPECT_EQ(PoolGmpPath(Encodings::Dense(rows), {}).phi.rows(), 0);
}

TEST(PoolGmpPath, ManyLambdasShareOneFactorisation) {
  const Rows rows = RandomRows(40, 6, 5);
  std::vector<double> lambdas;
  for (int l = 0; l < 40; ++l) lambdas.push_back(std::pow(10.0, -2 + 0.1 * l));
  lambdas.push_back(0);
  GmpOptions options;
  options.solver = GmpSolver::kDirect;
  const GmpPath path = PoolGmpPath(Encodings::Dense(rows), ForLambdas(lambdas, options));
  for (int l = 0; l < 41; ++l)
    ExpectClose(path.phi.row(l).transpose(), NaiveGmp(rows, lambdas[l]), 1e-9);
}

TEST(PoolGmp, RowsThatNearlyCancelConvergeByEverySolver) {
  // Pairs of nearly opposed rows: phi is a small difference of large weights.
  Rng rng(11);
  Rows rows(12, 30);
  for (Index n = 0; n < 12; n += 2) {
    for (Index d = 0; d < 30; ++d) {
      const double x = rng.Normal();
      rows(n, d) = static_cast<float>(x);
      rows(n + 1, d) = static_cast<float>(-x + 1e-4 * rng.Normal());
    }
  }
  for (double lambda : {1e-3, 1e-2, 0.1}) {
    for (GmpSolver solver : kAllSolvers) {
      GmpOptions options;
      options.lambda = lambda;
      options.relative = true;
      options.solver = solver;
      const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
      EXPECT_TRUE(result.report.converged) << Name(solver) << " " << result.report.reason;
      ExpectClose(result.phi, NaiveGmp(rows, result.report.lambda), 1e-5);
    }
  }
}

TEST(PoolGmp, AutoFallsBackToTheDirectSolverWhateverTheLimitOfIterations) {
  const Rows rows = RandomRows(60, 40, 12);
  GmpOptions options;
  options.lambda = 0.01;
  options.max_iterations = 3;
  const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
  EXPECT_TRUE(result.report.converged);
  ExpectClose(result.phi, NaiveGmp(rows, 0.01), 1e-6);
}

TEST(PoolGmp, HugeLambdasAreSumPoolingOrRefused) {
  const Encodings encodings = Encodings::Dense(RandomRows(6, 3, 13));
  GmpOptions options;
  options.lambda = 1e200;
  const GmpResult result = PoolGmp(encodings, options);
  EXPECT_TRUE(result.report.converged);
  EXPECT_LE((1e200 * result.phi - WeightedSum(encodings, Vector::Ones(6))).norm(), 1e-5);
  options.lambda = 1e308;
  options.relative = true;
  EXPECT_THROW(PoolGmp(encodings, options), InvalidArgument);
}

TEST(PoolGmpPath, ZeroDoesNotDragTheOthersAlong) {
  const Rows rows = RandomRows(300, 100, 14);
  const std::vector<double> lambdas = {0, 1e4};
  const GmpPath path = PoolGmpPath(Encodings::Dense(rows), ForLambdas(lambdas));
  EXPECT_EQ(path.reports[0].solver, "direct");
  EXPECT_EQ(path.reports[1].solver, "cg");
  ExpectClose(path.phi.row(0).transpose(), NaiveGmp(rows, 0), 1e-6);
  ExpectClose(path.phi.row(1).transpose(), NaiveGmp(rows, 1e4), 1e-6);
}

TEST(PoolGmpPath, MembersMayDifferInEverything) {
  const Rows rows = RandomRows(30, 10, 15);
  const Encodings encodings = Encodings::Dense(rows);
  const double mean = encodings.mean_squared_norm();
  const std::vector<GmpOptions> path{{.lambda = 2},
                                     {.lambda = 0.1, .relative = true},
                                     {.lambda = 2, .solver = GmpSolver::kDual},
                                     {.lambda = 0, .solver = GmpSolver::kPrimal},
                                     {.lambda = 7, .accuracy = 1e-10}};
  const GmpPath all = PoolGmpPath(encodings, path);
  const double lambdas[] = {2, 0.1 * mean, 2, 0, 7};
  for (Index i = 0; i < 5; ++i) {
    ExpectClose(all.phi.row(i).transpose(), NaiveGmp(rows, lambdas[i]), 1e-6);
    EXPECT_DOUBLE_EQ(all.reports[i].lambda, lambdas[i]);
  }
  EXPECT_LE(all.reports[4].error_bound, 1e-10);
}

TEST(PoolGmp, SaysWhyItDidNotConverge) {
  Rows rows = RandomRows(60, 40, 6);
  for (Index j = 0; j < 40; ++j) rows.col(j) *= std::pow(10.0f, -0.1f * j);
  GmpOptions options;
  options.lambda = 1e-4;
  options.solver = GmpSolver::kCg;
  options.max_iterations = 2;
  const GmpResult result = PoolGmp(Encodings::Dense(rows), options);
  EXPECT_FALSE(result.report.converged);
  EXPECT_EQ(result.report.iterations, 2);
  EXPECT_EQ(result.report.reason, "1 of 1 blocks reached the limit of 2 iterations");
  EXPECT_EQ(result.report.hint.option, "gmp.max_iterations");
  EXPECT_TRUE(result.phi.allFinite());
}

TEST(PoolGmp, SameBytesForAnyNumberOfThreads) {
  const Rows rows = RandomRows(1500, 20, 7);
  std::vector<std::int32_t> blocks(1500);
  for (int n = 0; n < 1500; ++n) blocks[n] = (n * n) % 7;
  for (const Encodings& encodings :
       {Encodings::Dense(rows), Encodings::OneBlockPerRow(rows, blocks, 7)}) {
    GmpOptions options;
    const Vector one = PoolGmp(encodings, options).phi;
    for (int threads : {2, 3, 8}) {
      options.threads = threads;
      const Vector many = PoolGmp(encodings, options).phi;
      EXPECT_EQ(std::memcmp(one.data(), many.data(), sizeof(double) * one.size()), 0);
    }
  }
}

TEST(PoolGmp, NothingAndZerosGiveZeros) {
  for (double lambda : {0.0, 1.0}) {
    for (bool relative : {false, true}) {
      GmpOptions options;
      options.lambda = lambda;
      options.relative = relative;
      EXPECT_EQ(PoolGmp(Encodings::Dense(Rows(0, 3)), options).phi, Vector::Zero(3));
      EXPECT_EQ(PoolGmp(Encodings::Dense(Rows::Zero(4, 3)), options).phi, Vector::Zero(3));
      EXPECT_EQ(PoolGmp(Encodings::OneBlockPerRow(Rows(0, 3), {}, 2), options).phi,
                Vector::Zero(6));
    }
  }
}

TEST(PoolGmp, RefusesOptionsOutsideTheirRange) {
  const Encodings encodings = Encodings::Dense(RandomRows(3, 2, 8));
  const auto refused = [&](auto change) {
    GmpOptions options;
    change(options);
    EXPECT_THROW(PoolGmp(encodings, options), InvalidArgument);
  };
  refused([](GmpOptions& o) { o.lambda = -1; });
  refused([](GmpOptions& o) { o.lambda = std::nan(""); });
  refused([](GmpOptions& o) { o.lambda = INFINITY; });
  refused([](GmpOptions& o) { o.tolerance = 0; });
  refused([](GmpOptions& o) { o.accuracy = -1; });
  refused([](GmpOptions& o) { o.max_iterations = 0; });
  refused([](GmpOptions& o) { o.rank_tolerance = 2; });
  refused([](GmpOptions& o) { o.threads = 0; });
}

}  // namespace
}  // namespace alcedo
