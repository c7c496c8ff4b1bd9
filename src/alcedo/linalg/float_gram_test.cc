#include "alcedo/linalg/float_gram.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/preconditioned_cg.h"
#include "alcedo/linalg/row_operator.h"

namespace alcedo {
namespace {

// Rows with a common direction and columns that lose `decades` powers of ten.
std::vector<float> MakeRows(Index count, Index width, double decades) {
  Rng rng(7);
  std::vector<float> rows(static_cast<std::size_t>(count * width));
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < width; ++j) {
      const double scale = std::pow(10.0, -decades * static_cast<double>(j) / width);
      rows[static_cast<std::size_t>(i * width + j)] =
          static_cast<float>(scale * (1 + rng.Normal()));
    }
  }
  return rows;
}

// (Phi Phi^T + lambda I)^-1 Phi 1 from the formula, in double.
Vector Naive(const std::vector<float>& rows, Index count, Index width, double lambda) {
  Eigen::MatrixXd a = lambda * Eigen::MatrixXd::Identity(width, width);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(width);
  for (Index i = 0; i < count; ++i) {
    Eigen::VectorXd row(width);
    for (Index j = 0; j < width; ++j) row[j] = rows[static_cast<std::size_t>(i * width + j)];
    a += row * row.transpose();
    b += row;
  }
  return a.llt().solve(b);
}

TEST(FloatGram, CorrectedInDoubleIsTheExactSolution) {
  const Index count = 300, width = 60;
  const std::vector<float> rows = MakeRows(count, width, 3);
  RowOperator op(rows.data(), count, width);
  FloatGram gram;
  ASSERT_TRUE(gram.Reset(rows.data(), count, width));
  double trace = 0;
  for (const float v : rows) trace += static_cast<double>(v) * v;
  EXPECT_NEAR(gram.trace(), trace, 1e-5 * trace);
  Vector b(width);
  const Vector ones = Vector::Ones(count);
  op.WeightedSum(ones.data(), b.data());
  std::vector<double> workspace;
  for (const double lambda : {1e-2, 1.0, 100.0}) {
    const Vector exact = Naive(rows, count, width, lambda);
    ASSERT_TRUE(gram.Prepare(lambda));
    Vector step = b;
    gram.Solve(step.data());
    const double rough = (step - exact).norm() / exact.norm();
    CgOptions options;
    options.tolerance = options.accuracy = 1e-9;
    options.max_iterations = 12;
    Vector x(width);
    const CgReport report = SolvePreconditionedCg(
        op, b, lambda, [&](double* v) { gram.Solve(v); }, options, x, workspace);
    EXPECT_TRUE(report.converged()) << "lambda " << lambda;
    EXPECT_LE((x - exact).norm(), 1e-9 * exact.norm()) << "lambda " << lambda;
    EXPECT_LE((x - exact).norm(), 1e-3 * rough * exact.norm()) << "lambda " << lambda;
  }
}

TEST(FloatGram, SaysWhatIsBeyondFloat) {
  FloatGram gram;
  EXPECT_FALSE(gram.Reset(std::vector<float>{3e38f, 1, 1, 1}.data(), 2, 2));
  EXPECT_FALSE(gram.Reset(std::vector<float>{1e-30f, 0, 0, 1e-30f}.data(), 2, 2));
  EXPECT_TRUE(gram.Reset(std::vector<float>{1, 0, 0, 1}.data(), 2, 2));
}

TEST(PreconditionedCg, GivesUpHonestly) {
  const Index count = 300, width = 60;
  const std::vector<float> rows = MakeRows(count, width, 6);
  RowOperator op(rows.data(), count, width);
  const Vector b = Vector::Ones(width);
  CgOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 3;
  Vector x(width);
  std::vector<double> workspace;
  const CgReport report = SolvePreconditionedCg(op, b, 1e-8, [](double*) {}, options, x, workspace);
  EXPECT_EQ(report.stop, CgReport::Stop::kMaxIterations);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, 1e-6);
}

}  // namespace
}  // namespace alcedo
