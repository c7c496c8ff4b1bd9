#include "alcedo/classifier/gram_svm.h"

#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/classifier/svm_testing.h"

namespace alcedo {
namespace {

double NaiveDot(const Rows& a, Index i, const Rows& b, Index j) {
  return a.row(i).cast<double>().dot(b.row(j).cast<double>());
}

TEST(GramMatrix, IsAllProducts) {
  for (const Index n : {1, 2, 63, 64, 65, 255, 256, 257, 600}) {
    const Rows rows = MakeProblem(n, 33, 2, n).rows;
    const Rows gram = GramMatrix(rows);
    ASSERT_EQ(gram.rows(), n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        ASSERT_EQ(gram(i, j), gram(j, i));
        if ((i * 7 + j) % 5 != 0) continue;
        ASSERT_NEAR(gram(i, j), NaiveDot(rows, i, rows, j), 1e-4);
      }
    }
    for (const int threads : {2, 3}) EXPECT_EQ(GramMatrix(rows, threads), gram);
    const SampleSource reader(n, 33, [&](Index begin, Index count, float* out) {
      std::copy_n(rows.row(begin).data(), count * 33, out);
    });
    EXPECT_EQ(GramMatrix(reader, 2), gram);
  }
  EXPECT_EQ(GramMatrix(Rows(0, 5)).size(), 0);
  EXPECT_EQ(GramMatrix(Rows(3, 0)), Rows::Zero(3, 3));
}

TEST(CrossGram, IsAllProductsOfBoth) {
  const Rows a = MakeProblem(300, 20, 2, 1).rows, b = MakeProblem(270, 20, 2, 2).rows;
  const Rows cross = CrossGram(a, b);
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 270; ++j) ASSERT_NEAR(cross(i, j), NaiveDot(a, i, b, j), 1e-4);
  }
  EXPECT_EQ(CrossGram(a, b, 3), cross);
  EXPECT_EQ(test::MessageOf([&] { CrossGram(a, Rows::Zero(2, 3)); }),
            "rows must have the 3 dimensions of the training rows, got 20");
}

// The conditions of the dual's optimum, from its formula.
TEST(GramSvm, ConditionsOfTheOptimumHold) {
  const SvmProblem problem = MakeProblem(230, 25, 3, 3, 2.5);
  const Rows gram = GramMatrix(problem.rows);
  for (const SvmLoss loss : {SvmLoss::kSquaredHinge, SvmLoss::kHinge}) {
    SvmOptions options{
        .c = 0.5, .loss = loss, .bias = 1.5, .tolerance = 1e-7, .max_iterations = 20000};
    const KernelModel model = TrainGramSvm(gram, problem.targets, options);
    const double most = loss == SvmLoss::kHinge ? 0.5 : std::numeric_limits<double>::infinity();
    for (Index c = 0; c < 3; ++c) {
      int free = 0;
      for (Index i = 0; i < 230; ++i) {
        const double y = problem.targets(c, i), alpha = y * model.coefficients(c, i);
        double gradient = -1;
        for (Index j = 0; j < 230; ++j) {
          gradient += y * model.coefficients(c, j) *
                      (NaiveDot(problem.rows, i, problem.rows, j) + 1.5 * 1.5);
        }
        if (loss == SvmLoss::kSquaredHinge) gradient += alpha / (2 * 0.5);
        EXPECT_GE(alpha, 0);
        EXPECT_LE(alpha, most);
        EXPECT_TRUE(alpha == most || gradient > -0.01) << i;
        EXPECT_TRUE(alpha == 0 || gradient < 0.01) << i;
        free += alpha > 0 && alpha < most;
      }
      EXPECT_GT(free, 5);
    }
  }
}

