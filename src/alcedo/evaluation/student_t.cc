#include "alcedo/evaluation/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

// Above it T differs from a normal number by less than 1e-6 of its tail.
constexpr double kNormalFreedom = 1e7;

// Stirling's series above 10, the recurrence below: std::lgamma writes to a global.
double LogGamma(double x) {
  double shift = 0;
  for (; x < 10; ++x) shift -= std::log(x);
  const double y = 1 / (x * x);
  const double series = (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y / 1680))) / x;
  return shift + (x - 0.5) * std::log(x) - x + std::log(2 * M_PI) / 2 + series;
}

// Lentz's evaluation of the continued fraction of the incomplete beta function. It converges for
// x < (a + 1) / (a + b + 2), in some multiples of sqrt(max(a, b)) steps.
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

// I_x(a, b); y = 1 - x, which the caller has without cancellation.
double IncompleteBeta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front =
      std::exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + a * std::log(x) + b * std::log(y));
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, y) / b;
}

}  // namespace

double StudentP(double t, double freedom) {
  Require(freedom > 0, "degrees of freedom", "> 0", freedom);
  if (std::isnan(t)) return t;
  if (freedom > kNormalFreedom) return std::erfc(std::abs(t) / std::sqrt(2.0));
  if (std::isinf(t)) return 0;
  const double square = t * t;
  if (std::isinf(square)) return 0;
  return IncompleteBeta(freedom / 2, 0.5, freedom / (freedom + square),
                        square / (freedom + square));
}

double StudentHalfWidth(double level, double freedom) {
  Require(level > 0 && level < 1, "level", "in (0, 1)", level);
  double low = 0, high = 1;
  while (StudentP(high, freedom) > 1 - level && high < 1e150) high *= 2;
  // By halving, which needs no table.
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (StudentP(middle, freedom) > 1 - level ? low : high) = middle;
  }
  return high;
}

}  // namespace alcedo
