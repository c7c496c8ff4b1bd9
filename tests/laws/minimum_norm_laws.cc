// lambda = 0: Eq. 1 to 4. The data have a clear gap between zero and other singular values.
#include <array>
#include <vector>

#include "alcedo/pooling/accumulator.h"
#include "alcedo/pooling/gmp.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

constexpr std::array kSolvers = {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect,
                                 GmpSolver::kPrimal, GmpSolver::kDual};

// What rounding leaves of a phi that is zero because rows cancel.
Real Floor(const GapProblem& gap) {
  const Real largest = gap.svd.largest();
  if (largest == 0) return 0;
  return 1e-12L * gap.amplification * std::sqrt(Real(gap.problem.num_rows())) / largest;
}

// Conjugate gradients know their residual, not their error: that may be larger by the
// amplification.
GmpOptions ExactOptions(GmpSolver solver) {
  return {.lambda = 0, .solver = solver, .tolerance = 1e-12};
}

TEST(MinimumNormLaws, LambdaZeroIsThePseudoInverse) {
  int cases = 0, cg_converged = 0;
  ForEachCase(9000, [&](Random& random) {
    const GapProblem gap = AnyGapProblem(random, 40);
    const Encodings encodings = gap.problem.Build();
    const Reals want = PseudoInverseOnes(gap.svd, 1);
    ++cases;
    for (const GmpSolver solver : kSolvers) {
      const GmpResult result = PoolGmp(encodings, ExactOptions(solver));
      const double error = RelativeError(result.phi, want, Floor(gap));
      if (solver == GmpSolver::kCg) {
        cg_converged += result.report.converged;
        if (result.report.converged) {
          EXPECT_LE(error, 1e-8 + 4e-12 * gap.amplification) << "cg" << gap.problem;
        }
      } else {
        EXPECT_TRUE(result.report.converged) << result.report.reason << gap.problem;
        EXPECT_LE(error, 1e-7) << "solver " << static_cast<int>(solver) << gap.problem;
      }
    }
    // With the options as they come, auto still has to be right.
    const GmpResult plain = PoolGmp(encodings, {.lambda = 0});
    EXPECT_LE(RelativeError(plain.phi, want, Floor(gap)), 1e-5) << "auto" << gap.problem;
  });
  if (AllCasesRun()) {
    EXPECT_GE(cg_converged, cases / 2);
  }
}

TEST(MinimumNormLaws, EverySimilarityIsOneWhenRowsAreIndependent) {
  ForEachCase(4000, [&](Random& random) {
    GapProblem gap;
    const auto independent = [&] {
      for (const Real s : gap.svd.sigma)
        if (s <= 1e-12L * gap.svd.largest()) return false;
      return gap.problem.num_rows() <= gap.problem.dimension() && gap.problem.num_rows() > 0;
    };
    do gap = AnyGapProblem(random, 16);
    while (!independent());
    const Encodings encodings = gap.problem.Build();
    for (const GmpSolver solver : kSolvers) {
      const GmpResult result = PoolGmp(encodings, ExactOptions(solver));
      if (solver == GmpSolver::kCg && !result.report.converged) continue;
      const Reals phi(result.phi.begin(), result.phi.end());
      for (const Real similarity : Times(gap.problem.Dense(), phi))
        EXPECT_NEAR(static_cast<double>(similarity), 1, 1e-8 + 1e-11 * gap.amplification)
            << "solver " << static_cast<int>(solver) << gap.problem;
    }
  });
}

TEST(MinimumNormLaws, RepeatingRowsOfASolvableSystemChangesNothing) {
  ForEachCase(3000, [&](Random& random) {
    GapProblem gap;
    const auto solvable = [&] {
      const Reals phi = PseudoInverseOnes(gap.svd, 1);
      for (const Real similarity : Times(gap.problem.Dense(), phi))
        if (std::abs(similarity - 1) > 1e-9L) return false;
      return gap.problem.num_rows() > 0;
    };
    do gap = AnyGapProblem(random, 12);
    while (!solvable());
    std::vector<Index> rows = random.Permutation(gap.problem.num_rows());
    for (Index repeats = random.Integer(0, 20); repeats > 0; --repeats)
      rows.push_back(random.Integer(0, gap.problem.num_rows() - 1));
    const GmpResult result = PoolGmp(gap.problem.Select(rows).Build(), {.lambda = 0});
    EXPECT_LE(RelativeError(result.phi, PseudoInverseOnes(gap.svd, 1), Floor(gap)), 1e-5)
        << gap.problem;
  });
}

TEST(MinimumNormLaws, APathMayContainZero) {
  ForEachCase(3000, [&](Random& random) {
    const GapProblem gap = AnyGapProblem(random, 16);
    const Encodings encodings = gap.problem.Build();
    const Table rows = gap.problem.Dense();
    std::vector<double> lambdas = {0, AnyLambda(random, rows), AnyLambda(random, rows), 0};
    if (random.Chance(0.5)) std::swap(lambdas[0], lambdas[1]);
    const GmpPath path = PoolGmpPath(encodings, ForLambdas(lambdas));
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
      const bool zero = lambdas[i] == 0;
      const Reals want = zero ? PseudoInverseOnes(gap.svd, 1) : RidgePhi(rows, lambdas[i]);
      const Real floor = zero ? Floor(gap) : RidgeFloor(rows, lambdas[i]);
      EXPECT_LE(RelativeError(path.phi.row(i), want, floor), 1e-5)
          << "lambda " << lambdas[i] << gap.problem;
    }
  });
}

}  // namespace
}  // namespace alcedo::laws