TEST(GramSvm, TheGapIsThatOfTheTwoObjectives) {
  const SvmProblem problem = MakeProblem(150, 25, 2, 4, 2.5);
  const Rows gram = GramMatrix(problem.rows);
  for (const SvmLoss loss : {SvmLoss::kSquaredHinge, SvmLoss::kHinge}) {
    for (const double tolerance : {0.2, 1e-2, 1e-4}) {
      SvmOptions options{.c = 0.5, .loss = loss, .balanced = true, .tolerance = tolerance};
      SvmReport report;
      const KernelModel model = TrainGramSvm(gram, problem.targets, options, &report);
      const double positive = static_cast<double>((problem.targets.row(0).array() > 0).count());
      double primal = 0, dual = 0;
      for (Index i = 0; i < 150; ++i) {
        const double y = problem.targets(0, i), alpha = y * model.coefficients(0, i);
        const double cost = 0.5 * 150 / 2 / (y > 0 ? positive : 150 - positive);
        double score = 0;
        for (Index j = 0; j < 150; ++j) {
          score += model.coefficients(0, j) * (NaiveDot(problem.rows, i, problem.rows, j) + 1);
        }
        const double slack = std::max(0.0, 1 - y * score), squares = y * alpha * score;
        primal += squares / 2 + cost * (loss == SvmLoss::kHinge ? slack : slack * slack);
        dual += alpha - squares / 2;
        if (loss == SvmLoss::kSquaredHinge) dual -= alpha * alpha / (4 * cost);
      }
      EXPECT_NEAR(report.gap[0], (primal - dual) / primal, 2e-6);
      EXPECT_TRUE(report.converged);
      EXPECT_EQ(report.solver, SvmSolver::kGram);
    }
  }
}

TEST(GramSvm, KernelAndLinearScoresAreTheSame) {
  const SvmProblem problem = MakeProblem(200, 70, 5, 5), other = MakeProblem(333, 70, 5, 6);
  const KernelModel model =
      TrainGramSvm(GramMatrix(problem.rows), problem.targets, {.c = 2, .bias = 0.7});
  const LinearModel linear = ToLinear(model, problem.rows);
  const Matrix scores = Scores(model, CrossGram(other.rows, problem.rows));
  EXPECT_LT((scores - Scores(linear, other.rows)).cwiseAbs().maxCoeff(), 1e-4);
  for (Index i = 0; i < 333; i += 50) {
    double score = 0;
    for (Index j = 0; j < 200; ++j) {
      score += model.coefficients(3, j) * (NaiveDot(other.rows, i, problem.rows, j) + 0.7 * 0.7);
    }
    EXPECT_NEAR(scores(i, 3), score, 1e-4);
  }
  EXPECT_EQ(Scores(model, CrossGram(other.rows, problem.rows), 3), scores);
  EXPECT_EQ(ToLinear(model, problem.rows, 3).weights, linear.weights);
}

TEST(GramSvm, ASumOfMatricesIsThatOfJoinedRows) {
  const SvmProblem a = MakeProblem(150, 30, 3, 7), b = MakeProblem(150, 50, 3, 8);
  Rows joined(150, 80);
  joined << a.rows, b.rows;
  const Rows sum = GramMatrix(a.rows) + GramMatrix(b.rows);
  const SvmOptions options{.tolerance = 1e-6};
  const KernelModel one = TrainGramSvm(sum, a.targets, options);
  const KernelModel two = TrainGramSvm(GramMatrix(joined), a.targets, options);
  EXPECT_LT((one.coefficients - two.coefficients).norm(), 3e-3 * two.coefficients.norm());
}

TEST(GramSvm, WarmStartsAlongCGiveTheColdSolution) {
  const SvmProblem problem = MakeProblem(300, 40, 4, 9, 2.5);
  const Rows gram = GramMatrix(problem.rows);
  for (const SvmLoss loss : {SvmLoss::kSquaredHinge, SvmLoss::kHinge}) {
    KernelModel path;
    for (const double c : {0.01, 0.1, 1.0, 0.05}) {
      const SvmOptions options{.c = c, .loss = loss, .tolerance = 1e-6, .max_iterations = 20000};
      const KernelModel cold = TrainGramSvm(gram, problem.targets, options);
      SvmReport report;
      path = TrainGramSvm(gram, problem.targets, options, &report,
                          path.coefficients.size() > 0 ? &path : nullptr);
      EXPECT_TRUE(report.converged);
      const LinearModel a = ToLinear(path, problem.rows), b = ToLinear(cold, problem.rows);
      for (Index k = 0; k < 4; ++k) EXPECT_GT(Cosine(Joined(a, k), Joined(b, k)), 0.99999);
      if (loss == SvmLoss::kHinge) {
        EXPECT_LE(path.coefficients.cwiseAbs().maxCoeff(), c);
      }
    }
    SvmReport again;
    const SvmOptions options{.c = 0.05, .loss = loss, .tolerance = 1e-5};
    TrainGramSvm(gram, problem.targets, options, &again, &path);
    for (const int iterations : again.iterations) EXPECT_EQ(iterations, 0);
  }
}

