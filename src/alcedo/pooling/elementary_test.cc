#include "alcedo/pooling/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Encodings beside the columns they stand for, filled without the library. Long double has the
// range for naive formulas.
struct Case {
  std::string name;
  Encodings encodings;
  std::vector<std::vector<long double>> columns;
};

using Draw = float (*)(Rng&);

Case DenseCase(Rng& rng, Draw draw, Index rows, Index dimension) {
  Rows values(rows, dimension);
  std::vector<std::vector<long double>> columns(dimension, std::vector<long double>(rows));
  for (Index n = 0; n < rows; ++n) {
    for (Index i = 0; i < dimension; ++i) columns[i][n] = values(n, i) = draw(rng);
  }
  return {"dense", Encodings::Dense(values), columns};
}

// A row has one of four blocks, or with `several` each of them with probability 0.6. The last block
// stays empty.
Case BlockCase(Rng& rng, Draw draw, Index rows, Index block_size, bool several) {
  std::vector<std::int32_t> blocks;
  std::vector<Index> offsets{0}, row_of;
  for (Index n = 0; n < rows; ++n) {
    const Index only = rng.UniformIndex(4);
    for (Index b = 0; b < 4; ++b) {
      if (several ? rng.Uniform() > 0.6 : b != only) continue;
      blocks.push_back(static_cast<std::int32_t>(b));
      row_of.push_back(n);
    }
    offsets.push_back(static_cast<Index>(blocks.size()));
  }
  Rows values(static_cast<Index>(blocks.size()), block_size);
  std::vector<std::vector<long double>> columns(5 * block_size, std::vector<long double>(rows, 0));
  for (Index e = 0; e < values.rows(); ++e) {
    for (Index i = 0; i < block_size; ++i) {
      columns[blocks[e] * block_size + i][row_of[e]] = values(e, i) = draw(rng);
    }
  }
  if (!several) return {"one block", Encodings::OneBlockPerRow(values, blocks, 5), columns};
  return {"several blocks", Encodings::SeveralBlocksPerRow(values, blocks, offsets, 5), columns};
}

float Normal(Rng& rng) { return static_cast<float>(rng.Normal()); }
float Negative(Rng& rng) { return -1 - static_cast<float>(rng.Uniform()); }
float Magnitudes(Rng& rng) {  // 1e-45 to 3e38 and both signs
  const double sign = rng.Uniform() < 0.5 ? -1 : 1;
  return static_cast<float>(sign * std::pow(10.0, -44.8 + 83.2 * rng.Uniform()));
}

std::vector<Case> AllCases(Draw draw) {
  Rng rng(11);
  std::vector<Case> cases;
  for (Index rows : {1, 2, 40}) {
    for (Index size : {1, 3}) {
      cases.push_back(DenseCase(rng, draw, rows, size));
      cases.push_back(BlockCase(rng, draw, rows, size, false));
      cases.push_back(BlockCase(rng, draw, rows, size, true));
    }
  }
  return cases;
}

using Naive = std::function<long double(const std::vector<long double>&)>;

// Compares to 1e-12 of the largest value of the column.
void ExpectPools(Draw draw, const std::function<Vector(const Encodings&)>& pool,
                 const Naive& naive) {
  for (const Case& c : AllCases(draw)) {
    const Vector pooled = pool(c.encodings);
    ASSERT_EQ(pooled.size(), static_cast<Index>(c.columns.size()));
    for (Index i = 0; i < pooled.size(); ++i) {
      long double scale = 0;
      for (long double x : c.columns[i]) scale = std::max(scale, std::abs(x));
      ASSERT_TRUE(std::isfinite(pooled[i]));
      ASSERT_LE(std::abs(pooled[i] - naive(c.columns[i])), 1e-12L * scale)
          << c.name << " of " << c.encodings.num_rows() << " rows, dimension " << i;
    }
  }
}

long double Sum(const std::vector<long double>& column) {
  long double sum = 0;
  for (long double x : column) sum += x;
  return sum;
}

long double Mean(const std::vector<long double>& column) { return Sum(column) / column.size(); }

long double Max(const std::vector<long double>& column) {
  long double largest = column[0];
  for (long double x : column) largest = std::max(largest, x);
  return largest;
}

Naive Lp(double p, bool keep_sign) {
  return [=](const std::vector<long double>& column) {
    long double sum = 0;
    for (long double x : column) {
      sum += (keep_sign && x < 0 ? -1 : 1) * std::pow(std::abs(x), static_cast<long double>(p));
    }
    const long double root =
        std::pow(std::abs(sum) / column.size(), 1 / static_cast<long double>(p));
    return sum < 0 ? -root : root;
  };
}

Naive Softmax(double beta) {
  return [=](const std::vector<long double>& column) {
    const long double largest = Max(column);
    long double sum = 0, weights = 0;
    for (long double x : column) {
      const long double w = std::exp(beta * (x - largest));
      sum += w * x;
      weights += w;
    }
    return sum / weights;
  };
}

Naive LogSumExp(double beta) {
  return [=](const std::vector<long double>& column) {
    const long double largest = Max(column);
    long double sum = 0;
    for (long double x : column) sum += std::expm1(beta * (x - largest));
    return largest + std::log1p(sum / column.size()) / beta;
  };
}

TEST(Elementary, SumMeanAndMax) {
  for (Draw draw : {Normal, Negative, Magnitudes}) {
    ExpectPools(draw, PoolSum, Sum);
    ExpectPools(draw, PoolMean, Mean);
    ExpectPools(draw, PoolMax, Max);
  }
}

