// Sum, mean, max, lp and softmax pooling, against their formulas over dense columns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/pool.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

Reals Column(const Table& rows, Index j) {
  Reals column(rows.rows);
  for (Index n = 0; n < rows.rows; ++n) column[n] = rows(n, j);
  return column;
}
Real LargestMagnitude(const Reals& v) {
  Real largest = 0;
  for (const Real x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

TEST(ElementaryLaws, SumMeanAndMaxAreThoseOfDenseColumns) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Encodings encodings = problem.Build();
    const Table rows = problem.Dense();
    const Vector sum = PoolSum(encodings), mean = PoolMean(encodings), max = PoolMax(encodings);
    ASSERT_EQ(sum.size(), problem.dimension());
    for (Index j = 0; j < rows.cols; ++j) {
      Real total = 0, magnitude = 0, largest = rows.rows == 0 ? 0 : rows(0, j);
      for (const Real x : Column(rows, j)) {
        total += x;
        magnitude += std::abs(x);
        largest = std::max(largest, x);
      }
      const double slack = static_cast<double>(1e-13L * magnitude);
      const Real count = std::max<Real>(1, rows.rows);
      EXPECT_NEAR(sum[j], static_cast<double>(total), slack) << problem;
      EXPECT_NEAR(mean[j], static_cast<double>(total / count), slack) << problem;
      EXPECT_EQ(max[j], static_cast<double>(largest)) << problem;
    }
  });
}

// Compares p-th powers of values over the largest magnitude: there the mean is taken, and signed
// values may cancel.
TEST(ElementaryLaws, LpPoolingIsTheMeanOfPowers) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const double p = random.Pick({1.0, 1.5, 2.0, 3.0, 10.0, 100.0, random.Uniform(1, 20)});
    const bool keep_sign = random.Chance(0.5);
    const Vector pooled = PoolLp(problem.Build(), {.p = p, .keep_sign = keep_sign});
    const Table rows = problem.Dense();
    for (Index j = 0; j < rows.cols; ++j) {
      const Reals column = Column(rows, j);
      const Real largest = LargestMagnitude(column);
      if (largest == 0) {
        EXPECT_EQ(pooled[j], 0) << problem;
        continue;
      }
      Real mean = 0;
      for (const Real x : column)
        mean +=
            std::pow(std::abs(x / largest), Real(p)) * (keep_sign && x < 0 ? -1 : 1) / rows.rows;
      const Real got = std::pow(std::abs(pooled[j] / largest), Real(p)) * (pooled[j] < 0 ? -1 : 1);
      EXPECT_NEAR(static_cast<double>(got), static_cast<double>(mean), 1e-11 * (1 + p) / rows.rows)
          << "p " << p << ", keep_sign " << keep_sign << ", column " << j << problem;
    }
  });
}

TEST(ElementaryLaws, LpWithInfinityIsTheLargestMagnitude) {
  ForEachCase(2000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const Vector pooled =
        PoolLp(problem.Build(), {.p = std::numeric_limits<double>::infinity(), .keep_sign = false});
    const Table rows = problem.Dense();
    for (Index j = 0; j < rows.cols; ++j)
      EXPECT_EQ(pooled[j], static_cast<double>(LargestMagnitude(Column(rows, j)))) << problem;
  });
}

TEST(ElementaryLaws, SoftmaxAndLogSumExpFollowTheirFormulas) {
  ForEachCase(6000, [&](Random& random) {
    const Problem problem = AnyProblem(random);
    const Table rows = problem.Dense();
    const Real scale = LargestMagnitude(rows.values);
    const double sharpness = random.Pick({0.0, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e6});
    const double beta = scale > 0 ? sharpness / static_cast<double>(scale) : sharpness;
    const Encodings encodings = problem.Build();
    const Vector softmax = PoolSoftmax(encodings, {.beta = beta});
    const Vector lse = PoolSoftmax(encodings, {.beta = beta, .log_sum_exp = true});
    if (rows.rows == 0) {
      EXPECT_EQ(softmax.norm(), 0);
      EXPECT_EQ(lse.norm(), 0);
      return;
    }
    const double slack = static_cast<double>(1e-9L * scale);
    for (Index j = 0; j < rows.cols; ++j) {
      const Reals column = Column(rows, j);
      const Real top = *std::max_element(column.begin(), column.end());
      Real sum = 0, weighted = 0, mean = 0;
      for (const Real x : column) {
        const Real e = std::exp(beta * (x - top));
        sum += e;
        weighted += x * e;
        mean += x / rows.rows;
      }
      EXPECT_NEAR(softmax[j], static_cast<double>(weighted / sum), slack)
          << "beta " << beta << problem;
      const Real want = beta == 0 ? mean : top + std::log(sum / rows.rows) / beta;
      EXPECT_NEAR(lse[j], static_cast<double>(want), slack) << "beta " << beta << problem;
    }
  });
}

TEST(ElementaryLaws, OneCallGivesWhatTheFunctionsGive) {
  ForEachCase(3000, [&](Random& random) {
    const Problem problem = AnyProblem(random, {.max_rows = 30, .max_dimension = 30});
    const Encodings encodings = problem.Build();
    Vector weights(problem.num_rows());
    for (double& w : weights) w = random.Normal();
    const GmpOptions gmp{.lambda = AnyLambda(random, problem.Dense())};
    EXPECT_EQ(Pool(encodings, SumOptions{}).phi, PoolSum(encodings));
    EXPECT_EQ(Pool(encodings, MeanOptions{}).phi, PoolMean(encodings));
    EXPECT_EQ(Pool(encodings, MaxOptions{}).phi, PoolMax(encodings));
    EXPECT_EQ(Pool(encodings, LpOptions{.p = 3}).phi, PoolLp(encodings, {.p = 3}));
    EXPECT_EQ(Pool(encodings, SoftmaxOptions{}).phi, PoolSoftmax(encodings, {}));
    EXPECT_EQ(Pool(encodings, WeightedOptions{weights}).phi, WeightedSum(encodings, weights));
    EXPECT_EQ(Pool(encodings, gmp).phi, PoolGmp(encodings, gmp).phi);
    EXPECT_EQ(Pool(encodings, DemocraticOptions{}).phi,
              WeightedSum(encodings, DemocraticWeights(encodings).weights));
  });
}

}  // namespace
}  // namespace alcedo::laws
