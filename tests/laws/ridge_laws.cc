// lambda > 0: Eq. 5 and 6 and section 3.2, for every solver.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

constexpr std::array kSolvers = {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect,
                                 GmpSolver::kPrimal, GmpSolver::kDual};

std::string_view Name(GmpSolver solver) {
  return EnumNames<GmpSolver>::values[static_cast<int>(solver)].second;
}

// The promise of the library: 1e-5 from lambda = 1e-3 mean squared norms on, whatever the spectrum.
constexpr double kAccuracy = 1e-5;

TEST(RidgeLaws, EverySolverIsAccurate) {
  std::array<int, kSolvers.size()> converged{};
  int cases = 0;
  ForEachCase(20000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.large = true});
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    const double lambda = AnyLambda(random, rows);
    const Reals want = RidgePhi(rows, lambda);
    ++cases;
    for (std::size_t s = 0; s < kSolvers.size(); ++s) {
      const GmpResult result = PoolGmp(encodings, {.lambda = lambda, .solver = kSolvers[s]});
      const double error = RelativeError(result.phi, want, RidgeFloor(rows, lambda));
      const SolveReport& report = result.report;
      if (kSolvers[s] == GmpSolver::kAuto) {
        EXPECT_TRUE(report.converged) << report.reason << problem;
      }
      if (report.converged) {
        ++converged[s];
        EXPECT_LE(error, kAccuracy) << Name(kSolvers[s]) << ", lambda " << lambda << problem;
      } else {
        EXPECT_FALSE(report.reason.empty()) << Name(kSolvers[s]) << problem;
      }
      EXPECT_LE(error, report.error_bound + 1e-9) << Name(kSolvers[s]) << problem;
    }
  });
  // A solver that never converges would meet the promise without keeping it.
  for (std::size_t s = 0; s < kSolvers.size() && AllCasesRun(); ++s)
    EXPECT_GE(converged[s], 0.95 * cases) << Name(kSolvers[s]);
}

// Eq. 3 (lambda = 0) and Eq. 5 as they stand, without their closed form.
Real Objective(const Table& rows, const Reals& phi, Real lambda) {
  Real sum = lambda * Dot(phi.data(), phi.data(), static_cast<Index>(phi.size()));
  for (const Real similarity : Times(rows, phi)) sum += (similarity - 1) * (similarity - 1);
  return sum;
}

TEST(RidgeLaws, NoOtherVectorHasASmallerObjective) {
  ForEachCase(5000, [&](Random& random) {
    const GapProblem gap = AnyGapProblem(random, 30);
    const Table rows = gap.problem.Dense();
    const double lambda = random.Chance(0.3) ? 0 : AnyLambda(random, rows);
    const GmpResult result = PoolGmp(gap.problem.Build(), {.lambda = lambda});
    const Reals phi(result.phi.begin(), result.phi.end());
    const Real objective = Objective(rows, phi, lambda);
    // A relative error of 1e-5 in phi costs 1e-10 of what phi gains over the zero vector.
    const Real gain = std::max<Real>(0, rows.rows - objective);
    for (int trial = 0; trial < 5; ++trial) {
      Reals other = phi;
      const Real step = Norm(phi) * random.LogUniform(1e-4, 1) + (Norm(phi) == 0 ? 1e-3L : 0);
      for (Real& x : other) x += step * random.Normal();
      EXPECT_LE(objective, Objective(rows, other, lambda) + 1e-10L * gain + 1e-16L * rows.rows)
          << "lambda " << lambda << gap.problem;
    }
  });
}

TEST(RidgeLaws, TheReportTellsTheTrueResidual) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense(), columns = Transposed(rows);
    const double lambda = AnyLambda(random, rows);
    GmpOptions options{.lambda = lambda,
                       .solver = random.Pick({GmpSolver::kCg, GmpSolver::kDirect})};
    options.max_iterations = random.Pick({1, 3, 10000});  // stopped early, it must say so
    const GmpResult result = PoolGmp(problem.Build(), options);
    const Reals b = Times(columns, Reals(rows.rows, 1));
    const Reals phi(result.phi.begin(), result.phi.end());
    const Reals a_phi = Times(columns, Times(rows, phi));
    Reals r = b;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= a_phi[i] + lambda * phi[i];
    const double residual = Norm(b) > 0 ? static_cast<double>(Norm(r) / Norm(b)) : 0;
    // Rows that cancel leave a small b, whose rounding counts as residual on one side only.
    const double slack =
        Norm(b) > 0
            ? static_cast<double>(RidgeFloor(rows, lambda) * (lambda + Trace(rows)) / Norm(b))
            : 1;
    EXPECT_NEAR(result.report.residual, residual, 1e-3 * residual + 1e-8 + slack)
        << result.report.solver << ", lambda " << lambda << problem;
    if (residual > 2 * options.tolerance + slack) {
      EXPECT_FALSE(result.report.converged) << problem;
    }
  });
}

