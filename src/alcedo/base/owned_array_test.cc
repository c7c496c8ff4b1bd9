#include "alcedo/base/owned_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {
namespace {

using ::testing::ElementsAre;

// Read value by value, without Eigen.
template <class Array>
auto ValuesOf(const Array& array) {
  std::vector<std::remove_cvref_t<decltype(array(0, 0))>> values;
  for (Index r = 0; r < array.rows(); ++r) {
    for (Index c = 0; c < array.cols(); ++c) values.push_back(array(r, c));
  }
  return values;
}

Rows Counted(Index rows, Index cols) {
  Rows result(rows, cols);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = static_cast<float>(i + 1);
  return result;
}

TEST(OwnedArray, IsEmptyAtFirst) {
  EXPECT_EQ(Vector().size(), 0);
  EXPECT_EQ(Vector().cols(), 1);
  EXPECT_EQ(Matrix().rows(), 0);
  EXPECT_EQ(Matrix().cols(), 0);
  EXPECT_EQ(Rows(0, 5).cols(), 5);
  EXPECT_EQ(Rows(5, 0).rows(), 5);
}

TEST(OwnedArray, IsAlignedForEveryProcessor) {
  for (Index size = 1; size < 40; ++size) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Vector(size).data()) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(OwnedArray<std::int8_t, 2>(size, 3).data()) % 64,
              0U);
  }
}

TEST(OwnedArray, RefusesSizesBeyondMemory) {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  EXPECT_THROW(Matrix(kMost / 4, 8), std::bad_alloc);
  EXPECT_THROW(Matrix(kMost, kMost), std::bad_alloc);
  EXPECT_THROW(Vector(-1), std::bad_alloc);
  Vector v{{1, 2}};
  EXPECT_THROW(v.resize(kMost), std::bad_alloc);
  EXPECT_THAT(ValuesOf(v), ElementsAre(1, 2));
}

TEST(OwnedArray, TakesListsAndCommas) {
  EXPECT_THAT(ValuesOf(Vector{{1, 2, 3}}), ElementsAre(1, 2, 3));
  const Matrix lists{{1, 2}, {3, 4}, {5, 6}};
  EXPECT_EQ(lists.rows(), 3);
  EXPECT_THAT(ValuesOf(lists), ElementsAre(1, 2, 3, 4, 5, 6));
  Matrix commas(2, 2);
  commas << 1, 2, 3, 4;
  EXPECT_THAT(ValuesOf(commas), ElementsAre(1, 2, 3, 4));
  const Vector finished = (Vector(2) << 7, 8).finished();
  EXPECT_THAT(ValuesOf(finished), ElementsAre(7, 8));
}

TEST(OwnedArray, CopiesValuesAndMovesMemory) {
  Rows a = Counted(2, 3);
  Rows b = a;
  b(0, 0) = 9;
  EXPECT_EQ(a(0, 0), 1);
  const float* memory = a.data();
  Rows c = std::move(a);
  EXPECT_EQ(c.data(), memory);
  EXPECT_EQ(a.size(), 0);  // NOLINT: what is left is empty
  b = std::move(c);
  EXPECT_EQ(b.data(), memory);
  c = b;
  EXPECT_EQ(c, b);
  EXPECT_NE(c.data(), b.data());
  Rows& same = b;
  b = same;
  EXPECT_THAT(ValuesOf(b), ElementsAre(1, 2, 3, 4, 5, 6));
  b = std::move(same);
  EXPECT_THAT(ValuesOf(b), ElementsAre(1, 2, 3, 4, 5, 6));
  static_assert(std::is_nothrow_move_constructible_v<Rows> &&
                std::is_nothrow_move_assignable_v<Rows>);
}

TEST(OwnedArray, CopyOfTheSameSizeKeepsTheMemory) {
  Vector a{{1, 2, 3}};
  const double* memory = a.data();
  a = Vector::Constant(3, 5);
  EXPECT_EQ(a.data(), memory);
  EXPECT_THAT(ValuesOf(a), ElementsAre(5, 5, 5));
}

TEST(OwnedArray, AssignsExpressionsOfOtherSizesThatReferToItself) {
  Vector v{{1, 2, 3, 4}};
  v = v.tail(2);
  EXPECT_THAT(ValuesOf(v), ElementsAre(3, 4));
  v = v.replicate(2, 1);
  EXPECT_THAT(ValuesOf(v), ElementsAre(3, 4, 3, 4));
  Matrix m{{1, 2}, {3, 4}, {5, 6}};
  m = m.transpose();
  EXPECT_EQ(m.rows(), 2);
  EXPECT_THAT(ValuesOf(m), ElementsAre(1, 3, 5, 2, 4, 6));
  m = m * m.transpose();
  EXPECT_THAT(ValuesOf(m), ElementsAre(35, 44, 44, 56));
  m = m * m;
  EXPECT_THAT(ValuesOf(m), ElementsAre(35 * 35 + 44 * 44, 44 * 91, 44 * 91, 44 * 44 + 56 * 56));
}

