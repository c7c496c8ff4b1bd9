#include "alcedo/classifier/linear_svm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/classifier/svm_testing.h"

namespace alcedo {
namespace {

constexpr SvmLoss kLosses[] = {SvmLoss::kSquaredHinge, SvmLoss::kHinge};
constexpr SvmSolver kSolvers[] = {SvmSolver::kGram, SvmSolver::kStream};

SvmOptions Options(SvmLoss loss, SvmSolver solver, double tolerance = 1e-6) {
  SvmOptions options;
  options.loss = loss;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return options;
}

TEST(LinearSvm, AgreesWithLiblinear) {
  const SvmProblem wide = MakeProblem(90, 150, 3, 1), tall = MakeProblem(300, 12, 3, 2, 2.5);
  for (const SvmProblem* problem : {&wide, &tall}) {
    for (const SvmLoss loss : kLosses) {
      for (const double bias : {0.0, 1.0, 2.5}) {
        for (const bool balanced : {false, true}) {
          for (const SvmSolver solver : kSolvers) {
            SvmOptions options = Options(loss, solver, loss == SvmLoss::kHinge ? 1e-5 : 2e-6);
            options.bias = bias;
            options.balanced = balanced;
            // liblinear gives up after 1,000 passes: tall problems at C where it does not need
            // them.
            options.c = (balanced ? 0.7 : 3) * (problem == &tall ? 0.02 : 1);
            SvmReport report;
            const LinearModel model =
                TrainLinearSvm(problem->rows, problem->targets, options, &report);
            const Matrix scores = Scores(model, problem->rows);
            EXPECT_TRUE(report.converged);
            EXPECT_EQ(report.solver, solver);
            for (Index c = 0; c < 3; ++c) {
              SCOPED_TRACE(testing::Message()
                           << Name(loss) << " " << Name(solver) << " bias " << bias << " class "
                           << c << " gap " << report.gap[c]);
              const Vector theirs = LiblinearWeights(*problem, c, options);
              EXPECT_GT(Cosine(Joined(model, c), theirs), 0.99999);
              EXPECT_NEAR(Joined(model, c).norm() / theirs.norm(), 1, 3e-3);
              EXPECT_NEAR(NaivePrimal(*problem, c, options, Joined(model, c)) /
                              NaivePrimal(*problem, c, options, theirs),
                          1, 2e-5);
              for (Index i = 0; i < problem->rows.rows(); ++i) {
                const double score =
                    theirs.head(problem->rows.cols()).dot(problem->rows.row(i).cast<double>()) +
                    theirs[problem->rows.cols()];
                EXPECT_TRUE(std::abs(score) < 1e-2 || (score > 0) == (scores(i, c) > 0)) << i;
              }
            }
          }
        }
      }
    }
  }
}

TEST(LinearSvm, BothFormsAndAllKindsOfRowsAgree) {
  const SvmProblem problem = MakeProblem(500, 40, 12, 3);
  Rows wide = Rows::Constant(500, 60, 99);
  wide.middleCols(7, 40) = problem.rows;
  const SampleSource memory(problem.rows);
  const SampleSource reader(500, 40, [&](Index begin, Index count, float* out) {
    std::copy_n(problem.rows.row(begin).data(), count * 40, out);
  });
  for (const SvmLoss loss : kLosses) {
    LinearModel models[2];
    for (int s = 0; s < 2; ++s) {
      const SvmOptions options = Options(loss, kSolvers[s], 1e-5);
      models[s] = TrainLinearSvm(problem.rows, problem.targets, options);
      for (const LinearModel& other :
           {TrainLinearSvm(wide.middleCols(7, 40), problem.targets, options),
            TrainLinearSvm(memory, problem.targets, options),
            TrainLinearSvm(reader, problem.targets, options)}) {
        EXPECT_EQ(other.weights, models[s].weights);
        EXPECT_EQ(other.bias, models[s].bias);
      }
    }
    for (Index c = 0; c < 12; ++c) {
      EXPECT_GT(Cosine(Joined(models[0], c), Joined(models[1], c)), 0.9999) << Name(loss);
    }
  }
}

TEST(LinearSvm, SameBitsForAnyNumberOfThreads) {
  const SvmProblem problem = MakeProblem(700, 90, 60, 4);
  for (const SvmLoss loss : kLosses) {
    for (const SvmSolver solver : kSolvers) {
      SvmOptions options = Options(loss, solver, 1e-2);
      SvmReport one_report;
      const LinearModel one = TrainLinearSvm(problem.rows, problem.targets, options, &one_report);
      const Matrix scores = Scores(one, problem.rows);
      for (const int threads : {2, 3}) {
        options.threads = threads;
        SvmReport report;
        const LinearModel many = TrainLinearSvm(problem.rows, problem.targets, options, &report);
        EXPECT_EQ(many.weights, one.weights);
        EXPECT_EQ(many.bias, one.bias);
        EXPECT_EQ(report.gap, one_report.gap);
        EXPECT_EQ(report.iterations, one_report.iterations);
        EXPECT_EQ(Scores(many, problem.rows, threads), scores);
      }
    }
  }
}

TEST(LinearSvm, TheGapThatIsReportedIsATrueBound) {
  SvmProblem problem = MakeProblem(200, 30, 3, 5, 2.5);
  problem.targets.row(1).head(60).setZero();
  for (const SvmLoss loss : kLosses) {
    for (const SvmSolver solver : kSolvers) {
      SvmOptions options = Options(loss, solver);
      for (const double tolerance : {0.3, 1e-1, 1e-2, 1e-4}) {
        options.tolerance = tolerance;
        SvmReport report;
        const LinearModel model = TrainLinearSvm(problem.rows, problem.targets, options, &report);
        EXPECT_TRUE(report.converged);
        for (Index c = 0; c < 3; ++c) {
          const double ours = NaivePrimal(problem, c, options, Joined(model, c));
          const double best =
              NaivePrimal(problem, c, options, LiblinearWeights(problem, c, options));
          EXPECT_LE(report.gap[c], tolerance);
          EXPECT_GE(report.gap[c] + 1e-6, (ours - best) / ours) << Name(loss) << Name(solver);
        }
      }
    }
  }
}

TEST(LinearSvm, SamplesOfTargetZeroDoNotExist) {
  SvmProblem problem = MakeProblem(240, 20, 2, 6, 2.5);
  std::vector<Index> kept;
  for (Index i = 0; i < 240; ++i) {
    if (i % 3 != 1) {
      kept.push_back(i);
    } else {
      problem.targets(0, i) = 0;
    }
  }
  const Rows rows = problem.rows(kept, Eigen::all);
  const Targets targets = problem.targets(std::vector<Index>{0}, kept);
  for (const SvmLoss loss : kLosses) {
    for (const SvmSolver solver : kSolvers) {
      SvmOptions options = Options(loss, solver);
      options.balanced = true;
      const LinearModel with = TrainLinearSvm(problem.rows, problem.targets, options);
      const LinearModel without = TrainLinearSvm(rows, targets, options);
      EXPECT_GT(Cosine(Joined(with, 0), Joined(without, 0)), 0.99999);
      EXPECT_NEAR(Joined(with, 0).norm(), Joined(without, 0).norm(),
                  2e-3 * Joined(without, 0).norm());
    }
  }
}

TEST(LinearSvm, AWarmStartSavesPassesAndChangesNothing) {
  const SvmProblem problem = MakeProblem(300, 80, 4, 7);
  for (const SvmLoss loss : kLosses) {
    for (const SvmSolver solver : kSolvers) {
      SvmOptions options = Options(loss, solver, 1e-5);
      options.c = 2;
      SvmReport cold, warm, again;
      const LinearModel first = TrainLinearSvm(problem.rows, problem.targets, options, &cold);
      TrainLinearSvm(problem.rows, problem.targets, options, &again, &first);
      options.c = 3;
      const LinearModel from_zero = TrainLinearSvm(problem.rows, problem.targets, options);
      const LinearModel model =
          TrainLinearSvm(problem.rows, problem.targets, options, &warm, &first);
      EXPECT_TRUE(warm.converged);
      for (Index c = 0; c < 4; ++c) {
        EXPECT_GT(Cosine(Joined(model, c), Joined(from_zero, c)), 0.99998);
        if (loss == SvmLoss::kHinge) continue;
        EXPECT_LE(again.iterations[c], cold.iterations[c] / 2);
      }
    }
  }
}

TEST(LinearSvm, AutoTakesTheGramMatrixWhereItIsSmall) {
  SvmReport report;
  SvmOptions options;
  const SvmProblem wide = MakeProblem(60, 60, 2, 8), tall = MakeProblem(61, 60, 2, 8);
  TrainLinearSvm(wide.rows, wide.targets, options, &report);
  EXPECT_EQ(report.solver, SvmSolver::kGram);
  TrainLinearSvm(tall.rows, tall.targets, options, &report);
  EXPECT_EQ(report.solver, SvmSolver::kStream);
  options.max_memory_mib = 0.01;
  TrainLinearSvm(wide.rows, wide.targets, options, &report);
  EXPECT_EQ(report.solver, SvmSolver::kStream);
}

TEST(LinearSvm, SaysWhenPassesRunOut) {
  const SvmProblem problem = MakeProblem(300, 30, 3, 9, 3);
  for (const SvmLoss loss : kLosses) {
    for (const SvmSolver solver : kSolvers) {
      SvmOptions options = Options(loss, solver, 1e-6);
      options.max_iterations = 2;
      SvmReport report;
      EXPECT_TRUE(
          TrainLinearSvm(problem.rows, problem.targets, options, &report).weights.allFinite());
      EXPECT_FALSE(report.converged);
      for (const int iterations : report.iterations) EXPECT_EQ(iterations, 2);
    }
  }
}

TEST(LinearSvm, RefusesWhatItCannotUse) {
  SvmProblem problem = MakeProblem(200, 5, 2, 10);
  const auto train = [&](const SvmOptions& options) {
    return test::MessageOf([&] { TrainLinearSvm(problem.rows, problem.targets, options); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(train({.c = 0}), "svm.c must be from 1e-12 to 1e12, got 0");
  EXPECT_EQ(train({.c = -1}), "svm.c must be from 1e-12 to 1e12, got -1");
  EXPECT_EQ(train({.c = nan}), "svm.c must be from 1e-12 to 1e12, got nan");
  EXPECT_EQ(train({.bias = -1}), "svm.bias must be from 0 to 1e6, got -1");
  EXPECT_EQ(train({.tolerance = nan}), "svm.tolerance must be finite and >= 0, got nan");
  EXPECT_EQ(train({.max_iterations = 0}), "svm.max_iterations must be >= 1, got 0");
  EXPECT_EQ(train({.max_memory_mib = -1}), "svm.max_memory_mib must be >= 0, got -1");
  const LinearModel wrong{Rows::Zero(2, 4), Vector::Zero(2)};
  EXPECT_EQ(
      test::MessageOf([&] { TrainLinearSvm(problem.rows, problem.targets, {}, nullptr, &wrong); }),
      "warm start must be 2 x 5 weights and 2 biases, got 2 x 4 and 2");
  EXPECT_EQ(test::MessageOf([&] { TrainLinearSvm(problem.rows.topRows(9), problem.targets, {}); }),
            "targets must have a column for each of the 9 samples, got 200");
  problem.targets(1, 7) = 3;
  EXPECT_EQ(train({}), "targets: class 1, sample 7 must be -1, 0 or 1, got 3");
  problem.targets(1, 7) = 1;
  for (const SvmSolver solver : kSolvers) {
    problem.rows(123, 4) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(train({.solver = solver}), "rows: row 123, column 4 is NaN");
    problem.rows(123, 4) = std::numeric_limits<float>::infinity();
    EXPECT_EQ(train({.solver = solver}), "rows: row 123, column 4 is infinite");
    problem.rows(123, 4) = 1e16F;
    EXPECT_EQ(train({.solver = solver}),
              "rows: the norm of row 123 must be at most 1e+15, got 1e+16");
  }
  EXPECT_EQ(test::MessageOf([&] { Scores(wrong, problem.rows); }),
            "rows must have the 4 dimensions of the model, got 5");
  EXPECT_EQ(test::MessageOf([] { OneVsRest(std::vector{0, 2}, 2); }),
            "label of sample 1 must be from 0 to 1, got 2");
}

}  // namespace
}  // namespace alcedo
