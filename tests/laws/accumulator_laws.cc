// The streaming accumulator: any chunks, any merges, the same answer as all rows at once.
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/pooling/accumulator.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

GmpAccumulator::Layout AccumulatorLayout(Random& random, const Problem& problem) {
  using enum GmpAccumulator::Layout;
  // One Gram matrix holds any rows; one per block only those with one entry.
  if (problem.layout == Layout::kSeveralBlocksPerRow) return kSeveralBlocksPerRow;
  return random.Chance(0.7) ? kOneBlockPerRow : kSeveralBlocksPerRow;
}

GmpAccumulator Travelled(const GmpAccumulator& accumulator) {
  const std::string bytes = accumulator.ToBytes();
  return GmpAccumulator::FromBytes(std::span<const char>(bytes.data(), bytes.size()));
}

// Cuts the rows into chunks, gives each to one of several accumulators, and merges those pairwise
// in random order, some of them after a journey as bytes.
GmpAccumulator Accumulate(Random& random, const Problem& problem) {
  const auto layout = AccumulatorLayout(random, problem);
  const GmpAccumulator empty(problem.num_blocks, problem.block_size, layout);
  std::vector<GmpAccumulator> parts(random.Integer(1, 5), empty);
  const std::vector<Index> order = random.Permutation(problem.num_rows());
  for (Index begin = 0; begin < problem.num_rows();) {
    const Index size = random.Integer(0, std::min<Index>(7, problem.num_rows() - begin));
    const std::vector<Index> chunk(order.begin() + begin, order.begin() + begin + size);
    parts[random.Integer(0, std::ssize(parts) - 1)].Add(problem.Select(chunk).Build());
    begin += size;
  }
  while (parts.size() > 1) {
    std::swap(parts[random.Integer(0, std::ssize(parts) - 1)], parts.back());
    const GmpAccumulator last = random.Chance(0.3) ? Travelled(parts.back()) : parts.back();
    parts.pop_back();
    parts[random.Integer(0, std::ssize(parts) - 1)].Merge(last);
  }
  return parts[0];
}

TEST(AccumulatorLaws, AnyChunksGiveTheBatchAnswer) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense();
    const GmpAccumulator accumulator = Accumulate(random, problem);
    ASSERT_EQ(accumulator.num_rows(), problem.num_rows());
    const Reals sum = Times(Transposed(rows), Reals(rows.rows, 1));
    const double trace = static_cast<double>(Trace(rows));
    EXPECT_LE(RelativeError(accumulator.sum(), sum, RidgeFloor(rows, 1)), 1e-9) << problem;
    EXPECT_NEAR(accumulator.squared_norm(), trace, 1e-9 * trace) << problem;

    std::vector<double> lambdas(random.Integer(1, 3));
    for (double& lambda : lambdas) lambda = AnyLambda(random, rows);
    const GmpPath path = accumulator.Solve(ForLambdas(lambdas));
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
      EXPECT_TRUE(path.reports[i].converged) << path.reports[i].reason << problem;
      EXPECT_LE(
          RelativeError(path.phi.row(i), RidgePhi(rows, lambdas[i]), RidgeFloor(rows, lambdas[i])),
          1e-5)
          << "lambda " << lambdas[i] << problem;
    }
  });
}

TEST(AccumulatorLaws, LambdaZeroIsThePseudoInverse) {
  ForEachCase(4000, [&](Random& random) {
    const GapProblem gap = AnyGapProblem(random, 16);
    const GmpAccumulator accumulator = Accumulate(random, gap.problem);
    const Real largest = gap.svd.largest();
    const Real floor = largest > 0 ? 1e-12L * gap.amplification / largest : 0;
    const double zero[] = {0.0};
    const GmpPath path = accumulator.Solve(ForLambdas(zero));
    EXPECT_LE(RelativeError(path.phi.row(0), PseudoInverseOnes(gap.svd, 1), floor), 1e-5)
        << gap.problem;
  });
}

TEST(AccumulatorLaws, RelativeLambdaRefersToAllRows) {
  ForEachCase(2000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const Table rows = problem.Dense();
    const double mean = MeanSquaredNorm(rows);
    const double relative[] = {random.LogUniform(1e-3, 1e6)};
    const GmpPath path =
        Accumulate(random, problem).Solve(ForLambdas(relative, {.relative = true}));
    const double lambda = relative[0] * mean;
    EXPECT_NEAR(path.reports[0].lambda, lambda, 1e-9 * lambda) << problem;
    if (mean == 0) {
      EXPECT_EQ(path.phi.norm(), 0) << problem;
      return;
    }
    EXPECT_LE(RelativeError(path.phi.row(0), RidgePhi(rows, lambda), RidgeFloor(rows, lambda)),
              1e-5)
        << problem;
  });
}

TEST(AccumulatorLaws, BytesCarryTheWholeState) {
  ForEachCase(2000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const GmpAccumulator accumulator = Accumulate(random, problem);
    const GmpAccumulator copy = Travelled(accumulator);
    EXPECT_EQ(copy.ToBytes(), accumulator.ToBytes()) << problem;
    const double lambdas[] = {0.0, 1.0};
    EXPECT_EQ(copy.Solve(ForLambdas(lambdas)).phi, accumulator.Solve(ForLambdas(lambdas)).phi)
        << problem;
    EXPECT_EQ(copy.num_rows(), accumulator.num_rows());
    EXPECT_EQ(copy.sum(), accumulator.sum());
    EXPECT_EQ(copy.squared_norm(), accumulator.squared_norm());
  });
}

}  // namespace
}  // namespace alcedo::laws