TEST(OwnedArray, ProductsIntoItResize) {
  const Matrix a{{1, 2}, {3, 4}, {5, 6}};
  Matrix product(1, 1);
  product.noalias() = a * a.transpose();
  EXPECT_THAT(ValuesOf(product), ElementsAre(5, 11, 17, 11, 25, 39, 17, 39, 61));
  product.noalias() -= a * a.transpose();
  EXPECT_THAT(ValuesOf(product), testing::Each(0));
  product.noalias() += a * a.transpose();
  EXPECT_EQ(product(2, 2), 61);
  Vector v;
  v.noalias() = a * Vector{{1, 1}};
  EXPECT_THAT(ValuesOf(v), ElementsAre(3, 7, 11));
}

TEST(OwnedArray, ARowBecomesAColumn) {
  const Matrix m{{1, 2, 3}, {4, 5, 6}};
  Vector v = m.row(1);
  EXPECT_EQ(v.rows(), 3);
  EXPECT_THAT(ValuesOf(v), ElementsAre(4, 5, 6));
  v = m.row(0).head(2);
  EXPECT_THAT(ValuesOf(v), ElementsAre(1, 2));
  v = m.col(1);
  EXPECT_THAT(ValuesOf(v), ElementsAre(2, 5));
}

TEST(OwnedArray, ResizesAndFills) {
  Vector v{{1, 2, 3}};
  v.conservativeResize(5);
  EXPECT_THAT(ValuesOf(v.head(3).eval()), ElementsAre(1, 2, 3));
  v.conservativeResize(2);
  EXPECT_THAT(ValuesOf(v), ElementsAre(1, 2));
  Matrix m{{1, 2}, {3, 4}, {5, 6}};
  m.conservativeResize(2, Eigen::NoChange);
  EXPECT_THAT(ValuesOf(m), ElementsAre(1, 2, 3, 4));
  m.conservativeResize(3, 1);
  EXPECT_THAT(ValuesOf(m.topRows(2).eval()), ElementsAre(1, 3));
  m.resize(1, 3);
  EXPECT_EQ(m.cols(), 3);
  EXPECT_THAT(ValuesOf(v.setZero(3)), ElementsAre(0, 0, 0));
  EXPECT_THAT(ValuesOf(v.setOnes(1)), ElementsAre(1));
  EXPECT_THAT(ValuesOf(v.setConstant(2, 7)), ElementsAre(7, 7));
  EXPECT_THAT(ValuesOf(v.setLinSpaced(3, 0, 1)), ElementsAre(0, 0.5, 1));
  EXPECT_THAT(ValuesOf(m.setConstant(2, 1, 4)), ElementsAre(4, 4));
  EXPECT_THAT(ValuesOf(m.setIdentity(2, 2)), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(ValuesOf(m.setZero(1, 2)), ElementsAre(0, 0));
  EXPECT_THAT(ValuesOf(m.setOnes()), ElementsAre(1, 1));
}

TEST(OwnedArray, SwapsMemory) {
  Vector a{{1, 2}}, b{{3}};
  const double* memory = a.data();
  a.swap(b);
  EXPECT_EQ(b.data(), memory);
  EXPECT_THAT(ValuesOf(a), ElementsAre(3));
  std::swap(a, b);
  EXPECT_EQ(a.data(), memory);
}

TEST(OwnedArray, ArraysOfOtherShapesDiffer) {
  EXPECT_EQ(Counted(2, 3), Counted(2, 3));
  EXPECT_FALSE(Counted(2, 3) == Counted(3, 2));
  EXPECT_FALSE(Counted(2, 3) == Counted(2, 2));
  EXPECT_TRUE(Counted(2, 3) != Counted(2, 4));
  EXPECT_EQ(Rows(), Rows());
}

TEST(ArrayView, PointsToWhatIsThereAndCopiesTheRest) {
  const Rows rows = Counted(4, 3);
  const auto look = [](const RowsView& view) { return view.data(); };
  EXPECT_EQ(look(rows), rows.data());
  EXPECT_EQ(look(rows.middleRows(1, 2)), rows.data() + 3);
  EXPECT_EQ(look(rows.rightCols(2)), rows.data() + 1);
  EXPECT_EQ(look(rows.row(2)), rows.data() + 6);
  const EigenRows plain = rows;
  EXPECT_EQ(look(plain), plain.data());
  EXPECT_EQ(look(Eigen::Map<const EigenRows>(rows.data(), 2, 6)), rows.data());
  EXPECT_NE(look(rows.transpose()), rows.data());
  EXPECT_NE(look(rows.col(0)), rows.data());

  const auto values = [](const RowsView& view) { return ValuesOf(view); };
  EXPECT_THAT(values(rows.block(1, 1, 2, 2)), ElementsAre(5, 6, 8, 9));
  EXPECT_THAT(values(rows.row(3)), ElementsAre(10, 11, 12));
  EXPECT_THAT(values(rows.col(1)), ElementsAre(2, 5, 8, 11));
  EXPECT_THAT(values(rows.topRows(2).transpose()), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values(Eigen::MatrixXf(rows.topRows(2))), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values(2 * rows.topRows(1)), ElementsAre(2, 4, 6));
  EXPECT_THAT(values(rows(std::vector{2, 0}, Eigen::all)), ElementsAre(7, 8, 9, 1, 2, 3));
  EXPECT_TRUE(values(Rows()).empty());

  const Vector v{{1, 2, 3, 4}};
  const auto of_vector = [](const VectorView& view) { return view.data(); };
  EXPECT_EQ(of_vector(v.segment(1, 2)), v.data() + 1);
  EXPECT_EQ(of_vector(v.transpose()), v.data());
  const auto column = [](const MatrixView& view) { return ValuesOf(view); };
  EXPECT_THAT(column(v), ElementsAre(1, 2, 3, 4));
  static_assert(!std::is_convertible_v<Rows, MatrixView> &&
                !std::is_convertible_v<Vector, RowsView>);
}

TEST(ArrayView, CopiesOfAViewOutliveIt) {
  const Rows rows = Counted(2, 2);
  const auto keep = [](RowsView view) { return view; };
  const RowsView of_memory = keep(rows);
  EXPECT_EQ(of_memory.data(), rows.data());
  const RowsView of_copy = keep(rows * 3);
  const RowsView again = of_copy;
  EXPECT_NE(again.data(), of_copy.data());
  EXPECT_THAT(ValuesOf(again), ElementsAre(3, 6, 9, 12));
  EXPECT_THAT(ValuesOf(of_copy), ElementsAre(3, 6, 9, 12));
}

TEST(ArraySpan, WritesWhereTheValuesAre) {
  const auto fill = [](RowsSpan span, float value) { span.setConstant(value); };
  Rows rows = Counted(3, 3);
  fill(rows.block(1, 1, 2, 2), 0);
  EXPECT_THAT(ValuesOf(rows), ElementsAre(1, 2, 3, 4, 0, 0, 7, 0, 0));
  fill(rows.row(0), 5);
  EXPECT_THAT(ValuesOf(rows), ElementsAre(5, 5, 5, 4, 0, 0, 7, 0, 0));
  fill(rows, 1);
  EXPECT_THAT(ValuesOf(rows), testing::Each(1));
  EigenRows plain(1, 2);
  fill(plain, 3);
  EXPECT_THAT(ValuesOf(plain), ElementsAre(3, 3));

  Vector v{{1, 2, 3}};
  const auto assign = [](VectorSpan span, const VectorView& values) { span = values; };
  assign(v.tail(2), Vector{{8, 9}});
  EXPECT_THAT(ValuesOf(v), ElementsAre(1, 8, 9));
  Matrix m = Matrix::Zero(2, 3);
  assign(m.row(1), v);
  EXPECT_THAT(ValuesOf(m), ElementsAre(0, 0, 0, 1, 8, 9));
  VectorSpan first = v.head(1), last = v.tail(1);
  first = last;
  EXPECT_THAT(ValuesOf(v), ElementsAre(9, 8, 9));
}

TEST(ArraySpan, TakesNothingThatIsConstantStridedOrTemporary) {
  static_assert(std::is_convertible_v<Vector&, VectorSpan>);
  static_assert(!std::is_convertible_v<const Vector&, VectorSpan>);
  static_assert(!std::is_convertible_v<Vector, VectorSpan>);
  static_assert(!std::is_convertible_v<VectorView, VectorSpan>);
  static_assert(!std::is_convertible_v<Rows&, MatrixSpan>);
  using Column = decltype(std::declval<Matrix&>().col(0));
  static_assert(!std::is_convertible_v<Column, VectorSpan>);
  using Row = decltype(std::declval<Matrix&>().row(0));
  static_assert(std::is_convertible_v<Row, VectorSpan>);
  using ConstRow = decltype(std::declval<const Matrix&>().row(0));
  static_assert(!std::is_convertible_v<ConstRow, VectorSpan>);
}

}  // namespace
}  // namespace alcedo
