#include "alcedo/normalization/normalize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

Vector RandomVector(Rng& rng, Index size) {
  Vector v(size);
  for (double& x : v) x = rng.Uniform() < 0.2 ? 0 : rng.Normal();
  return v;
}

TEST(PowerNormalize, RaisesMagnitudesAndKeepsSigns) {
  Rng rng(1);
  for (double exponent : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const Vector before = RandomVector(rng, 50);
    Vector v = before;
    PowerNormalize(v, exponent);
    for (Index i = 0; i < v.size(); ++i) {
      const double x = before[i];
      const double expected = x > 0 ? std::pow(x, exponent) : x < 0 ? -std::pow(-x, exponent) : 0;
      EXPECT_NEAR(v[i], expected, 1e-15);
    }
  }
}

TEST(PowerNormalize, ZeroIsTheSignOfTheNonZeroEntries) {
  Vector v(5);
  v << 3, -1e-300, 0, -0.0, 1e300;
  PowerNormalize(v, 0);
  EXPECT_EQ(v, (Vector(5) << 1, -1, 0, 0, 1).finished());
}

TEST(PowerNormalize, OneChangesNothing) {
  Rng rng(2);
  const Vector before = RandomVector(rng, 20);
  Vector v = before;
  PowerNormalize(v, 1);
  EXPECT_EQ(v, before);
}

TEST(PowerNormalize, RefusesOtherExponents) {
  Vector v = Vector::Ones(2);
  for (double exponent : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(PowerNormalize(v, exponent), InvalidArgument);
  }
  EXPECT_EQ(v, Vector::Ones(2));
}

TEST(L2Normalize, GivesUnitLengthInTheSameDirectionAtEveryScale) {
  Rng rng(3);
  const Vector before = RandomVector(rng, 30);
  double squares = 0;
  for (double x : before) squares += x * x;
  for (double scale : {1.0, 1e-300, 1e-160, 1e-18, 1e18, 1e160, 1e300}) {
    Vector v = before * scale;
    L2Normalize(v);
    for (Index i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], before[i] / std::sqrt(squares), 1e-14);
  }
}

TEST(L2Normalize, SurvivesTheEndsOfDouble) {
  for (double x : {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()}) {
    Vector v = Vector::Constant(4, x);
    v[1] = -x;
    L2Normalize(v);
    EXPECT_EQ(v, (Vector(4) << 0.5, -0.5, 0.5, 0.5).finished());
  }
}

TEST(L2Normalize, ZeroAndEmptyStay) {
  Vector zero = Vector::Zero(3), empty(0);
  L2Normalize(zero);
  EXPECT_EQ(zero, Vector::Zero(3));
  L2Normalize(empty);
  EXPECT_EQ(empty.size(), 0);
}

TEST(BlockL2Normalize, NormalizesEveryBlockByItself) {
  Vector v(6);
  v << 3, 4, 0, 0, -1e200, 0;
  BlockL2Normalize(v, 2);
  EXPECT_NEAR(v[0], 0.6, 1e-15);
  EXPECT_NEAR(v[1], 0.8, 1e-15);
  EXPECT_EQ(v.tail(4), (Vector(4) << 0, 0, -1, 0).finished());
}

TEST(BlockL2Normalize, OneBlockIsL2) {
  Rng rng(4);
  Vector a = RandomVector(rng, 12), b = a;
  BlockL2Normalize(a, 12);
  L2Normalize(b);
  EXPECT_EQ(a, b);
}

TEST(BlockL2Normalize, RefusesSizesThatDoNotDivide) {
  Vector v = Vector::Ones(6);
  for (Index size : {-1, 0, 4, 7}) EXPECT_THROW(BlockL2Normalize(v, size), InvalidArgument);
  EXPECT_EQ(v, Vector::Ones(6));
}

