#include "alcedo/pooling/pool.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

Rows RandomRows(Rng& rng, Index rows, Index cols) {
  Rows values(rows, cols);
  for (float& x : values.reshaped()) x = static_cast<float>(rng.Normal() + 0.5);
  return values;
}

std::vector<Encodings> AllLayouts() {
  Rng rng(31);
  return {
      Encodings::Dense(RandomRows(rng, 9, 4)),
      Encodings::OneBlockPerRow(RandomRows(rng, 5, 2), {0, 2, 2, 0, 2}, 3),
      Encodings::SeveralBlocksPerRow(RandomRows(rng, 5, 2), {0, 2, 1, 2, 0}, {0, 2, 2, 4, 5}, 3)};
}

std::string Refusal(const Encodings& encodings, const PoolingOptions& options) {
  try {
    Pool(encodings, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "(accepted)";
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

}  // namespace
}  // namespace alcedo
