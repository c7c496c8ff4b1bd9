// Problems that are hardly any: each has a solution, and it is found.
#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/linear_svm.h"
#include "alcedo/classifier/svm_testing.h"

namespace alcedo {
namespace {

// Calls body(options) for all losses and forms.
template <class Body>
void ForAll(const Body& body) {
  for (const SvmLoss loss : {SvmLoss::kSquaredHinge, SvmLoss::kHinge}) {
    for (const SvmSolver solver : {SvmSolver::kGram, SvmSolver::kStream}) {
      SCOPED_TRACE(testing::Message() << Name(loss) << " " << Name(solver));
      SvmOptions options;
      options.loss = loss;
      options.solver = solver;
      options.tolerance = 1e-6;
      body(options);
    }
  }
}

TEST(Degenerate, WithoutSamplesOrClassesTheModelIsZero) {
  ForAll([](const SvmOptions& options) {
    SvmReport report;
    LinearModel model = TrainLinearSvm(Rows(0, 4), Targets(3, 0), options, &report);
    EXPECT_EQ(model.weights, Rows::Zero(3, 4));
    EXPECT_EQ(model.bias, Vector::Zero(3));
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.gap, std::vector<double>(3, 0.0));
    model = TrainLinearSvm(Rows::Ones(5, 4), Targets(0, 5), options);
    EXPECT_EQ(model.weights.rows(), 0);
    model = TrainLinearSvm(Rows::Ones(5, 4), Targets::Zero(2, 5), options, &report);
    EXPECT_EQ(model.weights, Rows::Zero(2, 4));
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(Scores(model, Rows(0, 4)).rows(), 0);
  });
}

TEST(Degenerate, OneSampleHasTheSolutionOnPaper) {
  ForAll([](SvmOptions options) {
    options.bias = 0;
    options.c = 0.2;
    const Rows row = Rows::Constant(1, 1, 2);
    const LinearModel model = TrainLinearSvm(row, Targets::Constant(1, 1, -1), options);
    // Squared: w = -2 C x / (1 + 2 C x^2). Hinge: alpha = min(C, 1 / x^2), w = -alpha x.
    const double expected =
        options.loss == SvmLoss::kHinge ? -0.2 * 2 : -2 * 0.2 * 2 / (1 + 2 * 0.2 * 4);
    EXPECT_NEAR(model.weights(0, 0), expected, 1e-3);
    EXPECT_EQ(model.bias[0], 0);
  });
}

TEST(Degenerate, OneSideOnlyIsAProblemToo) {
  ForAll([](SvmOptions options) {
    for (const bool balanced : {false, true}) {
      options.balanced = balanced;
      const double cost = balanced ? 0.5 : 1;  // n / (2 n) of 1
      SvmReport report;
      const LinearModel model =
          TrainLinearSvm(Rows::Zero(8, 3), Targets::Constant(2, 8, -1), options, &report);
      EXPECT_TRUE(report.converged);
      EXPECT_EQ(model.weights, Rows::Zero(2, 3));
      // 1/2 b^2 + 8 C loss(1 + b)
      const double expected =
          options.loss == SvmLoss::kHinge ? -1 : -2 * 8 * cost / (1 + 2 * 8 * cost);
      EXPECT_NEAR(model.bias[0], expected, 2e-3);
      EXPECT_EQ(model.bias[0], model.bias[1]);
      const SvmProblem mixed = MakeProblem(30, 6, 2, 1);
      const LinearModel positive =
          TrainLinearSvm(mixed.rows, Targets::Constant(1, 30, 1), options, &report);
      EXPECT_TRUE(report.converged);
      EXPECT_GT(Scores(positive, mixed.rows).minCoeff(), 0);
    }
  });
}

TEST(Degenerate, IdenticalAndZeroRows) {
  ForAll([](SvmOptions options) {
    for (const double bias : {0.0, 1.0}) {
      options.bias = bias;
      for (const float value : {0.0F, 0.5F}) {
        const std::vector<int> labels{0, 1, 1, 0, 1};
        SvmReport report;
        const LinearModel model =
            TrainLinearSvm(Rows::Constant(5, 2, value), OneVsRest(labels, 2), options, &report);
        EXPECT_TRUE(report.converged);
        ASSERT_TRUE(model.weights.allFinite() && model.bias.allFinite());
        // The majority wins, where there is anything to tell it by.
        const double score = Scores(model, Rows::Constant(1, 2, value))(0, 1);
        if (bias == 0 && value == 0) {
          EXPECT_EQ(score, 0);
        } else {
          EXPECT_GT(score, 0.01);
        }
      }
    }
  });
}

TEST(Degenerate, RowsWithoutColumnsLeaveTheBias) {
  ForAll([](const SvmOptions& options) {
    const LinearModel model = TrainLinearSvm(Rows(3, 0), Targets::Ones(1, 3), options);
    EXPECT_EQ(model.weights.cols(), 0);
    EXPECT_GT(model.bias[0], 0.5);
  });
}

// Rows times s with C / s^2 and bias times s is the same problem: its scores are the same.
TEST(Degenerate, AnyScaleOfRows) {
  const SvmProblem problem = MakeProblem(80, 30, 3, 2);
  ForAll([&](SvmOptions options) {
    options.bias = 0;
    options.tolerance = 1e-5;
    const Matrix expected =
        Scores(TrainLinearSvm(problem.rows, problem.targets, options), problem.rows);
    for (const float scale : {1e-6F, 1e-3F, 1e3F, 1e6F}) {
      SvmOptions scaled = options;
      scaled.c = std::clamp(options.c / scale / scale, 1e-12, 1e12);
      const Rows rows = scale * problem.rows;
      const Matrix scores = Scores(TrainLinearSvm(rows, problem.targets, scaled), rows);
      EXPECT_LT((scores - expected).norm(), 0.02 * expected.norm()) << scale;
    }
  });
}

TEST(Degenerate, HugeAndTinyRowsAndCostsStayFinite) {
  const SvmProblem problem = MakeProblem(70, 20, 3, 3, 3);
  ForAll([&](SvmOptions options) {
    options.max_iterations = 60;
    for (const float scale : {1e-30F, 1e-12F, 1e-6F, 1e6F, 1e12F, 1e14F}) {
      for (const double c : {1e-12, 1.0, 1e12}) {
        options.c = c;
        const Rows rows = scale * problem.rows;
        SvmReport report;
        const LinearModel model = TrainLinearSvm(rows, problem.targets, options, &report);
        EXPECT_TRUE(model.weights.allFinite() && model.bias.allFinite()) << scale << " " << c;
        EXPECT_TRUE(Scores(model, rows).allFinite()) << scale << " " << c;
        for (const double gap : report.gap) EXPECT_TRUE(std::isfinite(gap)) << scale << " " << c;
      }
    }
    Rows mixed = problem.rows;
    for (Index i = 0; i < 70; ++i) mixed.row(i) *= std::pow(10.0F, static_cast<float>(i % 25 - 12));
    options.c = 1;
    const LinearModel model = TrainLinearSvm(mixed, problem.targets, options);
    EXPECT_TRUE(model.weights.allFinite() && model.bias.allFinite());
  });
}

}  // namespace
}  // namespace alcedo
