#include "alcedo/linalg/score_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/coarse_scores.h"
#include "alcedo/linalg/targets_testing.h"

namespace alcedo {
namespace {

using kernels::kScoreRows;
using targets_testing::ForEachTarget;

struct Problem {
  Rows rows;
  std::vector<float> center, scale;
  Matrix a;  // K x the padded width that ScoreRows has
  Vector b;
  bool squares;
};

Problem RandomProblem(Index count, Index dimension, Index functions, bool squares) {
  Rng rng(count + 100 * dimension + 10000 * functions + (squares ? 1 : 0));
  const kernels::ScoreRows layout(dimension, squares);
  Problem p{Rows(count, dimension),
            std::vector<float>(dimension),
            std::vector<float>(dimension),
            Matrix::Zero(functions, layout.width),
            Vector(functions),
            squares};
  for (Index i = 0; i < p.rows.size(); ++i) p.rows.data()[i] = static_cast<float>(rng.Normal());
  for (Index j = 0; j < dimension; ++j) {
    p.center[j] = static_cast<float>(rng.Normal());
    p.scale[j] = std::ldexp(1.0F, static_cast<int>(rng.UniformIndex(3)) - 1);
    for (Index k = 0; k < functions; ++k) {
      p.a(k, j) = rng.Normal();
      if (squares) p.a(k, layout.half + j) = rng.Normal();
    }
  }
  for (double& v : p.b) v = rng.Normal();
  return p;
}

// The score of row n and function k from the formula, and the product of the norms.
std::pair<double, double> Naive(const Problem& p, Index n, Index k) {
  const Index dimension = p.rows.cols(), half = p.squares ? p.a.cols() / 2 : 0;
  double score = p.b[k], xx = 1, aa = p.b[k] * p.b[k];
  for (Index j = 0; j < dimension; ++j) {
    const double x = (double{p.rows(n, j)} - p.center[j]) * p.scale[j];
    score += p.a(k, j) * x;
    xx += x * x;
    aa += p.a(k, j) * p.a(k, j);
    if (!p.squares) continue;
    score += p.a(k, half + j) * x * x;
    xx += x * x * x * x;
    aa += p.a(k, half + j) * p.a(k, half + j);
  }
  return {score, std::sqrt(xx) * std::sqrt(aa)};
}

TEST(ScoreKernels, EveryShapeIsWithinTheBoundOfTheNaiveSum) {
  for (const Index count : {1, 5, 12, 47, 48}) {
    for (const Index dimension : {1, 7, 16, 17, 64, 100, 130, 300}) {
      for (const Index functions : {1, 15, 16, 17, 33, 50}) {
        for (const bool squares : {false, true}) {
          if ((count + dimension + functions) % 3 != 0) continue;  // a third of them is enough
          const Problem p = RandomProblem(count, dimension, functions, squares);
          const kernels::ScoreFunctions f(p.a, p.b);
          const kernels::CoarseFunctions coarse(f);
          kernels::ScoreRows rows(dimension, squares);
          kernels::CoarseRows coarse_rows(f.width);
          std::vector<float> scores(kScoreRows * f.padded), rough(kScoreRows * f.padded);
          ForEachTarget([&] {
            rows.Load(p.rows.data(), count, p.center.data(), p.scale.data());
            kernels::Scores(f, rows, scores.data());
            kernels::CoarseScores(f, coarse, rows, coarse_rows, rough.data());
            double largest_error = 0;
            for (Index n = 0; n < count; ++n) {
              for (Index k = 0; k < functions; ++k) {
                const auto [score, norms] = Naive(p, n, k);
                ASSERT_GE(rows.norms[n] * f.norms[k], norms);
                ASSERT_LE(rows.norms[n] * f.norms[k], 1.01 * norms + 1e-6);
                ASSERT_NEAR(scores[n * f.padded + k], score, kernels::ScoreError(f.width) * norms);
                ASSERT_NEAR(rough[n * f.padded + k], score, kernels::CoarseError(f.width) * norms);
                largest_error =
                    std::max(largest_error, std::abs(rough[n * f.padded + k] - score) / norms);
              }
              for (Index k = functions; k < f.padded; ++k) {
                ASSERT_EQ(scores[n * f.padded + k], -std::numeric_limits<float>::infinity());
                ASSERT_EQ(rough[n * f.padded + k], -std::numeric_limits<float>::infinity());
              }
            }
            EXPECT_LE(largest_error, kernels::CoarseError(f.width) / 2);  // it is worst case
          });
        }
      }
    }
  }
}

// The largest integer sums there can be: all of a row and a function in one direction.
TEST(CoarseScores, SumsOfParallelVectorsStayInRange) {
  for (const Index dimension : {1, 16, 64, 1000}) {
    Problem p = RandomProblem(1, dimension, 4, false);
    p.rows *= 1e6F;
    std::fill(p.center.begin(), p.center.end(), 0.0F);
    for (Index j = 0; j < dimension; ++j) {
      p.a(0, j) = double{p.rows(0, j)} * p.scale[j];
      p.a(1, j) = -p.a(0, j);
    }
    const kernels::ScoreFunctions f(p.a, p.b);
    kernels::ScoreRows rows(dimension, false);
    kernels::CoarseRows coarse_rows(f.width);
    std::vector<float> rough(kScoreRows * f.padded);
    rows.Load(p.rows.data(), 1, p.center.data(), p.scale.data());
    kernels::CoarseScores(f, kernels::CoarseFunctions(f), rows, coarse_rows, rough.data());
    for (const Index k : {0, 1}) {
      const auto [score, norms] = Naive(p, 0, k);
      EXPECT_NEAR(rough[k], score, kernels::CoarseError(f.width) * norms);
    }
  }
}

TEST(ScoreKernels, AScoreDoesNotDependOnTheOtherRows) {
  const Problem p = RandomProblem(48, 70, 40, true);
  const kernels::ScoreFunctions f(p.a, p.b);
  kernels::ScoreRows rows(70, true);
  std::vector<float> together(kScoreRows * f.padded), alone(kScoreRows * f.padded);
  rows.Load(p.rows.data(), 48, p.center.data(), p.scale.data());
  kernels::Scores(f, rows, together.data());
  for (const Index n : {0, 13, 47}) {
    rows.Load(p.rows.row(n).data(), 1, p.center.data(), p.scale.data());
    kernels::Scores(f, rows, alone.data());
    for (Index k = 0; k < f.size; ++k) EXPECT_EQ(alone[k], together[n * f.padded + k]);
  }
}

TEST(ScoreKernels, FunctionsBeyondFloatAreMarked) {
  Matrix a = Matrix::Ones(3, 16);
  a(1, 3) = 1e31;
  a(2, 0) = 1e200;
  const kernels::ScoreFunctions f(a, Vector::Zero(3));
  EXPECT_NEAR(f.norms[0], 4, 0.01);
  EXPECT_EQ(f.norms[1], kernels::kLargestScore);
  EXPECT_EQ(f.norms[2], kernels::kLargestScore);
  EXPECT_EQ(f.largest_norm, f.norms[0]);
  for (const float v : f.panels) EXPECT_LE(std::abs(v), 1);
}

TEST(ScoreKernels, NormsOfRowsThatAreNotFiniteAreNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F}) {
    for (const Index dimension : {1, 16, 19}) {
      Rows row = Rows::Zero(1, dimension);
      row(0, dimension - 1) = bad;
      kernels::ScoreRows rows(dimension, true);
      const std::vector<float> zeros(dimension, 0.0F), ones(dimension, 1.0F);
      rows.Load(row.data(), 1, zeros.data(), ones.data());
      EXPECT_FALSE(std::isfinite(rows.norms[0]));
    }
  }
}

TEST(ScoreKernels, MediansAndScales) {
  Rows rows(3, 2);
  rows << 1, 1e30F, 5, 2, 3, -7;
  EXPECT_EQ(kernels::ColumnMedians(rows), (std::vector<float>{3, 2}));
  EXPECT_EQ(kernels::ColumnMedians(rows.topRows(1)), (std::vector<float>{1, 1e30F}));
  EXPECT_EQ(kernels::InverseScale(0), 1);
  EXPECT_EQ(kernels::InverseScale(1), 1);
  EXPECT_EQ(kernels::InverseScale(0.26), 4);
  EXPECT_EQ(kernels::InverseScale(1000), std::ldexp(1.0F, -10));
  EXPECT_TRUE(std::isnormal(kernels::InverseScale(1e-300)));
  EXPECT_TRUE(std::isnormal(kernels::InverseScale(1e300)));
}

}  // namespace
}  // namespace alcedo
