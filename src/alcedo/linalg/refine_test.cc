#include "alcedo/linalg/refine.h"

#include <gtest/gtest.h>

#include "alcedo/base/types.h"

namespace alcedo {
namespace {

TEST(Refine, MakesAPoorInverseExact) {
  // A = diag(1, 2, 4), and an inverse that is off by a tenth.
  const Vector a = (Vector(3) << 1, 2, 4).finished(), b = (Vector(3) << 3, -2, 8).finished();
  Vector x, r = b;
  RefineScratch scratch;
  int solves = 0;
  const double norm = Refine(
      [&](Vector& v) {
        v.array() *= 1.1 / a.array();
        ++solves;
      },
      [&](const Vector& y, Vector& left) { left = b - a.cwiseProduct(y); },
      [](const Vector&) { return 1e-3; }, x, r, scratch);
  EXPECT_EQ(solves, 4);
  EXPECT_NEAR(norm, 1e-4 * b.norm(), 1e-12);
  EXPECT_NEAR(r.norm(), norm, 1e-15);
  EXPECT_LE((x - b.cwiseQuotient(a)).norm(), 1e-3);
}

TEST(Refine, KeepsTheBestWhereMoreDoesNotHelp) {
  const Vector b = Vector::Ones(2);
  Vector x, r = b;
  RefineScratch scratch;
  // The second coordinate cannot be reached: least squares.
  const double norm = Refine([](Vector& v) { v[1] = 0; },
                             [&](const Vector& y, Vector& left) {
                               left = b;
                               left[0] -= y[0];
                             },
                             [](const Vector&) { return 0.0; }, x, r, scratch);
  EXPECT_EQ(norm, 1);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 0);
}

}  // namespace
}  // namespace alcedo