TEST(Elementary, Lp) {
  for (Draw draw : {Normal, Negative, Magnitudes}) {
    for (double p : {1.0, 1.5, 2.0, 3.0, 10.0, 100.0}) {
      ExpectPools(draw, [=](const Encodings& e) { return PoolLp(e, {p, false}); }, Lp(p, false));
    }
  }
  // With signs the sum can cancel, and the root of a rounding error is not small: draw so that the
  // columns hold both signs and do not.
  const auto mostly_negative = [](Rng& rng) { return static_cast<float>(rng.Uniform() - 0.9); };
  for (double p : {1.0, 1.5, 2.0, 3.0}) {
    for (Draw draw : {Draw(Negative), Draw(mostly_negative)}) {
      ExpectPools(draw, [=](const Encodings& e) { return PoolLp(e, {p, true}); }, Lp(p, true));
    }
  }
}

TEST(Elementary, LpOfInfinityIsTheLargestMagnitude) {
  const auto largest = [](const std::vector<long double>& column) {
    long double m = 0;
    for (long double x : column) m = std::max(m, std::abs(x));
    return m;
  };
  const auto signed_largest = [](const std::vector<long double>& column) {
    long double m = 0;
    for (long double x : column) m = std::abs(x) > std::abs(m) ? x : m;
    return m;
  };
  for (Draw draw : {Normal, Negative, Magnitudes}) {
    ExpectPools(draw, [](const Encodings& e) { return PoolLp(e, {kInf, false}); }, largest);
    ExpectPools(draw, [](const Encodings& e) { return PoolLp(e, {kInf, true}); }, signed_largest);
  }
  Rows tie(3, 1);
  tie << 2, -2, 1;
  EXPECT_EQ(PoolLp(Encodings::Dense(tie), {kInf, true})[0], 0);
  EXPECT_EQ(PoolLp(Encodings::Dense(tie), {kInf, false})[0], 2);
}

TEST(Elementary, HugeExponentsApproachTheLargestMagnitude) {
  for (const Case& c : AllCases(Magnitudes)) {
    const Vector limit = PoolLp(c.encodings, {kInf, false});
    const Vector pooled = PoolLp(c.encodings, {1e6, false});
    for (Index i = 0; i < limit.size(); ++i) EXPECT_NEAR(pooled[i], limit[i], 1e-5 * limit[i]);
  }
}

TEST(Elementary, LpKeepsTheSignOfTheSum) {
  Rows rows(3, 2);
  rows << 3, 1, -4, 2, 0, -2;
  const Vector pooled = PoolLp(Encodings::Dense(rows), {2, true});
  EXPECT_NEAR(pooled[0], -std::sqrt(7.0 / 3), 1e-15);
  EXPECT_NEAR(pooled[1], std::sqrt(1.0 / 3), 1e-15);
}

TEST(Elementary, Softmax) {
  for (Draw draw : {Normal, Negative, Magnitudes}) {
    for (double beta : {1e-30, 1e-9, 0.01, 1.0, 7.0, 1e3, 1e30}) {
      ExpectPools(
          draw, [=](const Encodings& e) { return PoolSoftmax(e, {beta, false}); }, Softmax(beta));
      ExpectPools(
          draw, [=](const Encodings& e) { return PoolSoftmax(e, {beta, true}); }, LogSumExp(beta));
    }
  }
}

TEST(Elementary, SoftmaxGoesFromTheMeanToTheMaximum) {
  for (Draw draw : {Normal, Negative, Magnitudes}) {
    for (bool log_sum_exp : {false, true}) {
      for (double beta : {0.0, 1e-320, 1e-100, 1e-59}) {
        ExpectPools(
            draw, [=](const Encodings& e) { return PoolSoftmax(e, {beta, log_sum_exp}); }, Mean);
      }
      for (double beta : {1e300, kInf}) {
        ExpectPools(
            draw, [=](const Encodings& e) { return PoolSoftmax(e, {beta, log_sum_exp}); }, Max);
      }
    }
  }
}

TEST(Elementary, NoRowsGiveZeros) {
  const Encodings dense = Encodings::Dense(Rows(0, 3));
  const Encodings blocks = Encodings::OneBlockPerRow(Rows(0, 3), {}, 2);
  const Encodings several = Encodings::SeveralBlocksPerRow(Rows(0, 3), {}, {0}, 2);
  for (const Encodings& e : {dense, blocks, several}) {
    const Vector zeros = Vector::Zero(e.dimension());
    EXPECT_EQ(PoolSum(e), zeros);
    EXPECT_EQ(PoolMean(e), zeros);
    EXPECT_EQ(PoolMax(e), zeros);
    EXPECT_EQ(PoolLp(e, {3, false}), zeros);
    EXPECT_EQ(PoolLp(e, {kInf, true}), zeros);
    EXPECT_EQ(PoolSoftmax(e, {2, false}), zeros);
    EXPECT_EQ(PoolSoftmax(e, {2, true}), zeros);
  }
}

TEST(Elementary, RefuseImpossibleOptions) {
  const Encodings e = Encodings::Dense(Rows::Ones(2, 2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(PoolLp(e, {0.5, false}), InvalidArgument);
  EXPECT_THROW(PoolLp(e, {nan, false}), InvalidArgument);
  EXPECT_THROW(PoolSoftmax(e, {-1, false}), InvalidArgument);
  EXPECT_THROW(PoolSoftmax(e, {nan, true}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
