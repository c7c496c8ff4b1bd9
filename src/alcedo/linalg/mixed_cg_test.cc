#include <gtest/gtest.h>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/mixed_cg.h"
#include "alcedo/linalg/row_operator.h"

namespace alcedo {
namespace {

struct Problem {
  std::vector<float> rows;
  Index count, width;
  Matrix full;
  Vector sum;
};

// Columns fall by `decades`, so that the Gram matrix falls by twice as many.
Problem MakeProblem(Index count, Index width, double decades, double scale) {
  Rng rng(count + width);
  Problem problem{std::vector<float>(count * width), count, width, Matrix(count, width), {}};
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < width; ++j) {
      const double fall =
          std::pow(10.0, -decades * static_cast<double>(j) / static_cast<double>(width));
      problem.rows[i * width + j] = static_cast<float>(scale * fall * (rng.Normal() + 0.3));
      problem.full(i, j) = problem.rows[i * width + j];
    }
  }
  problem.sum = problem.full.colwise().sum().transpose();
  return problem;
}

TEST(MixedCg, ReachesDoubleAccuracyWhateverTheConditionAndTheScale) {
  for (double decades : {0.0, 2.0, 3.0}) {
    for (double scale : {1e-18, 1e-3, 1.0, 1e3, 1e18}) {
      const Problem problem = MakeProblem(60, 30, decades, scale);
      RowOperator rows(problem.rows.data(), 60, 30);
      for (double relative : {1e-3, 1.0, 100.0}) {
        const double shift = relative * problem.full.squaredNorm() / 60;
        CgOptions options;
        options.accuracy = 1e-9;
        Vector x(30);
        MixedCgWorkspace workspace;
        const CgReport report = SolveMixedCg(rows, problem.sum, shift, options, x, workspace);
        EXPECT_TRUE(report.converged()) << decades << " " << scale << " " << relative;
        const Vector left = problem.full.transpose() * (problem.full * x) + shift * x;
        EXPECT_LE((problem.sum - left).norm(),
                  1.1e-9 * shift * x.norm() + 1e-15 * problem.sum.norm());
        EXPECT_NEAR(report.residual, (problem.sum - left).norm() / problem.sum.norm(), 1e-12);
      }
    }
  }
}

TEST(MixedCg, SolvesTheDualToo) {
  const Problem problem = MakeProblem(20, 40, 1, 1);
  RowOperator rows(problem.rows.data(), 20, 40);
  KernelOperator kernel(rows);
  Vector x(20);
  MixedCgWorkspace workspace;
  const Vector ones = Vector::Ones(20);
  ASSERT_TRUE(SolveMixedCg(kernel, ones, 0.5, {}, x, workspace).converged());
  const Vector left = problem.full * (problem.full.transpose() * x) + 0.5 * x;
  EXPECT_LE((ones - left).norm(), 1.1e-6 * ones.norm());
}

TEST(MixedCg, SaysWhenItStoppedEarly) {
  const Problem problem = MakeProblem(60, 30, 3, 1);
  RowOperator rows(problem.rows.data(), 60, 30);
  CgOptions options;
  options.max_iterations = 2;
  Vector x(30);
  MixedCgWorkspace workspace;
  const CgReport report = SolveMixedCg(rows, problem.sum, 1e-4, options, x, workspace);
  EXPECT_EQ(report.stop, CgReport::Stop::kMaxIterations);
  EXPECT_LE(report.iterations, 2);
  EXPECT_TRUE(x.allFinite());
}

TEST(MixedCg, ZeroRightSideGivesZero) {
  const std::vector<float> rows(6, 0.0f);
  RowOperator op(rows.data(), 2, 3);
  Vector x = Vector::Ones(3);
  MixedCgWorkspace workspace;
  EXPECT_TRUE(SolveMixedCg(op, Vector::Zero(3), 1, {}, x, workspace).converged());
  EXPECT_EQ(x.norm(), 0);
}

}  // namespace

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
