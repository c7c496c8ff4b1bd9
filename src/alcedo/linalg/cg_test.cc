#include "alcedo/linalg/cg.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/shifted_cg.h"

// Counts allocations, to show that the solvers make none. Sanitizers bring their own malloc.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ALCEDO_COUNTS_ALLOCATIONS
static std::size_t allocations = 0;
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}
#endif

namespace alcedo {
namespace {

// A = Q diag(values) Q^T with Q a product of reflections: its solutions are known.
struct TestOperator {
  Vector values;
  Matrix q;
  int products = 0;
  Index size() const { return values.size(); }
  void Apply(Index count, const double* p, double* y) {
    for (Index k = 0; k < count; ++k) {
      ++products;
      for (Index i = 0; i < size(); ++i) y[k * size() + i] = 0;
      for (Index e = 0; e < size(); ++e) {
        double dot = 0;
        for (Index i = 0; i < size(); ++i) dot += q(e, i) * p[k * size() + i];
        for (Index i = 0; i < size(); ++i) y[k * size() + i] += values[e] * dot * q(e, i);
      }
    }
  }
  Vector Solution(const Vector& b, double shift) const {
    Vector x = Vector::Zero(size());
    for (Index e = 0; e < size(); ++e) {
      if (values[e] + shift > 0)
        x += q.row(e).transpose() * (q.row(e).dot(b) / (values[e] + shift));
    }
    return x;
  }
};

TestOperator MakeOperator(Index n, double decades, std::uint64_t seed) {
  Rng rng(seed);
  TestOperator a{Vector(n), Matrix::Identity(n, n)};
  for (Index i = 0; i < n; ++i)
    a.values[i] = std::pow(10.0, -decades * i / std::max<Index>(n - 1, 1));
  for (int k = 0; k < 3; ++k) {
    Vector v(n);
    for (double& x : v) x = rng.Normal();
    a.q -= Matrix(a.q * v) * v.transpose() * (2 / v.squaredNorm());
  }
  return a;
}

Vector RandomVector(Index n, std::uint64_t seed) {
  Rng rng(seed);
  Vector v(n);
  for (double& x : v) x = rng.Normal();
  return v;
}

Eigen::Map<EigenMatrix> MapOf(Matrix& m) { return {m.data(), m.rows(), m.cols()}; }

TEST(Cg, ReachesTheSolutionAndReportsTheTrueResidual) {
  for (double shift : {1e-3, 1.0, 1e6}) {
    TestOperator a = MakeOperator(40, 6, 1);
    const Vector b = RandomVector(40, 2);
    Vector x = Vector::Zero(40);
    std::vector<double> workspace;
    CgOptions options;
    options.accuracy = 1e-8;
    const CgReport report = SolveCg(a, b, shift, options, x, workspace);
    EXPECT_TRUE(report.converged());
    const Vector want = a.Solution(b, shift);
    EXPECT_LE((x - want).norm(), 1.01e-8 * want.norm());
    EXPECT_LE((x - want).norm(), 1.01 * report.error_bound * x.norm());
    Vector product(40);
    a.Apply(1, x.data(), product.data());
    EXPECT_NEAR(report.residual, (b - product - shift * x).norm() / b.norm(), 1e-12);
  }
}

TEST(Cg, OneProductPerIterationAndOneForTheResidual) {
  TestOperator a = MakeOperator(30, 2, 3);
  Vector x = Vector::Zero(30);
  std::vector<double> workspace;
  const CgReport report = SolveCg(a, RandomVector(30, 4), 0.1, {}, x, workspace);
  EXPECT_EQ(a.products, report.iterations + 1);
}

TEST(Cg, ZeroShiftGivesTheMinimumNorm) {
  TestOperator a = MakeOperator(20, 2, 5);
  a.values.tail(8).setZero();
  Vector b(20);
  const Vector any = RandomVector(20, 6);
  a.Apply(1, any.data(), b.data());  // b in the range
  Vector x = Vector::Zero(20);
  std::vector<double> workspace;
  CgOptions options;
  options.tolerance = 1e-12;
  EXPECT_TRUE(SolveCg(a, b, 0, options, x, workspace).converged());
  const Vector want = a.Solution(b, 0);
  EXPECT_LE((x - want).norm(), 1e-8 * want.norm());
}

TEST(Cg, SaysWhenItStoppedEarly) {
  TestOperator a = MakeOperator(60, 8, 7);
  const Vector b = RandomVector(60, 8);
  Vector x = Vector::Zero(60);
  std::vector<double> workspace;
  CgOptions options;
  options.max_iterations = 3;
  CgReport report = SolveCg(a, b, 1e-8, options, x, workspace);
  EXPECT_EQ(report.stop, CgReport::Stop::kMaxIterations);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, options.tolerance);
  // Beyond what double can do: it must end, and say so.
  options.max_iterations = 100000;
  options.tolerance = 1e-30;
  x.setZero();
  report = SolveCg(a, b, 1e-8, options, x, workspace);
  EXPECT_EQ(report.stop, CgReport::Stop::kStagnated);
}

// Like bursty images: two eigenvalues far above a tail of small ones.
TestOperator MakeBurstyOperator(Index n, std::uint64_t seed) {
  TestOperator a = MakeOperator(n, 2, seed);
  a.values *= 0.1;
  a.values[0] = 3e3;
  a.values[1] = 1e3;
  return a;
}

TEST(Cg, DoesNotGiveUpForAFewLargeEigenvalues) {
  TestOperator a = MakeBurstyOperator(120, 21);
  const Vector b = RandomVector(120, 22);
  CgOptions options;
  options.tolerance = 1e-4;
  options.max_iterations = 64;
  options.give_up_early = true;
  Vector x = Vector::Zero(120);
  std::vector<double> workspace;
  EXPECT_TRUE(SolveCg(a, b, 0.01, options, x, workspace).converged());
  const std::vector<double> shifts = {0.01, 1};
  Matrix path(2, 120);
  ShiftedCgWorkspace shifted;
  SolveShiftedCg(a, b, shifts, options, MapOf(path), shifted);
  for (const CgReport& report : shifted.reports) EXPECT_TRUE(report.converged());
}

TEST(Cg, GivesUpLongBeforeItsLastIterationIfProgressIsTooSlow) {
  TestOperator a = MakeOperator(300, 8, 23);
  const Vector b = RandomVector(300, 24);
  for (const int most : {8, 64}) {  // by the bound, and by what was gained
    CgOptions options;
    options.tolerance = 1e-6;
    options.max_iterations = most;
    options.give_up_early = true;
    Vector x = Vector::Zero(300);
    std::vector<double> workspace;
    const CgReport report = SolveCg(a, b, 1e-8, options, x, workspace);
    EXPECT_EQ(report.stop, CgReport::Stop::kMaxIterations);
    EXPECT_LE(report.iterations, most / 2);
    Matrix path(1, 300);
    ShiftedCgWorkspace shifted;
    SolveShiftedCg(a, b, std::vector<double>{1e-8}, options, MapOf(path), shifted);
    EXPECT_FALSE(shifted.reports[0].converged());
    EXPECT_LE(shifted.reports[0].iterations, most / 2);
  }
}

TEST(Cg, HugeShiftsDoNotUnderflow) {
  TestOperator a = MakeOperator(10, 1, 18);
  const Vector b = RandomVector(10, 19);
  for (double shift : {1e170, 1e200}) {
    Vector x = Vector::Zero(10);
    std::vector<double> workspace;
    CgOptions options;
    options.accuracy = 1e-6;
    EXPECT_TRUE(SolveCg(a, b, shift, options, x, workspace).converged());
    EXPECT_LE((x * shift - b).norm(), 1e-6 * b.norm());
  }
}

TEST(Cg, ZeroRightSideGivesZero) {
  TestOperator a = MakeOperator(5, 1, 9);
  Vector x = Vector::Ones(5);
  std::vector<double> workspace;
  EXPECT_TRUE(SolveCg(a, Vector::Zero(5), 1, {}, x, workspace).converged());
  EXPECT_EQ(x.norm(), 0);
}

#ifdef ALCEDO_COUNTS_ALLOCATIONS
TEST(Cg, AllocatesNothingOnceItsWorkspaceExists) {
  TestOperator a = MakeOperator(30, 3, 10);
  const Vector b = RandomVector(30, 11);
  Vector x = Vector::Zero(30);
  std::vector<double> workspace;
  SolveCg(a, b, 0.01, {}, x, workspace);
  x.setZero();
  const std::size_t before = allocations;
  const CgReport report = SolveCg(a, b, 0.01, {}, x, workspace);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(report.iterations, 5);

  const std::vector<double> shifts = {1, 0.01, 100};
  Matrix path(3, 30);
  ShiftedCgWorkspace shifted;
  SolveShiftedCg(a, b, shifts, {}, MapOf(path), shifted);
  const std::size_t before_path = allocations;
  SolveShiftedCg(a, b, shifts, {}, MapOf(path), shifted);
  EXPECT_EQ(allocations, before_path);
}
#endif

TEST(ShiftedCg, EveryShiftEqualsItsOwnSolve) {
  for (double decades : {1.0, 4.0, 8.0}) {
    TestOperator a = MakeOperator(50, decades, 12);
    const Vector b = RandomVector(50, 13);
    const std::vector<double> shifts = {10, 1e-3, 1, 1e-3, 1e5, 0.1};
    Matrix x(6, 50);
    ShiftedCgWorkspace workspace;
    CgOptions options;
    options.accuracy = 1e-9;
    SolveShiftedCg(a, b, shifts, options, MapOf(x), workspace);
    for (int l = 0; l < 6; ++l) {
      const Vector want = a.Solution(b, shifts[l]);
      EXPECT_TRUE(workspace.reports[l].converged());
      EXPECT_LE((x.row(l).transpose() - want).norm(), 1.01e-9 * want.norm()) << shifts[l];
    }
  }
}

TEST(ShiftedCg, CostsAsManyProductsAsTheSmallestShift) {
  TestOperator a = MakeOperator(50, 3, 14);
  const Vector b = RandomVector(50, 15);
  const std::vector<double> shifts = {10, 1e-3, 1, 0.1};
  Matrix x(4, 50);
  ShiftedCgWorkspace workspace;
  SolveShiftedCg(a, b, shifts, {}, MapOf(x), workspace);
  const int path = a.products;
  a.products = 0;
  Vector alone = Vector::Zero(50);
  std::vector<double> own;
  SolveCg(a, b, 1e-3, {}, alone, own);
  EXPECT_LE(path, a.products + 5) << "one residual per shift may come on top";
}

TEST(ShiftedCg, NothingToDoIsFine) {
  TestOperator a = MakeOperator(4, 1, 16);
  ShiftedCgWorkspace workspace;
  Matrix none(0, 4), one(1, 4);
  SolveShiftedCg(a, RandomVector(4, 17), {}, {}, MapOf(none), workspace);
  const std::vector<double> shifts = {1};
  SolveShiftedCg(a, Vector::Zero(4), shifts, {}, MapOf(one), workspace);
  EXPECT_EQ(one.norm(), 0);
}

}  // namespace
}  // namespace alcedo
