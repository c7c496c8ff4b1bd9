#include "alcedo/pooling/accumulator.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using Layout = GmpAccumulator::Layout;

struct Sample {
  Rows values;
  std::vector<std::int32_t> blocks;
  // Rows from begin to end as encodings: one entry each, or two entries that share the values.
  Encodings One(Index begin, Index end) const {
    return Encodings::OneBlockPerRow(values.middleRows(begin, end - begin),
                                     {blocks.begin() + begin, blocks.begin() + end}, 4);
  }
  Encodings Two(Index begin, Index end) const {  // begin and end even
    std::vector<Index> offsets;
    for (Index n = 0; n <= (end - begin) / 2; ++n) offsets.push_back(2 * n);
    std::vector<std::int32_t> where;
    for (Index n = begin; n < end; ++n)
      where.push_back(n % 2 == 0 ? blocks[n] % 2 : 2 + blocks[n] % 2);
    return Encodings::SeveralBlocksPerRow(values.middleRows(begin, end - begin), where, offsets, 4);
  }
};

Sample MakeSample(Index n) {
  Rng rng(3);
  Sample sample{Rows(n, 5), std::vector<std::int32_t>(n)};
  for (Index i = 0; i < n; ++i) {
    sample.blocks[i] = static_cast<std::int32_t>(rng.UniformIndex(4));
    for (Index j = 0; j < 5; ++j) sample.values(i, j) = static_cast<float>(rng.Normal() + 0.2);
  }
  return sample;
}

constexpr double kLambdas[] = {0, 0.1, 10, 1000};

TEST(GmpAccumulator, EqualsTheBatchInAnyChunksAndMerges) {
  const Sample sample = MakeSample(60);
  for (Layout layout : {Layout::kOneBlockPerRow, Layout::kSeveralBlocksPerRow}) {
    const auto rows = [&](Index begin, Index end) {
      return layout == Layout::kOneBlockPerRow ? sample.One(begin, end) : sample.Two(begin, end);
    };
    GmpAccumulator here(4, 5, layout), there(4, 5, layout);
    here.Add(rows(0, 2));
    here.Add(rows(2, 2));  // nothing
    here.Add(rows(2, 30));
    there.Add(rows(30, 60));
    here.Merge(there);
    EXPECT_EQ(here.num_rows(), rows(0, 60).num_rows());
    const GmpPath stream = here.Solve(ForLambdas(kLambdas));
    GmpOptions options;
    options.accuracy = 1e-9;
    const GmpPath batch = PoolGmpPath(rows(0, 60), ForLambdas(kLambdas, options));
    for (Index l = 0; l < 4; ++l) {
      EXPECT_LE((stream.phi.row(l) - batch.phi.row(l)).norm(), 1e-7 * batch.phi.row(l).norm());
      EXPECT_TRUE(stream.reports[l].converged);
      EXPECT_NEAR(stream.reports[l].lambda_relative, batch.reports[l].lambda_relative, 1e-9);
    }
    EXPECT_LE((here.sum() - WeightedSum(rows(0, 60), Vector::Ones(rows(0, 60).num_rows()))).norm(),
              1e-9);
  }
}

TEST(GmpAccumulator, MemoryDoesNotGrowWithRows) {
  const Sample sample = MakeSample(60);
  GmpAccumulator accumulator(4, 5);
  accumulator.Add(sample.One(0, 60));
  const std::size_t size = accumulator.ToBytes().size();
  for (int i = 0; i < 100; ++i) accumulator.Add(sample.One(0, 60));
  EXPECT_EQ(accumulator.ToBytes().size(), size);
  EXPECT_EQ(accumulator.num_rows(), 6060);
}

TEST(GmpAccumulator, SaysWhenItCannotBeAccurate) {
  // Copies of few rows, and a lambda below what double can tell from zero beside them.
  const Sample sample = MakeSample(4);
  GmpAccumulator accumulator(4, 5);
  for (int i = 0; i < 50; ++i) accumulator.Add(sample.One(0, 4));
  const double lambda = 1e-13;
  GmpOptions options;
  options.relative = true;
  const GmpPath path = accumulator.Solve(ForLambdas(std::span(&lambda, 1), options));
  EXPECT_EQ(path.reports[0].converged, path.reports[0].error_bound <= options.accuracy);
}

TEST(GmpAccumulator, NothingGivesZeros) {
  const GmpPath path = GmpAccumulator(2, 3).Solve(ForLambdas(kLambdas));
  EXPECT_EQ(path.phi.norm(), 0);
  EXPECT_TRUE(path.reports[0].converged);
}

