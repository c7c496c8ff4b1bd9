#include "alcedo/classifier/platt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/svm_testing.h"

namespace alcedo {
namespace {

// Scores of two classes with overlap; every 7th sample is left out of the second.
struct Scored {
  Matrix scores;
  Targets targets;
};
Scored MakeScores(Index count, double scale) {
  Rng rng(1);
  Scored s{Matrix(count, 2), Targets(2, count)};
  for (Index i = 0; i < count; ++i) {
    for (Index c = 0; c < 2; ++c) {
      const int y = rng.Uniform() < 0.3 ? 1 : -1;
      s.targets(c, i) = static_cast<std::int8_t>(c == 1 && i % 7 == 0 ? 0 : y);
      s.scores(i, c) = scale * (y + 1.2 * rng.Normal() - 0.4 * static_cast<double>(c));
    }
  }
  return s;
}

TEST(Platt, IsTheMaximumOfTheLikelihood) {
  const Scored data = MakeScores(400, 1);
  const PlattScaling platt = FitPlatt(data.scores, data.targets);
  for (Index c = 0; c < 2; ++c) {
    double positive = 0, negative = 0;
    for (Index i = 0; i < 400; ++i) {
      positive += data.targets(c, i) > 0;
      negative += data.targets(c, i) < 0;
    }
    double a = 0, b = 0;
    for (int step = 0; step < 20000; ++step) {  // plain gradient descent
      double ga = 0, gb = 0;
      for (Index i = 0; i < 400; ++i) {
        if (data.targets(c, i) == 0) continue;
        const double t =
            data.targets(c, i) > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2);
        const double p = 1 / (1 + std::exp(a * data.scores(i, c) + b));
        ga += (t - p) * data.scores(i, c);
        gb += t - p;
      }
      a -= 2e-3 * ga;
      b -= 2e-3 * gb;
    }
    EXPECT_NEAR(platt.a[c], a, 1e-6);
    EXPECT_NEAR(platt.b[c], b, 1e-6);
    EXPECT_LT(platt.a[c], 0);
  }
}

TEST(Platt, ScalesWithTheScores) {
  const PlattScaling one = FitPlatt(MakeScores(300, 1).scores, MakeScores(300, 1).targets);
  for (const double scale : {1e-200, 1e-12, 1e12, 1e200}) {
    const Scored data = MakeScores(300, scale);
    const PlattScaling platt = FitPlatt(data.scores, data.targets);
    for (Index c = 0; c < 2; ++c) {
      EXPECT_NEAR(platt.a[c] * scale, one.a[c], 1e-6);
      EXPECT_NEAR(platt.b[c], one.b[c], 1e-6);
    }
  }
}

TEST(Platt, ProbabilitiesFollowTheFormulaAndNeverOverflow) {
  PlattScaling platt{Vector::Constant(1, -2), Vector::Constant(1, 0.5)};
  Matrix scores(5, 1);
  scores << 0.3, -4, 1e5, -1e5, 1e308;
  const Matrix p = Probabilities(platt, scores);
  EXPECT_NEAR(p(0, 0), 1 / (1 + std::exp(-2 * 0.3 + 0.5)), 1e-15);
  EXPECT_NEAR(p(1, 0), 1 / (1 + std::exp(8.5)), 1e-15);
  EXPECT_EQ(p(2, 0), 1);
  EXPECT_EQ(p(3, 0), 0);
  EXPECT_EQ(p(4, 0), 1);
}

TEST(Platt, DegenerateClassesStayFinite) {
  const Matrix none(0, 1);
  PlattScaling platt = FitPlatt(none, Targets(1, 0));
  EXPECT_EQ(platt.a[0], 0);
  EXPECT_NEAR(Probabilities(platt, Matrix::Ones(1, 1))(0, 0), 0.5, 1e-12);
  platt = FitPlatt(Matrix::Zero(6, 1), Targets::Constant(1, 6, -1));
  EXPECT_NEAR(Probabilities(platt, Matrix::Zero(1, 1))(0, 0), 1.0 / 8, 1e-6);
  // Separable: the smoothed targets keep the slope finite.
  Matrix scores(4, 1);
  scores << -2, -1, 1, 2;
  Targets targets(1, 4);
  targets << -1, -1, 1, 1;
  platt = FitPlatt(scores, targets);
  EXPECT_TRUE(platt.a.allFinite() && platt.b.allFinite());
  EXPECT_NEAR(Probabilities(platt, Matrix::Zero(1, 1))(0, 0), 0.5, 1e-6);
}

TEST(Platt, RefusesWhatItCannotUse) {
  Scored data = MakeScores(20, 1);
  EXPECT_EQ(test::MessageOf([&] { FitPlatt(Matrix::Zero(20, 3), data.targets); }),
            "scores must have a column for each of the 2 classes, got 3");
  data.scores(11, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(test::MessageOf([&] { FitPlatt(data.scores, data.targets); }),
            "scores: row 11 has a value that is not finite");
  EXPECT_EQ(
      test::MessageOf([&] { Probabilities({Vector::Ones(2), Vector::Ones(2)}, data.scores); }),
      "scores: row 11 has a value that is not finite");
}

TEST(CrossValidatedScores, AreThoseOfMachinesThatDidNotSeeTheSample) {
  const SvmProblem problem = MakeProblem(120, 40, 3, 2);
  std::vector<int> folds;
  for (Index i = 0; i < 120; ++i) folds.push_back(static_cast<int>(i * i % 7 - 1));
  SvmOptions options;
  options.c = 2;
  options.tolerance = 1e-6;
  const Matrix scores =
      CrossValidatedScores(GramMatrix(problem.rows), problem.targets, folds, options);
  for (const int fold : {-1, 0, 1, 3}) {
    std::vector<Index> in, out;
    for (Index i = 0; i < 120; ++i) (folds[i] == fold ? out : in).push_back(i);
    const Rows rows = problem.rows(in, Eigen::all), held = problem.rows(out, Eigen::all);
    const Targets targets = problem.targets(Eigen::all, in);
    const Matrix expected = Scores(TrainLinearSvm(rows, targets, options), held);
    const Matrix seen = scores(out, Eigen::all);
    EXPECT_LT((seen - expected).cwiseAbs().maxCoeff(), 5e-3) << fold;
  }
  EXPECT_EQ(test::MessageOf([&] {
              CrossValidatedScores(GramMatrix(problem.rows), problem.targets,
                                   std::vector<int>(120, 3), options);
            }),
            "number of folds must be >= 2, got 1");
}

}  // namespace
}  // namespace alcedo
