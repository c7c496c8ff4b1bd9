// Power, L2 and per-block L2 normalisation, from 1e-300 to 1e300.
#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/normalization/normalize.h"
#include "law.h"
#include "oracle.h"

namespace alcedo::laws {
namespace {

Vector AnyVector(Random& random, Index size) {
  Vector v(size);
  const double scale = random.Chance(0.3) ? 1 : random.LogUniform(1e-300, 1e300);
  const double zeros = random.Pick({0.0, 0.3, 1.0});
  for (double& x : v) x = random.Chance(zeros) ? 0 : scale * random.Normal();
  return v;
}

// Divided by the largest magnitude first: long double then holds every square.
Reals Unit(const Vector& v) {
  Reals unit(v.begin(), v.end());
  Real largest = 0;
  for (const Real x : unit) largest = std::max(largest, std::abs(x));
  if (largest == 0) return unit;
  for (Real& x : unit) x /= largest;
  const Real norm = Norm(unit);
  for (Real& x : unit) x /= norm;
  return unit;
}

TEST(NormalizationLaws, PowerKeepsSignsAndRaisesMagnitudes) {
  ForEachCase(6000, [&](Random& random) {
    const Vector before = AnyVector(random, random.Integer(0, 30));
    const double exponent = random.Pick({0.0, 0.1, 0.3, 0.5, 0.7, 1.0, random.Uniform()});
    Vector after = before;
    PowerNormalize(after, exponent);
    for (Index i = 0; i < before.size(); ++i) {
      const Real magnitude = std::pow(std::abs(Real(before[i])), Real(exponent));
      const double want =
          before[i] == 0 ? 0 : static_cast<double>(before[i] < 0 ? -magnitude : magnitude);
      EXPECT_NEAR(after[i], want, 1e-13 * std::abs(want)) << before[i] << " to the " << exponent;
      if (exponent == 0 || exponent == 1) {
        EXPECT_EQ(after[i], want) << before[i];
      }
    }
  });
}

TEST(NormalizationLaws, PowersMultiply) {
  ForEachCase(3000, [&](Random& random) {
    Vector twice = AnyVector(random, random.Integer(0, 30));
    Vector once = twice;
    const double a = random.Uniform(), b = random.Uniform();
    PowerNormalize(twice, a);
    PowerNormalize(twice, b);
    PowerNormalize(once, a * b);
    EXPECT_LE((twice - once).norm(), 1e-11 * once.norm()) << a << " and " << b;
  });
}

TEST(NormalizationLaws, L2GivesTheUnitVectorOfTheSameDirection) {
  ForEachCase(6000, [&](Random& random) {
    Vector v = AnyVector(random, random.Integer(0, 40));
    if (v.size() > 0 && random.Chance(0.1))
      v[0] = random.Pick({std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(),
                          std::numeric_limits<double>::min()});
    const Reals want = Unit(v);
    L2Normalize(v);
    EXPECT_LE(RelativeError(v, want), 1e-13);
    const Vector once = v;
    L2Normalize(v);
    EXPECT_LE((v - once).norm(), 1e-15 * 4) << "a unit vector stays";
  });
}

TEST(NormalizationLaws, BlockL2IsL2OfEveryBlock) {
  ForEachCase(6000, [&](Random& random) {
    const Index size = random.Integer(1, 10), blocks = random.Integer(0, 8);
    Vector v(size * blocks);
    for (Index k = 0; k < blocks; ++k) v.segment(k * size, size) = AnyVector(random, size);
    const Vector before = v;
    BlockL2Normalize(v, size);
    for (Index k = 0; k < blocks; ++k)
      EXPECT_LE(RelativeError(v.segment(k * size, size), Unit(before.segment(k * size, size))),
                1e-13)
          << "block " << k << " of " << blocks << ", size " << size;
  });
}

}  // namespace
}  // namespace alcedo::laws
