#include "alcedo/classifier/newton_preconditioner.h"

#include <gtest/gtest.h>

#include <vector>

#include "alcedo/base/random.h"

namespace alcedo {
namespace {

constexpr Index kSamples = 160;

// A few directions that rows have in common, and a part of their own that is the same for all.
Rows MatrixOfProducts(double own) {
  Rng random(3);
  Matrix directions(6, kSamples);
  for (Index i = 0; i < directions.size(); ++i) directions.data()[i] = random.Normal();
  Matrix products = directions.transpose() * directions;
  products.diagonal().array() += own;
  return products.cast<float>();
}

// Two classes: other free samples, and other shifts.
struct Problem {
  Rows free = Rows::Zero(2, kSamples), shifts = Rows::Zero(2, kSamples);
  Rows residuals = Rows::Zero(2, kSamples);

  Problem() {
    Rng random(4);
    for (Index i = 0; i < kSamples; ++i) {
      free(0, i) = i % 3 == 0 ? 1 : 0;
      free(1, i) = i % 5 == 0 ? 0 : 1;
      shifts(0, i) = 0.7f;
      shifts(1, i) = i % 2 == 0 ? 0.1f : 2.0f;
      for (Index c = 0; c < 2; ++c) {
        residuals(c, i) = free(c, i) * static_cast<float>(random.Normal());
      }
    }
  }
};

TEST(NewtonPreconditioner, InvertsWhatRowsHaveInCommon) {
  constexpr double kBias = 1.5;
  const Rows gram = MatrixOfProducts(0.5);
  Problem problem;
  NewtonPreconditioner inverse(gram, kBias);
  EXPECT_GE(inverse.rank(), 7);  // with the constant feature
  inverse.Prepare(problem.free, problem.shifts);
  Rows solutions = Rows::Zero(2, kSamples);
  inverse.Apply(problem.residuals, {1, 1}, solutions);
  for (Index c = 0; c < 2; ++c) {
    // What the free rows and columns of the matrix and the shifts make of it must be what it was.
    for (Index i = 0; i < kSamples; ++i) {
      double sum = problem.shifts(c, i) * solutions(c, i);
      for (Index j = 0; j < kSamples; ++j) {
        sum += (gram(i, j) + kBias * kBias) * solutions(c, j);
      }
      EXPECT_NEAR(problem.free(c, i) * sum, problem.residuals(c, i), 0.02) << c << " " << i;
      if (problem.free(c, i) == 0) {
        EXPECT_EQ(solutions(c, i), 0);
      }
    }
  }
}

TEST(NewtonPreconditioner, LeavesClassesThatAreNotWanted) {
  Problem problem;
  NewtonPreconditioner inverse(MatrixOfProducts(0.5), 1);
  inverse.Prepare(problem.free, problem.shifts);
  Rows both = Rows::Zero(2, kSamples), second = Rows::Constant(2, kSamples, 7);
  inverse.Apply(problem.residuals, {1, 1}, both);
  inverse.Apply(problem.residuals, {0, 1}, second);
  for (Index i = 0; i < kSamples; ++i) {
    EXPECT_EQ(second(0, i), 7);
    EXPECT_NEAR(second(1, i), both(1, i), 1e-5);
  }
}

TEST(NewtonPreconditioner, OfAMatrixOfZerosIsFinite) {
  Problem problem;
  problem.shifts.row(1).setZero();  // as that of the hinge
  for (const double bias : {0.0, 1.0}) {
    NewtonPreconditioner inverse(Rows::Zero(kSamples, kSamples), bias);
    inverse.Prepare(problem.free, problem.shifts);
    Rows solutions = Rows::Zero(2, kSamples);
    inverse.Apply(problem.residuals, {1, 1}, solutions);
    EXPECT_TRUE(solutions.allFinite()) << bias;
  }
}

TEST(NewtonPreconditioner, OfFewSamplesIsADivision) {
  const Rows gram = MatrixOfProducts(0.5).topLeftCorner(5, 5);
  NewtonPreconditioner inverse(gram, 0);
  EXPECT_EQ(inverse.rank(), 0);
  inverse.Prepare(Rows::Ones(1, 5), Rows::Ones(1, 5));
  Rows solutions = Rows::Zero(1, 5);
  inverse.Apply(Rows::Ones(1, 5), {1}, solutions);
  const double mean = gram.diagonal().cast<double>().mean();
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(solutions(0, i), 1 / (mean + 1), 1e-5);
}

}  // namespace
}  // namespace alcedo