TEST(GramSvm, RefusesWhatItCannotUse) {
  const Targets targets = OneVsRest(std::vector{0, 1, 1}, 2);
  Rows gram = Rows::Identity(3, 3);
  const auto train = [&] { return test::MessageOf([&] { TrainGramSvm(gram, targets, {}); }); };
  EXPECT_EQ(train(), "(accepted)");
  gram(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(train(), "gram: row 2 has a value that is not finite");
  gram = -Rows::Identity(3, 3);
  EXPECT_EQ(train(), "gram: the diagonal must be >= 0, got -1 in row 0");
  gram = Rows::Constant(3, 3, -1e3F);
  gram.diagonal().setConstant(1);
  EXPECT_EQ(test::MessageOf([&] { TrainGramSvm(gram, Targets::Ones(1, 3), {}); }),
            "gram must be a matrix of products (symmetric, no negative eigenvalues): the descent "
            "does not converge");
  EXPECT_EQ(test::MessageOf([&] { TrainGramSvm(Rows::Zero(3, 2), targets, {}); }),
            "gram must be square, got 3 x 2");
  EXPECT_EQ(test::MessageOf([&] { TrainGramSvm(Rows::Zero(4, 4), targets, {}); }),
            "targets must have a column for each of the 4 samples, got 3");
  const KernelModel start{Matrix::Zero(1, 3), 1};
  EXPECT_EQ(
      test::MessageOf([&] { TrainGramSvm(Rows::Identity(3, 3), targets, {}, nullptr, &start); }),
      "warm start must be 2 x 3 coefficients, got 1 x 3");
  EXPECT_EQ(test::MessageOf([&] { ToLinear(start, Rows::Zero(2, 9)); }),
            "training rows must be the 3 of the model, got 2");
}

// Rows whose cosines are 0.99, as sums of kernel features have, and a C that tells them apart.
TEST(GramSvm, SolvesRowsThatHaveNearlyAllInCommon) {
  SvmProblem problem = MakeProblem(200, 60, 4, 11);
  problem.rows *= 0.02F;
  problem.rows.col(0).array() += 1;
  const Rows gram = GramMatrix(problem.rows);
  for (const double c : {1e2, 1e4}) {
    SvmReport report;
    const KernelModel model = TrainGramSvm(gram, problem.targets, {.c = c}, &report);
    EXPECT_TRUE(report.converged) << c;
    for (Index k = 0; k < 4; ++k) {
      for (Index i = 0; i < 200; ++i) {
        double score = 0;
        for (Index j = 0; j < 200; ++j) {
          score += model.coefficients(k, j) * (NaiveDot(problem.rows, i, problem.rows, j) + 1);
        }
        const double y = problem.targets(k, i), alpha = y * model.coefficients(k, i);
        // Either beyond the margin, or as far inside as alpha says.
        if (alpha == 0) {
          EXPECT_GT(y * score, 0.99) << c;
        } else {
          EXPECT_NEAR(alpha / (2 * c), 1 - y * score, 0.01) << c;
        }
      }
    }
  }
}

TEST(TrainGramSvm, RefusesTheSolverThatNeedsTheRows) {
  const Rows gram = Rows::Identity(2, 2);
  Targets targets(1, 2);
  targets << 1, -1;
  const test::Refused want{"svm.solver", "must be auto or gram for products of rows", "stream"};
  EXPECT_EQ(test::RefusalOf([&] { TrainGramSvm(gram, targets, {.solver = SvmSolver::kStream}); }),
            want);
}

TEST(ForPenalties, ReplacesCAlone) {
  const double cs[] = {0.5, 8};
  const std::vector<SvmOptions> path = ForPenalties(cs, {.c = 3, .bias = 2});
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0].c, 0.5);
  EXPECT_EQ(path[1].c, 8);
  EXPECT_EQ(path[1].bias, 2);
}

}  // namespace
}  // namespace alcedo