// Entries over the whole range of float: zeros, denormal numbers, ordinary and huge ones.
Rows FloatRows(Rng& rng, Index count, Index size, bool extreme) {
  Rows rows(count, size);
  for (float& x : rows.reshaped()) {
    const double exponent = extreme ? 76 * rng.Uniform() - 38 : 3 * rng.Uniform() - 2;
    x = rng.Uniform() < 0.2 ? 0 : static_cast<float>(rng.Normal() * std::pow(10, exponent) / 8);
  }
  if (count > 1) rows.row(1).setZero();
  if (size > 2) {
    rows(0, 0) = std::numeric_limits<float>::denorm_min();
    rows(0, 1) = -std::numeric_limits<float>::max();
  }
  return rows;
}

TEST(NormalizeRows, IsTheDoubleFormForEveryPowerAndSize) {
  Rng rng(5);
  for (const double power : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1.0}) {
    for (const bool extreme : {false, true}) {
      for (const Index cells : {1, 4}) {
        for (const int kinds : {0, 1, 2, 3}) {
          const NormalizationOptions options{power, (kinds & 1) != 0, (kinds & 2) != 0};
          const VectorParts parts{cells, 3};
          const Rows before = FloatRows(rng, 5, 48, extreme);
          Rows rows = before;
          NormalizeRows(rows, options, parts, 2);
          for (Index i = 0; i < rows.rows(); ++i) {
            Vector want = before.row(i).cast<double>();
            Normalize(want, options, parts);
            for (Index j = 0; j < want.size(); ++j) {
              EXPECT_NEAR(rows(i, j), want[j], 1e-5 * std::abs(want[j]) + 1.2e-38)
                  << "power " << power << ", cells " << cells << ", kinds " << kinds << ", was "
                  << before(i, j);
            }
          }
        }
      }
    }
  }
}

TEST(NormalizeRows, GivesTheSameBytesForAnyThreads) {
  Rng rng(6);
  const Rows before = FloatRows(rng, 40, 30, false);
  Rows one = before, three = before;
  NormalizeRows(one, {.power = 0.3, .l2 = true}, {.cells = 2});
  NormalizeRows(three, {.power = 0.3, .l2 = true}, {.cells = 2}, 3);
  EXPECT_EQ(one, three);
}

TEST(Normalize, IsPowerThenBlocksThenCellsThenAll) {
  Rng rng(7);
  const Vector before = RandomVector(rng, 12);
  Vector v = before;
  Normalize(v, {.power = 0.5, .block_l2 = true, .l2 = true}, {.cells = 2, .block_size = 3});
  std::vector<double> want(12);
  for (Index i = 0; i < 12; ++i) {
    want[i] = (before[i] < 0 ? -1 : 1) * std::sqrt(std::abs(before[i]));
  }
  for (const Index size : {3, 6, 12}) {
    for (Index begin = 0; begin < 12; begin += size) {
      double squares = 0;
      for (Index i = begin; i < begin + size; ++i) squares += want[i] * want[i];
      for (Index i = begin; i < begin + size; ++i) want[i] /= std::sqrt(squares);
    }
  }
  for (Index i = 0; i < 12; ++i) EXPECT_NEAR(v[i], want[i], 1e-14);
  Vector same = before;
  Normalize(same, {});
  EXPECT_EQ(same, before);
}

TEST(Normalize, RefusesPartsThatDoNotDivide) {
  Vector v = Vector::Ones(6);
  Rows rows = Rows::Ones(1, 6);
  const auto refused = [&](const NormalizationOptions& options, const VectorParts& parts) {
    EXPECT_THROW(Normalize(v, options, parts), InvalidArgument);
    EXPECT_THROW(NormalizeRows(rows, options, parts), InvalidArgument);
  };
  refused({.power = 2}, {});
  refused({}, {.cells = 0});
  refused({}, {.cells = 4});
  refused({.block_l2 = true}, {});
  refused({.block_l2 = true}, {.cells = 2, .block_size = 2});
  EXPECT_THROW(NormalizeRows(rows, {}, {}, 0), InvalidArgument);
  EXPECT_EQ(v, Vector::Ones(6));
  EXPECT_EQ(rows, Rows::Ones(1, 6));
}

}  // namespace
}  // namespace alcedo
