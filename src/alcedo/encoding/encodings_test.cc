#include "alcedo/encoding/encodings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;

Rows RandomRows(Rng& rng, Index rows, Index cols) {
  Rows values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(rng.Normal());
  return values;
}

Vector RandomVector(Rng& rng, Index size) {
  Vector v(size);
  for (double& x : v) x = rng.Normal();
  return v;
}

// Encodings beside the dense rows they stand for, which are filled without the library.
struct Case {
  std::string name;
  Encodings encodings;
  Matrix dense;
};

Case DenseCase(Rng& rng, Index rows, Index dimension) {
  const Rows values = RandomRows(rng, rows, dimension);
  return {"dense", Encodings::Dense(values), values.cast<double>()};
}

Case OneBlockCase(Rng& rng, Index rows, Index num_blocks, Index block_size) {
  const Rows values = RandomRows(rng, rows, block_size);
  std::vector<std::int32_t> blocks;
  Matrix dense = Matrix::Zero(rows, num_blocks * block_size);
  for (Index n = 0; n < rows; ++n) {
    blocks.push_back(static_cast<std::int32_t>(rng.UniformIndex(num_blocks)));
    for (Index i = 0; i < block_size; ++i) dense(n, blocks[n] * block_size + i) = values(n, i);
  }
  return {"one block", Encodings::OneBlockPerRow(values, blocks, num_blocks), dense};
}

// Every block is in a row with probability 1/2: rows of all lengths, empty ones too.
Case SeveralBlocksCase(Rng& rng, Index rows, Index num_blocks, Index block_size) {
  std::vector<std::int32_t> blocks;
  std::vector<Index> offsets{0}, row_of;
  for (Index n = 0; n < rows; ++n) {
    for (Index b = num_blocks - 1; b >= 0; --b) {
      if (rng.Uniform() < 0.5) continue;
      blocks.push_back(static_cast<std::int32_t>(b));
      row_of.push_back(n);
    }
    offsets.push_back(static_cast<Index>(blocks.size()));
  }
  const Rows values = RandomRows(rng, static_cast<Index>(blocks.size()), block_size);
  Matrix dense = Matrix::Zero(rows, num_blocks * block_size);
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    for (Index i = 0; i < block_size; ++i) {
      dense(row_of[e], blocks[e] * block_size + i) = values(static_cast<Index>(e), i);
    }
  }
  return {"several blocks", Encodings::SeveralBlocksPerRow(values, blocks, offsets, num_blocks),
          dense};
}

std::vector<Case> AllLayouts() {
  Rng rng(3);
  std::vector<Case> cases;
  for (Index rows : {0, 1, 7, 300}) {
    for (Index size : {1, 3, 8, 70}) {
      cases.push_back(DenseCase(rng, rows, size * 5));
      cases.push_back(OneBlockCase(rng, rows, 5, size));
      cases.push_back(SeveralBlocksCase(rng, rows, 5, size));
    }
  }
  return cases;
}

// The message of the InvalidArgument that `make` must throw.
std::string Refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Encodings, StandForTheirDenseRows) {
  for (const Case& c : AllLayouts()) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.encodings.num_rows(), c.dense.rows());
    EXPECT_EQ(c.encodings.dimension(), c.dense.cols());
    EXPECT_EQ(c.encodings.ToDense().cast<double>(), c.dense);
    double squares = 0;
    for (Index i = 0; i < c.dense.size(); ++i) squares += c.dense.data()[i] * c.dense.data()[i];
    EXPECT_NEAR(c.encodings.squared_norm(), squares, 1e-12 * squares);
    const double mean = c.dense.rows() == 0 ? 0 : squares / static_cast<double>(c.dense.rows());
    EXPECT_NEAR(c.encodings.mean_squared_norm(), mean, 1e-12 * mean);
  }
}

