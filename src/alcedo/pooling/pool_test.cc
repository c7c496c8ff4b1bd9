#include "alcedo/pooling/pool.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"
#include "alcedo/testing/random_rows.h"

namespace alcedo {
namespace {

std::vector<Encodings> AllLayouts() {
  Rng rng(31);
  return {Encodings::Dense(test::RandomRows(rng, 9, 4, 0.5)),
          Encodings::OneBlockPerRow(test::RandomRows(rng, 5, 2, 0.5), {0, 2, 2, 0, 2}, 3),
          Encodings::SeveralBlocksPerRow(test::RandomRows(rng, 5, 2, 0.5), {0, 2, 1, 2, 0},
                                         {0, 2, 2, 4, 5}, 3)};
}

std::string Refusal(const Encodings& encodings, const PoolingOptions& options) {
  return test::MessageOf([&] { Pool(encodings, options); });
}

TEST(Pool, ElementaryPoolings) {
  for (const Encodings& e : AllLayouts()) {
    EXPECT_EQ(Pool(e, SumOptions{}).phi, PoolSum(e));
    EXPECT_EQ(Pool(e, MeanOptions{}).phi, PoolMean(e));
    EXPECT_EQ(Pool(e, MaxOptions{}).phi, PoolMax(e));
    const LpOptions lp{3, true};
    EXPECT_EQ(Pool(e, lp).phi, PoolLp(e, lp));
    const SoftmaxOptions softmax{5, true};
    EXPECT_EQ(Pool(e, softmax).phi, PoolSoftmax(e, softmax));
    EXPECT_EQ(Pool(e, SumOptions{}).report.solver, "");
  }
}

TEST(Pool, Gmp) {
  for (const Encodings& e : AllLayouts()) {
    const GmpOptions options{.lambda = 0.5, .relative = true};
    const GmpResult direct = PoolGmp(e, options);
    const PoolResult result = Pool(e, options);
    EXPECT_EQ(result.phi, direct.phi);
    EXPECT_EQ(result.report.solver, direct.report.solver);
    EXPECT_EQ(result.report.lambda, direct.report.lambda);
  }
}

TEST(Pool, DemocraticIsTheWeightedSumOfItsWeights) {
  for (const Encodings& e : AllLayouts()) {
    const DemocraticOptions options{.gamma = 0.25};
    const WeightsResult direct = DemocraticWeights(e, options);
    const PoolResult result = Pool(e, options);
    EXPECT_EQ(result.phi, WeightedSum(e, direct.weights));
    EXPECT_EQ(result.report.solver, "sinkhorn");
    EXPECT_EQ(result.report.iterations, direct.report.iterations);
  }
}

TEST(Pool, Weighted) {
  Rows rows(2, 3);
  rows << 1, 2, 3, 10, 20, 30;
  const Encodings e = Encodings::Dense(rows);
  EXPECT_EQ(Pool(e, WeightedOptions{Vector{{2, -1}}}).phi, (Vector{{-8, -16, -24}}));
  EXPECT_EQ(Refusal(e, WeightedOptions{Vector::Ones(3)}),
            "weighted.weights must have one value per row, 2, got 3");
  Vector weights = Vector::Ones(2);
  weights[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Refusal(e, WeightedOptions{weights}),
            "weighted.weights must be finite, got nan for row 1");
  weights[1] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(Refusal(e, WeightedOptions{weights}),
            "weighted.weights must be finite, got -inf for row 1");
}

TEST(Pool, RefusesWhatThePoolingRefuses) {
  const Encodings e = AllLayouts()[0];
  EXPECT_EQ(Refusal(e, LpOptions{0, false}), "lp.p must be >= 1, got 0");
  EXPECT_EQ(Refusal(e, SoftmaxOptions{-2, false}), "softmax.beta must be >= 0, got -2");
  EXPECT_NE(Refusal(e, GmpOptions{.lambda = -1}), "(accepted)");
  EXPECT_NE(Refusal(e, DemocraticOptions{.gamma = 2}), "(accepted)");
}

// Poolings of every kind in no order, GMP with absolute and relative lambdas and other solvers.
std::vector<PoolingOptions> Mixture(Index num_rows) {
  return {GmpOptions{.lambda = 0.5, .relative = true},
          SumOptions{},
          DemocraticOptions{.gamma = 0.5},
          GmpOptions{.lambda = 3},
          MaxOptions{},
          GmpOptions{.lambda = 0},
          DemocraticOptions{.gamma = 0},
          GmpOptions{.lambda = 3, .solver = GmpSolver::kDirect},
          LpOptions{.p = 3},
          DemocraticOptions{.gamma = 0.5, .tolerance = 1e-8},
          WeightedOptions{Vector::LinSpaced(num_rows, -1, 2)},
          SoftmaxOptions{.beta = 2},
          GmpOptions{.lambda = 1e3, .relative = true, .threads = 2},
          DemocraticOptions{.gamma = 1, .clip_negative = false},
          MeanOptions{}};
}

TEST(PoolMany, GivesEveryPoolingByItselfInTheOrderAsked) {
  for (const Encodings& e : AllLayouts()) {
    const std::vector<PoolingOptions> poolings = Mixture(e.num_rows());
    const PooledMany many = PoolMany(e, poolings);
    ASSERT_EQ(many.phi.rows(), static_cast<Index>(poolings.size()));
    ASSERT_EQ(many.reports.size(), poolings.size());
    for (std::size_t i = 0; i < poolings.size(); ++i) {
      const PoolResult alone = Pool(e, poolings[i]);
      const Vector row = many.phi.row(static_cast<Index>(i));
      EXPECT_EQ(many.reports[i].solver.empty(), alone.report.solver.empty()) << i;
      EXPECT_DOUBLE_EQ(many.reports[i].lambda, alone.report.lambda) << i;
      EXPECT_TRUE(many.reports[i].converged) << i << many.reports[i].reason;
      if (std::holds_alternative<GmpOptions>(poolings[i])) {
        EXPECT_LE((row - alone.phi).norm(), 1e-5 * alone.phi.norm()) << i;
      } else {
        EXPECT_EQ(row, alone.phi) << i;
      }
    }
    // Alone among its kind, GMP is the same to the bit.
    EXPECT_EQ(many.phi.row(7).transpose(), Pool(e, poolings[7]).phi);
  }
}

TEST(PoolMany, ThreadsHoldForAllAndCannotBeSeen) {
  for (const Encodings& e : AllLayouts()) {
    const std::vector<PoolingOptions> poolings = Mixture(e.num_rows());
    EXPECT_EQ(PoolMany(e, poolings, 3).phi, PoolMany(e, poolings).phi);
  }
  const Encodings e = AllLayouts()[0];
  EXPECT_THROW(PoolMany(e, std::vector<PoolingOptions>{GmpOptions{}}, 0), InvalidArgument);
  EXPECT_EQ(PoolMany(e, {}).phi.rows(), 0);
}

TEST(PoolMany, RefusesWhatPoolRefuses) {
  const Encodings e = AllLayouts()[0];
  for (const PoolingOptions& bad :
       std::vector<PoolingOptions>{GmpOptions{.lambda = -1}, DemocraticOptions{.gamma = 2},
                                   LpOptions{.p = 0}, WeightedOptions{Vector::Ones(1)}}) {
    EXPECT_THROW(PoolMany(e, std::vector<PoolingOptions>{SumOptions{}, bad}), InvalidArgument);
  }
}

TEST(Check, NamesTheOptionItsRuleAndItsValue) {
  using test::Refused;
  const auto refusal = [](const PoolingOptions& options) {
    return test::RefusalOf([&] { Check(options); });
  };
  EXPECT_EQ(refusal(SumOptions{}), Refused{});
  EXPECT_EQ(refusal(GmpOptions{}), Refused{});
  EXPECT_EQ(refusal(GmpOptions{.lambda = -1}),
            (Refused{"gmp.lambda", "must be finite and >= 0", "-1"}));
  EXPECT_EQ(refusal(GmpOptions{.max_iterations = 0}),
            (Refused{"gmp.max_iterations", "must be >= 1", "0"}));
  EXPECT_EQ(refusal(DemocraticOptions{.gamma = 2}),
            (Refused{"democratic.gamma", "must be in [0, 1]", "2"}));
  EXPECT_EQ(refusal(LpOptions{.p = 0.5}), (Refused{"lp.p", "must be >= 1", "0.5"}));
  EXPECT_EQ(refusal(SoftmaxOptions{.beta = -2}), (Refused{"softmax.beta", "must be >= 0", "-2"}));
  const Vector weights = Vector::Constant(2, std::numeric_limits<double>::infinity());
  EXPECT_EQ(refusal(WeightedOptions{weights}),
            (Refused{"weighted.weights", "must be finite", "inf for row 0"}));
}

}  // namespace
}  // namespace alcedo
