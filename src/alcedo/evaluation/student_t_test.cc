#include "alcedo/evaluation/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The density summed over [t, infinity), with x = t + u / (1 - u), by the rule of midpoints;
// divided by the same sum from 0, so that no constant is needed.
double NaiveP(double t, double freedom) {
  const auto tail = [&](double from) {
    constexpr int kSteps = 50000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double u = (i + 0.5) / kSteps;
      const double x = from + u / (1 - u);
      sum += std::pow(1 + x * x / freedom, -(freedom + 1) / 2) / ((1 - u) * (1 - u));
    }
    return sum;
  };
  return tail(t) / tail(0);
}

TEST(StudentP, IsTheTailOfTheDensity) {
  for (const double freedom : {1.0, 1.5, 2.0, 3.7, 10.0, 45.0, 300.0}) {
    for (const double t : {0.1, 1.0, 2.3, 6.0}) {
      const double expected = NaiveP(t, freedom);
      EXPECT_NEAR(StudentP(t, freedom), expected, 1e-5 * expected) << freedom << " " << t;
      EXPECT_EQ(StudentP(-t, freedom), StudentP(t, freedom));
    }
  }
}

TEST(StudentP, HasClosedFormsForOneAndTwo) {
  for (const double t : {1e-8, 0.3, 1.0, 12.0, 1e6}) {
    const double one = 2 / M_PI * std::atan2(1, t);
    EXPECT_NEAR(StudentP(t, 1), one, 1e-10 * one);
    const double root = std::sqrt(2 + t * t);
    const double two = 2 / (root * (root + t));  // 1 - t / root, without cancellation
    EXPECT_NEAR(StudentP(t, 2), two, 1e-10 * two);
  }
}

TEST(StudentP, BecomesNormal) {
  for (const double t : {0.5, 2.0, 5.0}) {
    const double normal = std::erfc(t / std::sqrt(2.0));
    EXPECT_EQ(StudentP(t, kInfinity), normal);
    EXPECT_NEAR(StudentP(t, 9e6), normal, 1e-4 * normal);
  }
  EXPECT_EQ(StudentP(0, 3), 1);
  EXPECT_EQ(StudentP(kInfinity, 3), 0);
  EXPECT_EQ(StudentP(1e200, 3), 0);
  EXPECT_TRUE(std::isnan(StudentP(std::nan(""), 3)));
  EXPECT_THROW(StudentP(1, 0), InvalidArgument);
}

TEST(StudentHalfWidth, IsInTheTables) {
  EXPECT_NEAR(StudentHalfWidth(0.95, 1), 12.7062, 1e-4);
  EXPECT_NEAR(StudentHalfWidth(0.95, 3), 3.18245, 1e-5);
  EXPECT_NEAR(StudentHalfWidth(0.99, 10), 3.16927, 1e-5);
  EXPECT_NEAR(StudentHalfWidth(0.95, 60), 2.00030, 1e-5);
  EXPECT_NEAR(StudentHalfWidth(0.95, kInfinity), 1.959963985, 1e-9);
  EXPECT_THROW(StudentHalfWidth(1, 3), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