TEST(Encodings, ProductsMatchTheDenseRows) {
  Rng rng(4);
  for (const Case& c : AllLayouts()) {
    SCOPED_TRACE(c.name);
    const Vector phi = RandomVector(rng, c.dense.cols()),
                 weights = RandomVector(rng, c.dense.rows());
    Vector dots = Vector::Zero(c.dense.rows()), sum = Vector::Zero(c.dense.cols());
    for (Index n = 0; n < c.dense.rows(); ++n) {
      for (Index i = 0; i < c.dense.cols(); ++i) {
        dots[n] += c.dense(n, i) * phi[i];
        sum[i] += c.dense(n, i) * weights[n];
      }
    }
    const Vector similarities = Similarities(c.encodings, phi);
    const Vector weighted = WeightedSum(c.encodings, weights);
    ASSERT_EQ(similarities.size(), dots.size());
    ASSERT_EQ(weighted.size(), sum.size());
    for (Index n = 0; n < dots.size(); ++n) EXPECT_NEAR(similarities[n], dots[n], 1e-12);
    for (Index i = 0; i < sum.size(); ++i) EXPECT_NEAR(weighted[i], sum[i], 1e-11);
    for (int threads : {2, 3, 8}) {
      EXPECT_EQ(Similarities(c.encodings, phi, threads), similarities) << threads;
      EXPECT_EQ(WeightedSum(c.encodings, weights, threads), weighted) << threads;
    }
  }
}

TEST(Encodings, ProductsRefuseOtherSizes) {
  Rng rng(5);
  const Encodings encodings = OneBlockCase(rng, 4, 3, 2).encodings;
  EXPECT_EQ(Refusal([&] { Similarities(encodings, Vector::Zero(5)); }),
            "Similarities phi must have one value per dimension, 6, got 5");
  EXPECT_EQ(Refusal([&] { WeightedSum(encodings, Vector::Zero(6)); }),
            "WeightedSum weights must have one value per row, 4, got 6");
  EXPECT_THROW(Similarities(encodings, Vector::Zero(6), 0), InvalidArgument);
  EXPECT_THROW(WeightedSum(encodings, Vector::Zero(4), 0), InvalidArgument);
}

TEST(Encodings, KnowTheirLayout) {
  const Encodings dense = Encodings::Dense(Rows::Ones(3, 4));
  EXPECT_TRUE(dense.dense());
  EXPECT_TRUE(dense.one_block_per_row());
  EXPECT_EQ(dense.block_size(), 4);

  const Encodings one = Encodings::OneBlockPerRow(Rows::Ones(3, 2), {4, 0, 4}, 5);
  EXPECT_FALSE(one.dense());
  EXPECT_TRUE(one.one_block_per_row());
  EXPECT_EQ(one.dimension(), 10);
  EXPECT_EQ(one.Block(2), 4);

  const Encodings several =
      Encodings::SeveralBlocksPerRow(Rows::Ones(3, 2), {4, 0, 4}, {0, 2, 2, 3}, 5);
  EXPECT_FALSE(several.one_block_per_row());
  EXPECT_EQ(several.num_rows(), 3);
  EXPECT_EQ(several.num_entries(), 3);
  EXPECT_EQ(several.EntryBegin(2), 2);
  EXPECT_EQ(several.EntryBegin(3), 3);
}

TEST(Encodings, FindSimplerLayouts) {
  // However they were made: one entry in every row is one block per row, and a single block is
  // dense.
  EXPECT_TRUE(
      Encodings::SeveralBlocksPerRow(Rows::Ones(2, 2), {1, 0}, {0, 1, 2}, 2).one_block_per_row());
  EXPECT_TRUE(Encodings::SeveralBlocksPerRow(Rows::Ones(2, 2), {0, 0}, {0, 1, 2}, 1).dense());
  EXPECT_TRUE(Encodings::OneBlockPerRow(Rows::Ones(2, 2), {0, 0}, 1).dense());
}

