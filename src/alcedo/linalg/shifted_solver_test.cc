#include "alcedo/linalg/shifted_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

// Fills the solver with F F^T for a random F of n x rank, and returns the full matrix.
Matrix Fill(ShiftedSolver& solver, Index n, Index rank, std::uint64_t seed) {
  Rng rng(seed);
  Matrix f(n, rank);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < rank; ++j) f(i, j) = rng.Normal();
  }
  const Matrix m = f * f.transpose();
  double* to = solver.Reset(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) to[i * n + j] = j <= i ? m(i, j) : std::nan("");
  }
  return m;
}

TEST(ShiftedSolver, SolvesForEveryShiftByBothWays) {
  ShiftedSolver solver;
  for (Index n : {1, 2, 17}) {
    for (bool many : {false, true}) {
      const Matrix m = Fill(solver, n, n, n);
      for (double shift : {1e-6, 1.0, 1e9}) {
        solver.Prepare(shift, 1e-6, many);
        Vector x = Vector::LinSpaced(n, 1, 2);
        const Vector b = x;
        solver.Solve(x.data());
        EXPECT_LE((m * x + shift * x - b).norm(), 1e-9 * b.norm());
        EXPECT_EQ(solver.rank(), n);
      }
    }
  }
}

TEST(ShiftedSolver, ZeroShiftIsThePseudoInverse) {
  ShiftedSolver solver;
  const Matrix m = Fill(solver, 12, 5, 3);
  solver.Prepare(0, 1e-6);
  EXPECT_EQ(solver.rank(), 5);
  // The four conditions of Penrose, with the pseudo-inverse built column by column.
  Matrix p(12, 12);
  for (Index i = 0; i < 12; ++i) {
    Vector e = Vector::Unit(12, i);
    solver.Solve(e.data());
    p.col(i) = e;
  }
  EXPECT_LE((m * p * m - m).norm(), 1e-10 * m.norm());
  EXPECT_LE((p * m * p - p).norm(), 1e-10 * p.norm());
  EXPECT_LE((m * p - (m * p).transpose()).norm(), 1e-10);
  EXPECT_LE((p * m - (p * m).transpose()).norm(), 1e-10);
}

TEST(ShiftedSolver, ZeroMatrixGivesZeroForZeroShift) {
  ShiftedSolver solver;
  double* m = solver.Reset(3);
  std::fill_n(m, 9, 0.0);
  solver.Prepare(0, 1e-6);
  Vector x = Vector::Ones(3);
  solver.Solve(x.data());
  EXPECT_EQ(x.norm(), 0);
  EXPECT_EQ(solver.rank(), 0);
}

TEST(ShiftedSolver, FallsBackToEigenvaluesWhereCholeskyFails) {
  // Rank one, and a shift far below what double can see beside it.
  ShiftedSolver solver;
  double* m = solver.Reset(3);
  std::fill_n(m, 9, 1.0);
  solver.Prepare(1e-30, 1e-6);
  Vector x = Vector::Ones(3);
  solver.Solve(x.data());
  for (double v : x) EXPECT_NEAR(v, 1.0 / 3, 1e-9);
}

TEST(ShiftedSolver, MultipliesByTheSymmetricMatrix) {
  ShiftedSolver solver;
  const Matrix m = Fill(solver, 6, 6, 4);
  const Vector x = Vector::LinSpaced(6, -1, 3);
  Vector y(6);
  solver.Multiply(x.data(), y.data());
  EXPECT_LE((y - m * x).norm(), 1e-12 * y.norm());
}

}  // namespace
}  // namespace alcedo
