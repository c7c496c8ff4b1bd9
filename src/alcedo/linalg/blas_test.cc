#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/base/random.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

std::vector<double> RandomValues(Index count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(count);
  for (double& v : values) v = rng.Normal();
  return values;
}

TEST(Blas, GramAndKernelAreNaiveSums) {
  const Index rows = 7, cols = 5;
  const auto a = RandomValues(rows * cols, 1);
  std::vector<double> gram(cols * cols, 1.0), kernel(rows * rows, 2.0);
  blas::AddGram(a.data(), rows, cols, cols, gram.data(), cols);
  blas::AddKernel(a.data(), rows, cols, cols, kernel.data(), rows);
  for (Index i = 0; i < cols; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 1;
      for (Index k = 0; k < rows; ++k) sum += a[k * cols + i] * a[k * cols + j];
      EXPECT_NEAR(gram[i * cols + j], sum, 1e-13);
      if (j < i) {
        EXPECT_EQ(gram[j * cols + i], 1.0) << "the upper triangle is not ours";
      }
    }
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 2;
      for (Index k = 0; k < cols; ++k) sum += a[i * cols + k] * a[j * cols + k];
      EXPECT_NEAR(kernel[i * rows + j], sum, 1e-13);
    }
  }
}

TEST(Blas, MultiplyTransposedIsANaiveProductAndMindsStrides) {
  const Index rows = 5, cols = 3, inner = 7, lda = 9, ldb = 8, ldc = 4;
  const auto draw_a = RandomValues(rows * lda, 5), draw_b = RandomValues(cols * ldb, 6);
  const std::vector<float> a(draw_a.begin(), draw_a.end()), b(draw_b.begin(), draw_b.end());
  std::vector<float> c(rows * ldc, -99.0f);
  blas::MultiplyTransposed(a.data(), rows, inner, lda, b.data(), cols, ldb, c.data(), ldc);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      double sum = 0;
      for (Index k = 0; k < inner; ++k) sum += static_cast<double>(a[i * lda + k]) * b[j * ldb + k];
      EXPECT_NEAR(c[i * ldc + j], sum, 1e-5);
    }
    EXPECT_EQ(c[i * ldc + cols], -99) << "what lies between the rows is not ours";
  }
  blas::MultiplyTransposed(nullptr, 0, inner, lda, b.data(), cols, ldb, nullptr, ldc);
}

TEST(Blas, AddProductIsANaiveProductAndMindsStrides) {
  const Index rows = 5, cols = 3, inner = 7, lda = 9, ldb = 4, ldc = 6;
  const auto draw_a = RandomValues(rows * lda, 7), draw_b = RandomValues(inner * ldb, 8);
  const std::vector<float> a(draw_a.begin(), draw_a.end()), b(draw_b.begin(), draw_b.end());
  std::vector<float> c(rows * ldc, 2.0f);
  blas::AddProduct(a.data(), rows, inner, lda, b.data(), cols, ldb, c.data(), ldc);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      double sum = 2;
      for (Index k = 0; k < inner; ++k) sum += static_cast<double>(a[i * lda + k]) * b[k * ldb + j];
      EXPECT_NEAR(c[i * ldc + j], sum, 1e-5);
    }
    EXPECT_EQ(c[i * ldc + cols], 2) << "what lies between the rows is not ours";
  }
  blas::AddProduct(nullptr, rows, 0, lda, nullptr, cols, ldb, c.data(), ldc);
}

TEST(Blas, CholeskySolves) {
  // [4 2; 2 3] x = [8, 7] has the solution [1.25, 1.5].
  std::vector<double> a = {4, -99, 2, 3};
  ASSERT_TRUE(blas::CholeskyFactor(a.data(), 2));
  EXPECT_EQ(a[1], -99) << "the upper triangle is not touched";
  std::vector<double> x = {8, 7};
  blas::CholeskySolve(a.data(), 2, x.data());
  EXPECT_NEAR(x[0], 1.25, 1e-15);
  EXPECT_NEAR(x[1], 1.5, 1e-15);
}

TEST(Blas, CholeskySolvesInFloat) {
  std::vector<float> a = {4, -99, 2, 3};
  ASSERT_TRUE(blas::CholeskyFactor(a.data(), 2));
  std::vector<float> x = {8, 7, 4, 2};
  blas::CholeskySolve(a.data(), 2, x.data(), 2);
  EXPECT_NEAR(x[0], 1.25, 1e-6);
  EXPECT_NEAR(x[1], 1.5, 1e-6);
  EXPECT_NEAR(x[2], 1, 1e-6);
  EXPECT_NEAR(x[3], 0, 1e-6);
}