TEST(Encodings, ViewsBorrow) {
  Rows rows = Rows::Ones(3, 4);
  const Encodings view = Encodings::DenseView(rows);
  EXPECT_EQ(view.Values(1), rows.data() + 4);

  const Encodings span = Encodings::DenseView({rows.data(), 8}, 4);
  EXPECT_EQ(span.num_rows(), 2);
  EXPECT_EQ(span.Values(1), rows.data() + 4);
  EXPECT_EQ(Encodings::DenseView(std::span<const float>(), 4).num_rows(), 0);
  EXPECT_EQ(Refusal([&] { Encodings::DenseView({rows.data(), 10}, 4); }),
            "encodings: 10 values are not whole rows of 4");
  EXPECT_EQ(Refusal([&] { Encodings::DenseView({rows.data(), 12}, 0); }),
            "encodings: rows must have at least one column, got 0");
}

template <class T>
concept Viewable = requires(T&& rows) { Encodings::DenseView(std::forward<T>(rows)); };

TEST(Encodings, ViewsOfTemporariesDoNotCompile) {
  static_assert(Viewable<Rows&>);
  static_assert(Viewable<const Rows&>);
  static_assert(!Viewable<Rows>);
  static_assert(!Viewable<const Rows>);
  static_assert(!Viewable<Eigen::Map<const EigenRows>>);
  static_assert(!Viewable<Eigen::Block<EigenRows>>);
  static_assert(!Viewable<RowsView&>);
}

TEST(Encodings, CopiesShareTheValues) {
  const Encodings encodings = Encodings::OneBlockPerRow(Rows::Ones(3, 2), {0, 1, 0}, 2);
  const Encodings copy = encodings;
  EXPECT_EQ(copy.Values(0), encodings.Values(0));
  EXPECT_EQ(copy.Block(1), 1);
}

TEST(Encodings, SelectTakesTheRowsOfTheseNumbersInThatOrder) {
  Rng rng(6);
  for (const Case& c : AllLayouts()) {
    SCOPED_TRACE(c.name);
    const Index count = c.dense.rows();
    std::vector<std::vector<Index>> choices{{}};
    if (count > 0) choices.push_back({count - 1, 0, count - 1});
    if (count > 0) choices.emplace_back();  // filled below: any number of random rows
    for (Index i = 0; count > 0 && i < 2 * count; ++i) {
      choices.back().push_back(rng.UniformIndex(count));
    }
    for (const std::vector<Index>& rows : choices) {
      const Encodings selected = c.encodings.Select(rows);
      Matrix dense(static_cast<Index>(rows.size()), c.dense.cols());
      double squares = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (Index j = 0; j < dense.cols(); ++j) {
          dense(static_cast<Index>(i), j) = c.dense(rows[i], j);
          squares += c.dense(rows[i], j) * c.dense(rows[i], j);
        }
      }
      EXPECT_EQ(selected.ToDense().cast<double>(), dense);
      EXPECT_EQ(selected.block_size(), c.encodings.block_size());
      EXPECT_NEAR(selected.squared_norm(), squares, 1e-12 * squares);
    }
  }
}

TEST(Encodings, SelectSharesTheValuesOfAllRowsInOrderOnly) {
  const Encodings encodings = Encodings::OneBlockPerRow(Rows::Ones(3, 2), {0, 1, 0}, 2);
  const std::vector<Index> all{0, 1, 2}, turned{2, 1, 0}, some{0, 1};
  EXPECT_EQ(encodings.Select(all).Values(0), encodings.Values(0));
  EXPECT_NE(encodings.Select(turned).Values(0), encodings.Values(0));
  EXPECT_NE(encodings.Select(some).Values(0), encodings.Values(0));

  // What is left of rows with several entries may have one each.
  const Encodings several =
      Encodings::SeveralBlocksPerRow(Rows::Ones(4, 2), {4, 0, 4, 1}, {0, 2, 3, 4}, 5);
  const std::vector<Index> single{2, 1};
  EXPECT_TRUE(several.Select(single).one_block_per_row());
  EXPECT_FALSE(several.Select(some).one_block_per_row());
}

