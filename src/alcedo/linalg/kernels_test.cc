#include "alcedo/linalg/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/random.h"

namespace alcedo {
namespace {

struct Problem {
  Index count, width;
  std::vector<float> rows;
  std::vector<double> p, weights;
};

Problem RandomProblem(Index count, Index width, std::uint64_t seed) {
  Rng rng(seed);
  Problem problem{count, width, std::vector<float>(count * width), std::vector<double>(width),
                  std::vector<double>(count)};
  for (float& v : problem.rows) v = static_cast<float>(rng.Normal());
  for (double& v : problem.p) v = rng.Normal();
  for (double& v : problem.weights) v = rng.Normal();
  return problem;
}

std::vector<double> NaiveDots(const Problem& m) {
  std::vector<double> dots(m.count, 0.0);
  for (Index i = 0; i < m.count; ++i) {
    for (Index j = 0; j < m.width; ++j) dots[i] += double(m.rows[i * m.width + j]) * m.p[j];
  }
  return dots;
}

std::vector<double> NaiveSum(const Problem& m, const std::vector<double>& weights, double start) {
  std::vector<double> y(m.width, start);
  for (Index i = 0; i < m.count; ++i) {
    for (Index j = 0; j < m.width; ++j) y[j] += weights[i] * double(m.rows[i * m.width + j]);
  }
  return y;
}

void ExpectNear(const std::vector<double>& got, const std::vector<double>& want, double scale) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-13 * scale) << i;
}

TEST(Kernels, EveryShapeEqualsTheNaiveLoops) {
  for (Index count : {0, 1, 3, 4, 7, 8, 12, 23, 33}) {
    for (Index width : {1, 2, 7, 8, 15, 16, 17, 64, 129, 600}) {
      const Problem m = RandomProblem(count, width, 100 * count + width);
      const double scale = 10.0 * (count + 1) * width;
      std::vector<double> dots(count), y(width, 0.5);
      kernels::Dots(m.rows.data(), count, width, m.p.data(), dots.data());
      ExpectNear(dots, NaiveDots(m), scale);
      kernels::AddWeightedRows(m.rows.data(), count, width, m.weights.data(), y.data());
      ExpectNear(y, NaiveSum(m, m.weights, 0.5), scale);
      std::fill(y.begin(), y.end(), -1.0);
      std::fill(dots.begin(), dots.end(), 0.0);
      kernels::AddGramProduct(m.rows.data(), count, width, m.p.data(), dots.data(), y.data());
      ExpectNear(dots, NaiveDots(m), scale);
      ExpectNear(y, NaiveSum(m, NaiveDots(m), -1), scale * 10);

      // The same in float, to its precision.
      const std::vector<float> pf(m.p.begin(), m.p.end());
      std::vector<float> dots_f(count), y_f(width, 0.0f);
      kernels::AddGramProduct(m.rows.data(), count, width, pf.data(), dots_f.data(), y_f.data());
      ExpectNear({dots_f.begin(), dots_f.end()}, NaiveDots(m), 1e7 * std::sqrt(width));
      ExpectNear({y_f.begin(), y_f.end()}, NaiveSum(m, NaiveDots(m), 0), 1e7 * scale);
      kernels::Dots(m.rows.data(), count, width, pf.data(), dots_f.data());
      ExpectNear({dots_f.begin(), dots_f.end()}, NaiveDots(m), 1e7 * std::sqrt(width));
      const std::vector<float> weights_f(m.weights.begin(), m.weights.end());
      std::fill(y_f.begin(), y_f.end(), 0.0f);
      kernels::AddWeightedRows(m.rows.data(), count, width, weights_f.data(), y_f.data());
      ExpectNear({y_f.begin(), y_f.end()}, NaiveSum(m, m.weights, 0), 1e7 * std::sqrt(count + 1));

      const std::vector<double> copy(m.rows.begin(), m.rows.end());
      std::vector<double> kernel(count * count), want;
      kernels::SmallKernelMatrix(copy.data(), count, width, kernel.data());
      for (Index i = 0; i < count * count; ++i) {
        double sum = 0;
        for (Index j = 0; j < width; ++j) {
          sum += copy[i / count * width + j] * copy[i % count * width + j];
        }
        want.push_back(sum);
      }
      ExpectNear(kernel, want, scale);
    }
  }
}