TEST(GmpAccumulator, RefusesSolversThatNeedTheRows) {
  GmpAccumulator accumulator(4, 5);
  accumulator.Add(MakeSample(10).One(0, 10));
  const auto solve = [&](GmpSolver solver) {
    return accumulator.Solve(ForLambdas(kLambdas, {.solver = solver})).phi;
  };
  const Matrix phi = solve(GmpSolver::kAuto);
  EXPECT_EQ(solve(GmpSolver::kDirect), phi);
  EXPECT_EQ(solve(GmpSolver::kPrimal), phi);
  for (const GmpSolver solver : {GmpSolver::kCg, GmpSolver::kDual}) {
    const test::Refused want{"gmp.solver", "must be auto, direct or primal for accumulated rows",
                             std::string(Name(solver))};
    EXPECT_EQ(test::RefusalOf([&] { solve(solver); }), want);
  }
}

TEST(GmpAccumulator, EveryMemberOfAPathHasItsOwnOptions) {
  GmpAccumulator accumulator(4, 5);
  accumulator.Add(MakeSample(20).One(0, 20));
  const std::vector<GmpOptions> path{{.lambda = 2}, {.lambda = 0.5, .relative = true}};
  const GmpPath both = accumulator.Solve(path);
  for (Index i = 0; i < 2; ++i) {
    const GmpPath one = accumulator.Solve(std::span(path).subspan(static_cast<std::size_t>(i), 1));
    EXPECT_EQ(both.phi.row(i), one.phi.row(0));
    EXPECT_EQ(both.reports[static_cast<std::size_t>(i)].lambda, one.reports[0].lambda);
  }
  EXPECT_EQ(both.reports[0].lambda, 2);
  EXPECT_NEAR(both.reports[1].lambda_relative, 0.5, 1e-12);
}

TEST(GmpAccumulator, RefusesOtherShapes) {
  const Sample sample = MakeSample(10);
  GmpAccumulator accumulator(4, 5);
  EXPECT_THROW(accumulator.Add(Encodings::Dense(sample.values)), InvalidArgument);
  EXPECT_THROW(accumulator.Add(sample.Two(0, 10)), InvalidArgument);
  EXPECT_THROW(accumulator.Merge(GmpAccumulator(5, 4)), InvalidArgument);
  EXPECT_THROW(accumulator.Merge(GmpAccumulator(4, 5, Layout::kSeveralBlocksPerRow)),
               InvalidArgument);
  EXPECT_THROW(GmpAccumulator(0, 5), InvalidArgument);
}

GmpAccumulator MakeAccumulator(GmpAccumulator::Layout layout) {
  GmpAccumulator accumulator(2, 3, layout);
  Rows values(3, 3);
  values << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  accumulator.Add(Encodings::OneBlockPerRow(values, {0, 1, 0}, 2));
  return accumulator;
}

TEST(AccumulatorBytes, ComeBackAsTheyWere) {
  for (auto layout :
       {GmpAccumulator::Layout::kOneBlockPerRow, GmpAccumulator::Layout::kSeveralBlocksPerRow}) {
    const GmpAccumulator accumulator = MakeAccumulator(layout);
    const std::string bytes = accumulator.ToBytes();
    const GmpAccumulator back = GmpAccumulator::FromBytes(bytes);
    EXPECT_EQ(back.ToBytes(), bytes);
    const double lambda = 2;
    EXPECT_EQ(back.Solve(ForLambdas(std::span(&lambda, 1))).phi,
              accumulator.Solve(ForLambdas(std::span(&lambda, 1))).phi);
  }
}

TEST(AccumulatorBytes, EveryDamageIsRefused) {
  const std::string bytes = MakeAccumulator(GmpAccumulator::Layout::kOneBlockPerRow).ToBytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(GmpAccumulator::FromBytes(std::span(bytes.data(), size)), FormatError);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (char flip : {char(1), char(0x80), char(0xff)}) {
      std::string damaged = bytes;
      damaged[at] ^= flip;
      EXPECT_THROW(GmpAccumulator::FromBytes(damaged), FormatError) << at;
    }
  }
  for (std::size_t a = 7; a < bytes.size(); a += 8) {  // the signs of two numbers
    for (std::size_t b = a + 8; b < bytes.size(); b += 8) {
      std::string damaged = bytes;
      damaged[a] ^= char(0x80);
      damaged[b] ^= char(0x80);
      EXPECT_THROW(GmpAccumulator::FromBytes(damaged), FormatError) << a << " " << b;
    }
  }
  EXPECT_THROW(GmpAccumulator::FromBytes(bytes + "12345678"), FormatError);
}

}  // namespace
}  // namespace alcedo
