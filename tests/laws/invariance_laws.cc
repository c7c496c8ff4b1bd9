// What may be done to the rows without harm: scale, rotate, reorder, mirror.
#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

// Rows turned by an orthogonal matrix that float represents exactly: the Hadamard matrix of order
// 4^k over 2^k. Integers stay exact, so that a law about rotation is not one about rounding.
Reals HadamardTurn(const Reals& x) {
  Reals y(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      y[i] += __builtin_parityll(i & j) != 0 ? -x[j] : x[j];
  const Real root = std::sqrt(Real(x.size()));
  for (Real& v : y) v /= root;
  return y;
}

Problem IntegerRows(Random& random, Index rows, Index dimension) {
  Problem p;
  p.kind = "integers to be turned";
  p.block_size = dimension;
  p.values.resize(rows, dimension);
  for (Index n = 0; n < rows; ++n) {
    p.blocks.push_back(0);
    p.offsets.push_back(n + 1);
    for (Index j = 0; j < dimension; ++j) p.values(n, j) = static_cast<float>(random.Integer(0, 5));
  }
  return p;
}

Problem Turned(const Problem& problem) {
  Problem p = problem;
  for (Index n = 0; n < p.values.rows(); ++n) {
    Reals row(p.block_size);
    for (Index j = 0; j < p.block_size; ++j) row[j] = p.values(n, j);
    row = HadamardTurn(row);
    for (Index j = 0; j < p.block_size; ++j) p.values(n, j) = static_cast<float>(row[j]);
  }
  return p;
}

Reals ToReals(const Vector& v) { return Reals(v.begin(), v.end()); }

TEST(InvarianceLaws, RotationCommutesWithGmpAndNotWithMax) {
  int cases = 0, max_differs = 0;
  ForEachCase(4000, [&](Random& random) {
    const Problem problem =
        IntegerRows(random, random.Integer(1, 30), random.Pick<Index>({4, 4, 16}));
    const Encodings plain = problem.Build(), turned = Turned(problem).Build();
    const double lambda = AnyLambda(random, problem.Dense());
    const GmpOptions options{.lambda = lambda};
    const Reals want = HadamardTurn(ToReals(PoolGmp(plain, options).phi));
    EXPECT_LE(
        RelativeError(PoolGmp(turned, options).phi, want, RidgeFloor(problem.Dense(), lambda)),
        2e-5)
        << "lambda " << lambda << problem;
    ++cases;
    const Reals turned_max = HadamardTurn(ToReals(PoolMax(plain)));
    max_differs += RelativeError(PoolMax(turned), turned_max) > 1e-3;
  });
  if (AllCasesRun()) {
    EXPECT_GE(max_differs, 0.8 * cases);
  }
}

TEST(InvarianceLaws, RotationLeavesTheWeightsAlone) {
  ForEachCase(3000, [&](Random& random) {
    const Problem problem =
        IntegerRows(random, random.Integer(1, 20), random.Pick<Index>({4, 4, 16}));
    const GmpOptions options{.lambda = AnyLambda(random, problem.Dense(), 1e-2)};
    const Vector plain = GmpWeights(problem.Build(), options).weights;
    const Vector turned = GmpWeights(Turned(problem).Build(), options).weights;
    EXPECT_LE(RelativeError(turned, ToReals(plain)), 2e-5) << problem;
  });
}

TEST(InvarianceLaws, ScalingRowsAndLambdaKeepsTheDirection) {
  ForEachCase(5000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.scales = false});
    // A power of two scales floats exactly; values stay normal numbers.
    const float factor = std::ldexp(1.0f, static_cast<int>(random.Integer(-60, 60)));
    const Table rows = problem.Dense();
    const double lambda = AnyLambda(random, rows);
    const double scaled_lambda = lambda * factor * factor;
    GmpOptions options{.lambda = lambda};
    options.solver = random.Pick({GmpSolver::kAuto, GmpSolver::kAuto, GmpSolver::kCg,
                                  GmpSolver::kDirect, GmpSolver::kPrimal, GmpSolver::kDual});
    const Vector plain = PoolGmp(problem.Build(), options).phi;
    options.lambda = scaled_lambda;
    const Vector scaled = PoolGmp(problem.Scaled(factor).Build(), options).phi;
    EXPECT_LE(RelativeError(scaled * factor, ToReals(plain), RidgeFloor(rows, lambda)), 2e-5)
        << "factor " << factor << ", lambda " << lambda << problem;
  });
}

TEST(InvarianceLaws, TheOrderOfRowsDoesNotMatter) {
  ForEachCase(4000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const std::vector<Index> order = random.Permutation(problem.num_rows());
    const Encodings plain = problem.Build(), shuffled = problem.Select(order).Build();
    const Table rows = problem.Dense();
    const GmpOptions options{.lambda = AnyLambda(random, rows)};
    EXPECT_LE(RelativeError(PoolGmp(shuffled, options).phi, ToReals(PoolGmp(plain, options).phi),
                            RidgeFloor(rows, options.lambda)),
              2e-5)
        << problem;
    const Vector weights = GmpWeights(plain, options).weights;
    Reals want;
    for (const Index n : order) want.push_back(weights[n]);
    EXPECT_LE(RelativeError(GmpWeights(shuffled, options).weights, want), 2e-5) << problem;
  });
}

TEST(InvarianceLaws, OppositeRowsCancel) {
  ForEachCase(2000, [&](Random& random) {
    Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    if (problem.num_rows() == 0) return;
    const Table rows = problem.Dense();
    std::vector<Index> twice;
    for (Index n = 0; n < problem.num_rows(); ++n) twice.insert(twice.end(), {n, n});
    Problem both = problem.Select(twice);
    for (Index n = 1; n < both.num_rows(); n += 2)
      for (Index e = both.offsets[n]; e < both.offsets[n + 1]; ++e) both.values.row(e) *= -1;
    const double lambda = AnyLambda(random, rows);
    for (const GmpSolver solver : {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect,
                                   GmpSolver::kPrimal, GmpSolver::kDual}) {
      const GmpResult result = PoolGmp(both.Build(), {.lambda = lambda, .solver = solver});
      EXPECT_LE(result.phi.norm(), static_cast<double>(2 * RidgeFloor(rows, lambda)))
          << "solver " << static_cast<int>(solver) << ", lambda " << lambda << both;
      EXPECT_TRUE(std::isfinite(result.report.residual)) << both;
      if (solver == GmpSolver::kAuto) {
        EXPECT_TRUE(result.report.converged) << both;
      }
    }
  });
}

}  // namespace
}  // namespace alcedo::laws
