#include "alcedo/figures/figure1.h"

#include <fmt/format.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"

namespace alcedo {
namespace {

// Even steps and no random numbers: whoever builds these patches gets the same figure.
double SkyDegrees(Index n, int sky) {
  return sky == 1 ? 90 : 89.5 + static_cast<double>(n) / (sky - 1);
}

void SetDirection(Rows& rows, Index row, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  rows(row, 0) = static_cast<float>(std::cos(angle));
  rows(row, 1) = static_cast<float>(std::sin(angle));
}

Rows MakePatches(int sky, double rare_degrees) {
  Rows rows(sky + 1, 2);
  for (Index n = 0; n < sky; ++n) SetDirection(rows, n, SkyDegrees(n, sky));
  SetDirection(rows, sky, rare_degrees);
  return rows;
}

Vector Unit(Vector v) {
  L2Normalize(v);
  return v;
}

}  // namespace

Figure1 ComputeFigure1(const Figure1Options& options) {
  Require(options.sky >= 1, "figure1.sky", ">= 1", options.sky);
  const Rows first = MakePatches(options.sky, 45), second = MakePatches(options.sky, 135);
  const auto a = Encodings::DenseView(first), b = Encodings::DenseView(second);
  GmpOptions gmp;
  gmp.lambda = options.lambda;

  Figure1 figure;
  figure.options = options;
  figure.sky = Unit(first.topRows(options.sky).cast<double>().colwise().sum().transpose());
  figure.rare_first = first.row(options.sky).cast<double>().transpose();
  figure.rare_second = second.row(options.sky).cast<double>().transpose();
  figure.pooled.push_back({"Sum pooling", Unit(PoolSum(a)), Unit(PoolSum(b)), 0});
  figure.pooled.push_back({fmt::format("Generalized max pooling, \u03bb = {:g}", options.lambda),
                           Unit(PoolGmp(a, gmp).phi), Unit(PoolGmp(b, gmp).phi), 0});
  for (Figure1Pooled& pooled : figure.pooled) pooled.similarity = pooled.first.dot(pooled.second);
  return figure;
}

}  // namespace alcedo