TEST(Blas, CholeskyRefusesIndefinite) {
  std::vector<double> a = {1, 0, 2, 1};
  EXPECT_FALSE(blas::CholeskyFactor(a.data(), 2));
  std::vector<float> b = {1, 0, 2, 1};
  EXPECT_FALSE(blas::CholeskyFactor(b.data(), 2));
}

TEST(Blas, EigenvectorsAreRows) {
  const Index n = 6;
  std::vector<double> a(n * n);
  const auto m = RandomValues(n * n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a[i * n + j] = m[i * n + j] + m[j * n + i];
  }
  std::vector<double> q = a, values(n);
  blas::SymmetricEigen(q.data(), n, values.data());
  for (Index e = 0; e < n; ++e) {
    if (e > 0) {
      EXPECT_LE(values[e - 1], values[e]);
    }
    for (Index i = 0; i < n; ++i) {
      double product = 0;
      for (Index j = 0; j < n; ++j) product += a[i * n + j] * q[e * n + j];
      EXPECT_NEAR(product, values[e] * q[e * n + i], 1e-12);
    }
  }
}

TEST(Blas, EmptyMatricesAreFine) {
  EXPECT_TRUE(blas::CholeskyFactor(static_cast<double*>(nullptr), 0));
  blas::CholeskySolve(static_cast<double*>(nullptr), 0, nullptr);
  blas::SymmetricEigen(nullptr, 0, nullptr);
}

int ThreadsOfThisProcess() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("Threads:", 0) == 0) return std::stoi(line.substr(8));
  }
  return -1;
}

TEST(Blas, WorkersDoNotMultiplyThreads) {
  const Index n = 600;
  const auto a = RandomValues(n * n, 4);
  std::vector<std::vector<double>> c(4, std::vector<double>(n * n));
  const int before = ThreadsOfThisProcess();
  if (before < 0) GTEST_SKIP() << "no /proc here: the number of threads cannot be seen";
  int during = 0;
  ParallelFor(4, 2, [&](Index i) {
    blas::AddGram(a.data(), n, n, n, c[i].data(), n);
    EXPECT_EQ(blas::Threads(), 1);
    if (i == 3) during = ThreadsOfThisProcess();
  });
  // OpenBLAS may have started its own idle pool when it was loaded; none of it may grow with us.
  EXPECT_LE(during, before + 2);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(c[i], c[0]);
}

}  // namespace

namespace {

TEST(Gram, BothMatricesEqualNaiveSumsAcrossTiles) {
  Rng rng(5);
  GramScratch scratch;
  // The last two span several tiles of rows and of columns.
  const std::pair<Index, Index> shapes[] = {{0, 3},  {1, 1},     {3, 1},    {1, 5},
                                            {17, 9}, {40000, 7}, {7, 40001}};
  for (const auto& [count, width] : shapes) {
    std::vector<float> rows(count * width);
    for (float& v : rows) v = static_cast<float>(rng.Normal());
    if (width < 100) {
      std::vector<double> gram(width * width, 0.0);
      AddGram(rows.data(), count, width, gram.data(), scratch);
      for (Index i = 0; i < width; ++i) {
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index n = 0; n < count; ++n)
            sum += double(rows[n * width + i]) * rows[n * width + j];
          EXPECT_NEAR(gram[i * width + j], sum, 1e-12 * (1 + count));
        }
      }
    }
    if (count < 100) {
      std::vector<double> kernel(count * count, 7.0);
      KernelMatrix(rows.data(), count, width, kernel.data(), scratch);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index d = 0; d < width; ++d)
            sum += double(rows[i * width + d]) * rows[j * width + d];
          EXPECT_NEAR(kernel[i * count + j], sum, 1e-12 * (1 + width));
        }
      }
    }
  }
}

TEST(Gram, KeepsWhatFloatWouldLose) {
  // A float Gram matrix cannot hold 1 + 1e-8; the second eigenvalue would vanish.
  const std::vector<float> rows = {1, 0, 0, 1e-4f};
  std::vector<double> gram(4, 0.0);
  GramScratch scratch;
  AddGram(rows.data(), 2, 2, gram.data(), scratch);
  EXPECT_DOUBLE_EQ(gram[3], double(1e-4f) * 1e-4f);
}

}  // namespace
}  // namespace alcedo
