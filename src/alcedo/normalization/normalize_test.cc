#include "alcedo/normalization/normalize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

}  // namespace
}  // namespace alcedo
