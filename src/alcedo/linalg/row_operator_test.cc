#include "alcedo/linalg/row_operator.h"

#include <gtest/gtest.h>

#include <cstring>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

// Rows of blocks, and the same rows spread out by naive loops.
struct TestRows {
  std::vector<float> values;
  std::vector<std::int32_t> blocks;
  std::vector<Index> offsets;
  Index count, width, num_blocks;
  Matrix full;  // count x dimension
  Index dimension() const { return width * num_blocks; }
  kernels::SparseRows Sparse() const {
    return {values.data(), blocks.data(), offsets.empty() ? nullptr : offsets.data(), count, width};
  }
};

enum class Kind { kDense, kOneEntry, kSeveral };

TestRows MakeRows(Kind kind, Index count, Index width, Index num_blocks, std::uint64_t seed) {
  Rng rng(seed);
  if (kind == Kind::kDense) num_blocks = 1;
  TestRows t{{}, {}, {}, count, width, num_blocks, Matrix::Zero(count, width * num_blocks)};
  if (kind == Kind::kSeveral) t.offsets.push_back(0);
  for (Index i = 0; i < count; ++i) {
    for (Index b = 0; b < num_blocks; ++b) {
      const bool chosen =
          kind == Kind::kDense ||
          (kind == Kind::kOneEntry ? b == (7 * i + 3) % num_blocks : rng.Uniform() < 0.4);
      if (!chosen) continue;
      t.blocks.push_back(static_cast<std::int32_t>(b));
      for (Index j = 0; j < width; ++j) {
        t.values.push_back(static_cast<float>(rng.Normal()));
        t.full(i, b * width + j) = t.values.back();
      }
    }
    if (kind == Kind::kSeveral) t.offsets.push_back(static_cast<Index>(t.blocks.size()));
  }
  return t;
}

RowOperator MakeOperator(const TestRows& t, Kind kind, int threads) {
  if (kind == Kind::kDense) return {t.values.data(), t.count, t.width, threads};
  return {t.Sparse(), t.dimension(), threads};
}

Vector RandomVector(Index n, std::uint64_t seed) {
  Rng rng(seed);
  Vector v(n);
  for (double& x : v) x = rng.Normal();
  return v;
}

class RowOperatorOfKind : public testing::TestWithParam<Kind> {};

TEST_P(RowOperatorOfKind, ProductsEqualThoseOfTheFullMatrix) {
  // 1300 rows make three chunks.
  for (Index count : {0, 1, 5, 40, 1300}) {
    const TestRows t = MakeRows(GetParam(), count, 6, 5, count);
    RowOperator op = MakeOperator(t, GetParam(), 1);
    const Vector p = RandomVector(2 * t.dimension(), 1), w = RandomVector(count, 2);
    Vector y(2 * t.dimension()), dots(count), sum(t.dimension());
    op.Apply(2, p.data(), y.data());
    op.Similarities(p.data(), dots.data());
    op.WeightedSum(w.data(), sum.data());
    const double scale = 1e-12 * (count + 1);
    for (int k = 0; k < 2; ++k) {
      const Vector want =
          t.full.transpose() * (t.full * p.segment(k * t.dimension(), t.dimension()));
      EXPECT_LE((y.segment(k * t.dimension(), t.dimension()) - want).norm(), scale);
    }
    EXPECT_LE((dots - t.full * p.head(t.dimension())).norm(), scale);
    EXPECT_LE((sum - t.full.transpose() * w).norm(), scale);
    Vector norms(count);
    op.SquaredNorms(norms.data());
    EXPECT_LE((norms - Vector(t.full.rowwise().squaredNorm())).norm(), scale);
    Vector twice(count);
    KernelOperator kernel(op);
    kernel.Apply(1, w.data(), twice.data());
    EXPECT_LE((twice - t.full * (t.full.transpose() * w)).norm(), scale * 10);
  }
}