TEST(Encodings, SelectRefusesRowsThatAreNotThere) {
  const Encodings encodings = Encodings::Dense(Rows::Ones(3, 2));
  const std::vector<Index> beyond{0, 3}, negative{-1};
  EXPECT_EQ(Refusal([&] { encodings.Select(beyond); }),
            "encodings: the row numbers to select must be in [0, 3), got 3");
  EXPECT_EQ(Refusal([&] { encodings.Select(negative); }),
            "encodings: the row numbers to select must be in [0, 3), got -1");
}

TEST(Encodings, NameTheFirstValueThatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Rows rows = Rows::Ones(20, 5);
  rows(12, 3) = nan;
  rows(13, 0) = inf;
  EXPECT_EQ(Refusal([&] { Encodings::Dense(rows); }), "encodings: row 12, column 3 is NaN");
  EXPECT_EQ(Refusal([&] { Encodings::DenseView(rows); }), "encodings: row 12, column 3 is NaN");
  rows(12, 3) = 0;
  EXPECT_EQ(Refusal([&] { Encodings::Dense(rows); }), "encodings: row 13, column 0 is infinite");

  Rows values = Rows::Ones(4, 3);
  values(2, 1) = -inf;
  EXPECT_EQ(Refusal([&] { Encodings::OneBlockPerRow(values, {0, 0, 6, 0}, 7); }),
            "encodings: row 2, block 6, column 1 is infinite");
  EXPECT_EQ(
      Refusal([&] { Encodings::SeveralBlocksPerRow(values, {0, 1, 6, 0}, {0, 0, 3, 3, 4}, 7); }),
      "encodings: row 1, block 6, column 1 is infinite");
}

TEST(Encodings, AcceptTheLargestAndTheSmallestFloats) {
  const float largest = std::numeric_limits<float>::max();
  const Encodings encodings = Encodings::Dense(Rows::Constant(100, 7, -largest));
  EXPECT_NEAR(encodings.mean_squared_norm() / (7.0 * largest * largest), 1, 1e-12);
  const double tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_GT(Encodings::Dense(Rows::Constant(1, 1, static_cast<float>(tiny))).squared_norm(), 0);
}

TEST(Encodings, RefuseImpossibleShapes) {
  const auto one = [](Index cols, std::vector<std::int32_t> blocks, Index num_blocks) {
    return Refusal([&] { Encodings::OneBlockPerRow(Rows::Ones(3, cols), blocks, num_blocks); });
  };
  EXPECT_EQ(one(0, {0, 0, 0}, 2), "encodings: rows must have at least one column, got 0");
  EXPECT_EQ(one(2, {0, 0, 0}, 0), "encodings: num_blocks must be >= 1, got 0");
  EXPECT_EQ(one(2, {0, 0, 0}, -1), "encodings: num_blocks must be >= 1, got -1");
  EXPECT_THAT(one(2, {0, 0, 0}, Index{1} << 62), HasSubstr("too many dimensions"));
  EXPECT_EQ(one(2, {0, 0}, 2), "encodings: there must be one block per entry, 3, got 2");
  EXPECT_EQ(one(2, {0, 2, 0}, 2), "encodings: the block of row 1 must be in [0, 2), got 2");
  EXPECT_EQ(one(2, {0, 0, -1}, 2), "encodings: the block of row 2 must be in [0, 2), got -1");
  EXPECT_THAT(Refusal([] { Encodings::Dense(Rows(3, 0)); }), HasSubstr("at least one column"));
}