TEST(Kernels, SparseRowsEqualTheNaiveLoops) {
  for (Index width : {1, 3, 8, 21}) {
    const Index blocks = 5, dimension = blocks * width;
    const std::vector<Index> offsets = {0, 2, 2, 5, 6};  // the second row is empty
    const std::vector<std::int32_t> where = {0, 3, 4, 1, 2, 4};
    Problem m = RandomProblem(6, width, width);
    Rng rng(9);
    std::vector<double> p(dimension), w = {0.5, -1, 2, 3};
    for (double& v : p) v = rng.Normal();
    Problem full{4, dimension, std::vector<float>(4 * dimension, 0.0f), p, w};
    for (Index i = 0; i < 4; ++i) {
      for (Index e = offsets[i]; e < offsets[i + 1]; ++e) {
        for (Index j = 0; j < width; ++j) {
          full.rows[i * dimension + where[e] * width + j] = m.rows[e * width + j];
        }
      }
    }
    const kernels::SparseRows rows{m.rows.data(), where.data(), offsets.data(), 4, width};
    std::vector<double> dots(4), y(dimension, 0.25);
    kernels::Dots(rows, p.data(), dots.data());
    ExpectNear(dots, NaiveDots(full), 100);
    kernels::AddWeightedRows(rows, w.data(), y.data());
    ExpectNear(y, NaiveSum(full, w, 0.25), 100);
    std::fill(y.begin(), y.end(), 0.0);
    kernels::AddGramProduct(rows, p.data(), dots.data(), y.data());
    ExpectNear(y, NaiveSum(full, NaiveDots(full), 0), 1000);
  }
}

TEST(Kernels, StepsOfAnIterationEqualTheNaiveLoops) {
  for (Index n : {0, 1, 7, 16, 33, 128}) {
    Rng rng(n);
    std::vector<float> p(n), q(n), x(n), r(n);
    for (auto* v : {&p, &q, &x, &r}) {
      for (float& value : *v) value = static_cast<float>(rng.Normal());
    }
    double pp = 0, pq = 0, rr = 0;
    std::vector<double> want_x, want_r, want_p;
    for (Index i = 0; i < n; ++i) {
      pp += double(p[i]) * p[i];
      pq += double(p[i]) * q[i];
      want_x.push_back(x[i] + 0.3 * p[i]);
      want_r.push_back(r[i] - 0.3 * (q[i] + 2.0 * p[i]));
      want_p.push_back(want_r[i] - 0.7 * p[i]);
      rr += want_r[i] * want_r[i];
    }
    const double scale = 1e8 * static_cast<double>(n + 1);
    const kernels::Curvature curvature = kernels::FloatCurvature(n, p.data(), q.data());
    ExpectNear({curvature.pp, curvature.pq}, {pp, pq}, scale);
    EXPECT_NEAR(kernels::FloatStep(n, 0.3f, 2, p.data(), q.data(), x.data(), r.data()), rr,
                1e-13 * scale);
    kernels::FloatDirection(n, -0.7f, r.data(), p.data());
    ExpectNear({x.begin(), x.end()}, want_x, scale);
    ExpectNear({r.begin(), r.end()}, want_r, scale);
    ExpectNear({p.begin(), p.end()}, want_p, scale);
  }
}

TEST(Kernels, SquaredNormSeesEveryBadValue) {
  for (Index count : {1, 5, 64, 67}) {
    std::vector<float> values(count, 2.0f);
    EXPECT_DOUBLE_EQ(kernels::SquaredNorm(values.data(), count), 4.0 * count);
    for (Index at = 0; at < count; ++at) {
      for (float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity()}) {
        values[at] = bad;
        EXPECT_FALSE(std::isfinite(kernels::SquaredNorm(values.data(), count)));
        values[at] = 2.0f;
      }
    }
  }
  const std::vector<float> large(1000, std::numeric_limits<float>::max());
  EXPECT_TRUE(std::isfinite(kernels::SquaredNorm(large.data(), 1000)));
}

TEST(Kernels, NameTheInstructionSet) { EXPECT_FALSE(kernels::InstructionSet().empty()); }

}  // namespace
}  // namespace alcedo