TEST(RidgeLaws, APathIsItsSingleSolves) {
  ForEachCase(5000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.large = true});
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    std::vector<double> lambdas(random.Integer(0, 6));
    for (double& lambda : lambdas) lambda = AnyLambda(random, rows);
    if (lambdas.size() > 2) lambdas[2] = lambdas[0];
    const GmpOptions options{
        .solver = random.Pick({GmpSolver::kAuto, GmpSolver::kAuto, GmpSolver::kCg,
                               GmpSolver::kDirect, GmpSolver::kPrimal, GmpSolver::kDual})};
    const GmpPath path = PoolGmpPath(encodings, ForLambdas(lambdas, options));
    ASSERT_EQ(path.phi.rows(), static_cast<Index>(lambdas.size()));
    ASSERT_EQ(path.phi.cols(), problem.dimension());
    ASSERT_EQ(path.reports.size(), lambdas.size());
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
      if (options.solver == GmpSolver::kAuto) {
        EXPECT_TRUE(path.reports[i].converged) << problem;
      }
      if (!path.reports[i].converged) continue;
      EXPECT_LE(
          RelativeError(path.phi.row(i), RidgePhi(rows, lambdas[i]), RidgeFloor(rows, lambdas[i])),
          kAccuracy)
          << Name(options.solver) << ", lambda " << lambdas[i] << " of " << lambdas.size()
          << problem;
      EXPECT_EQ(path.reports[i].lambda, lambdas[i]);
    }
  });
}

TEST(RidgeLaws, RelativeLambdaIsTimesTheMeanSquaredNorm) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense();
    const double relative = random.LogUniform(1e-3, 1e6);
    const double mean = MeanSquaredNorm(rows);
    const GmpResult result = PoolGmp(problem.Build(), {.lambda = relative, .relative = true});
    EXPECT_NEAR(result.report.lambda, relative * mean, 1e-9 * relative * mean) << problem;
    if (mean == 0) {
      EXPECT_EQ(result.phi.norm(), 0) << problem;
      return;
    }
    EXPECT_NEAR(result.report.lambda_relative, relative, 1e-9 * relative) << problem;
    EXPECT_LE(RelativeError(result.phi, RidgePhi(rows, relative * mean),
                            RidgeFloor(rows, relative * mean)),
              kAccuracy)
        << problem;
  });
}

TEST(RidgeLaws, BlockByBlockIsTheFullProblem) {
  ForEachCase(4000, [&](Random& random) {
    Problem problem;
    do problem = AnyProblem(random);
    while (problem.layout != Layout::kOneBlockPerRow);
    const double lambda = AnyLambda(random, problem.Dense());
    const GmpOptions options{.lambda = lambda};
    const Vector blocks = PoolGmp(problem.Build(), options).phi;
    const Reals want(blocks.begin(), blocks.end());
    const Real floor = 2 * RidgeFloor(problem.Dense(), lambda);
    for (const Layout layout : {Layout::kDense, Layout::kSeveralBlocksPerRow}) {
      const GmpResult full = PoolGmp(problem.As(layout).Build(), options);
      EXPECT_LE(RelativeError(full.phi, want, floor), 2 * kAccuracy) << problem;
    }
  });
}

TEST(RidgeLaws, LargeLambdaIsSumPooling) {
  ForEachCase(5000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    const double lambda = AnyLambda(random, rows, 1e3, 1e15);
    const Reals sum = Times(Transposed(rows), Reals(rows.rows, 1));
    // lambda phi = sum - A phi, and A is at most its trace.
    const double distance = static_cast<double>(Trace(rows)) / lambda;
    for (const GmpSolver solver : kSolvers) {
      const GmpResult result = PoolGmp(encodings, {.lambda = lambda, .solver = solver});
      EXPECT_LE(RelativeError(lambda * result.phi, sum, lambda * RidgeFloor(rows, lambda)),
                distance + kAccuracy)
          << Name(solver) << ", lambda " << lambda << problem;
    }
    const double far = 1e9 * (static_cast<double>(Trace(rows)) + 1e-200);
    const Vector phi = PoolGmp(encodings, {.lambda = far}).phi;
    const Vector pooled = PoolSum(encodings);
    EXPECT_LE(
        RelativeError(far * phi, Reals(pooled.begin(), pooled.end()), far * RidgeFloor(rows, far)),
        kAccuracy)
        << problem;
  });
}

}  // namespace
}  // namespace alcedo::laws