TEST(Encodings, RefuseImpossibleRows) {
  const auto several = [](std::vector<std::int32_t> blocks, std::vector<Index> offsets) {
    return Refusal([&] { Encodings::SeveralBlocksPerRow(Rows::Ones(3, 2), blocks, offsets, 4); });
  };
  EXPECT_EQ(several({0, 1, 2}, {0, 3}), "(accepted)");
  EXPECT_THAT(several({0, 1, 2}, {}), HasSubstr("one value more than there are rows"));
  EXPECT_EQ(several({0, 1, 2}, {0, 2}),
            "encodings: offsets must go from 0 to the number of entries, 3, got 0 to 2");
  EXPECT_EQ(several({0, 1, 2}, {1, 3}),
            "encodings: offsets must go from 0 to the number of entries, 3, got 1 to 3");
  EXPECT_EQ(several({0, 1, 2}, {0, 5, 2, 3}),
            "encodings: offsets must not decrease, got 2 after 5 at row 1");
  EXPECT_EQ(several({0, 1, 2}, {0, -1, 3}),
            "encodings: offsets must not decrease, got -1 after 0 at row 0");
  EXPECT_EQ(several({3, 1, 4}, {0, 2, 3}),
            "encodings: the block of row 1 must be in [0, 4), got 4");
  EXPECT_EQ(several({0, 3, 3}, {0, 0, 1, 3}), "encodings: row 2 holds block 3 more than once");
  EXPECT_EQ(several({3, 3, 0}, {0, 1, 3}), "(accepted)");
}

// Every digit of 1 + 2^-40 counts; float has 24 bits.
TEST(Encodings, HoldDoublesInEveryLayout) {
  const double fine = 1 + 0x1p-40;
  Matrix values(2, 2);
  values << fine, 2, -3, fine;
  const double squares = 2 * fine * fine + 13;
  const Vector ones = Vector::Ones(2);
  const auto sum_of = [&](const Encodings& e) { return WeightedSum(e, ones); };
  for (const Encodings& dense : {Encodings::Dense(values), Encodings::DenseView(values),
                                 Encodings::DenseView(std::span(values.data(), 4), 2)}) {
    EXPECT_TRUE(dense.is_double());
    EXPECT_EQ(dense.squared_norm(), squares);
    EXPECT_EQ(sum_of(dense)[1], 2 + fine);
    const std::vector<Index> second{1, 1};
    EXPECT_EQ(sum_of(dense.Select(second))[1], 2 * fine);
  }
  const Encodings one = Encodings::OneBlockPerRow(values, {1, 0}, 3);
  EXPECT_EQ(sum_of(one)[1], fine);
  const Encodings several = Encodings::SeveralBlocksPerRow(values, {2, 0}, {0, 2, 2}, 3);
  EXPECT_EQ(sum_of(several)[4], fine);
  EXPECT_EQ(Similarities(several, Vector::Ones(6))[0], 2 * fine - 1);
  EXPECT_EQ(several.ToDense()(0, 4), 1.0f);
  EXPECT_FALSE(Encodings::Dense(Rows::Ones(2, 2)).is_double());
  EXPECT_TRUE(Encodings::Dense(Matrix(0, 2)).is_double());
}

TEST(Encodings, RefuseDoublesWhoseProductsLeaveTheRange) {
  const auto message = [](double value) -> std::string {
    Matrix values = Matrix::Zero(2, 3);
    values(1, 2) = value;
    try {
      Encodings::Dense(values);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(0), "");
  EXPECT_EQ(message(1e70), "");
  EXPECT_EQ(message(-1e-70), "");
  EXPECT_THAT(message(1e71), HasSubstr("row 1, column 2 is 1e+71, beyond 1e+70"));
  EXPECT_THAT(message(-1e-71), HasSubstr("the largest magnitude is 1e-71"));
  EXPECT_THAT(message(std::nan("")), HasSubstr("row 1, column 2 is NaN"));
  EXPECT_THAT(message(HUGE_VAL), HasSubstr("row 1, column 2 is infinite"));
}

}  // namespace
}  // namespace alcedo