TEST_P(RowOperatorOfKind, MatricesEqualThoseOfTheFullMatrix) {
  for (Index count : {1, 40, 700}) {
    const TestRows t = MakeRows(GetParam(), count, 6, 5, count);
    RowOperator op = MakeOperator(t, GetParam(), 1);
    Matrix gram(t.dimension(), t.dimension()), kernel(count, count);
    op.Gram(gram.data());
    op.Kernel(kernel.data());
    const auto lower = [](const Matrix& m) { return Matrix(m.triangularView<Eigen::Lower>()); };
    EXPECT_LE((lower(gram) - lower(t.full.transpose() * t.full)).norm(), 1e-11 * count);
    EXPECT_LE((lower(kernel) - lower(t.full * t.full.transpose())).norm(), 1e-11 * count);
  }
}

TEST_P(RowOperatorOfKind, SameBytesForAnyNumberOfThreads) {
  // More than a million values: fewer would run on one thread.
  const TestRows t = MakeRows(GetParam(), 6000, 200, 2, 3);
  const Vector p = RandomVector(t.dimension(), 1);
  Vector first(t.dimension());
  for (int threads : {1, 2, 3, 8}) {
    RowOperator op = MakeOperator(t, GetParam(), threads);
    Vector y(t.dimension());
    op.Apply(1, p.data(), y.data());
    if (threads == 1) first = y;
    EXPECT_EQ(std::memcmp(first.data(), y.data(), sizeof(double) * y.size()), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(AllKinds, RowOperatorOfKind,
                         testing::Values(Kind::kDense, Kind::kOneEntry, Kind::kSeveral));

// The products of rows of double are those of the same rows as float, if float holds them.
TEST(RowOperator, RowsOfDoubleGiveWhatRowsOfFloatGive) {
  for (const Kind kind : {Kind::kDense, Kind::kOneEntry, Kind::kSeveral}) {
    const TestRows t = MakeRows(kind, 700, 5, 4, 11);
    const std::vector<double> doubles(t.values.begin(), t.values.end());
    RowOperator floats = MakeOperator(t, kind, 1);
    RowOperator wide =
        kind == Kind::kDense
            ? RowOperator(doubles.data(), t.count, t.width)
            : RowOperator(
                  kernels::SparseRowsOf<double>{doubles.data(), t.blocks.data(),
                                                t.offsets.empty() ? nullptr : t.offsets.data(),
                                                t.count, t.width},
                  t.dimension());
    const Index d = t.dimension();
    const Vector p = Vector::LinSpaced(d, -1, 2);
    const auto both = [&](const auto& use, Index size) {
      Vector a(size), b(size);
      use(floats, a);
      use(wide, b);
      EXPECT_LE((a - b).norm(), 1e-12 * a.norm());
    };
    both([&](RowOperator& o, Vector& y) { o.Apply(1, p.data(), y.data()); }, d);
    both([&](RowOperator& o, Vector& y) { o.Similarities(p.data(), y.data()); }, t.count);
    both([&](RowOperator& o, Vector& y) { o.SquaredNorms(y.data()); }, t.count);
    for (Index n = 0; n < t.count; ++n) {
      both([&](RowOperator& o, Vector& y) { o.CopyRow(n, y.data()); }, d);
    }
    const Vector weights = Vector::LinSpaced(t.count, 1, 3);
    both([&](RowOperator& o, Vector& y) { o.WeightedSum(weights.data(), y.data()); }, d);
    Matrix gram(d, d), wide_gram(d, d);
    floats.Gram(gram.data());
    wide.Gram(wide_gram.data());
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j <= i; ++j) EXPECT_NEAR(gram(i, j), wide_gram(i, j), 1e-9);
    }
    Matrix kernel(t.count, t.count), wide_kernel(t.count, t.count);
    floats.Kernel(kernel.data());
    wide.Kernel(wide_kernel.data());
    for (Index i = 0; i < t.count; ++i) {
      for (Index j = 0; j <= i; ++j) EXPECT_NEAR(kernel(i, j), wide_kernel(i, j), 1e-9);
    }
    EXPECT_FALSE(wide.FitsCache());
  }
}

}  // namespace
}  // namespace alcedo
