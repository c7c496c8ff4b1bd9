#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/gmp_internal.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

Rows CountingRows(Index n) {
  Rows rows(n, 2);
  for (Index i = 0; i < n; ++i) rows.row(i) << static_cast<float>(i), static_cast<float>(-i);
  return rows;
}

// The rows of a block of float encodings.
const float* FloatsOf(const BlockRows& blocks, Index block, GatherScratch& scratch) {
  return blocks.WithRows(block, scratch, [](const auto* rows) -> const float* {
    if constexpr (std::is_same_v<decltype(rows), const float*>) return rows;
    return nullptr;
  });
}

TEST(BlockRows, SortsRowsByBlockAndKeepsTheirOrder) {
  const Encodings encodings = Encodings::OneBlockPerRow(CountingRows(6), {2, 0, 2, 3, 0, 2}, 5);
  const BlockRows blocks(encodings);
  const std::vector<std::vector<float>> want = {{1, 4}, {}, {0, 2, 5}, {3}, {}};
  GatherScratch scratch;
  for (Index b = 0; b < 5; ++b) {
    ASSERT_EQ(blocks.Count(b), static_cast<Index>(want[b].size()));
    const float* values = FloatsOf(blocks, b, scratch);
    for (Index i = 0; i < blocks.Count(b); ++i) {
      EXPECT_EQ(blocks.Order(b)[i], want[b][i]);
      EXPECT_EQ(values[2 * i], want[b][i]);
      EXPECT_EQ(values[2 * i + 1], -want[b][i]);
    }
  }
}

TEST(BlockRows, CopiesNothingWhereRowsStandTogether) {
  const Encodings encodings = Encodings::OneBlockPerRow(CountingRows(4), {1, 1, 0, 0}, 2);
  const BlockRows blocks(encodings);
  GatherScratch scratch;
  EXPECT_EQ(FloatsOf(blocks, 0, scratch), encodings.Values(2));
  EXPECT_EQ(FloatsOf(blocks, 1, scratch), encodings.Values(0));
  EXPECT_TRUE(scratch.floats.empty());
}

TEST(BlockRows, RefusesRowsOfSeveralBlocks) {
  const Encodings encodings = Encodings::SeveralBlocksPerRow(CountingRows(2), {0, 1}, {0, 2}, 2);
  EXPECT_THROW(BlockRows blocks(encodings), InvalidArgument);
}

}  // namespace

namespace {

std::string Refusal(const Matrix& kernel) {
  return test::MessageOf([&] {
    CheckKernel(kernel, "kernel");
    CheckPositive(kernel, "kernel");
  });
}

TEST(CheckKernel, NamesWhatIsWrong) {
  Matrix good(2, 2), m(2, 2);
  good << 2, 1, 1, 2;
  EXPECT_EQ(Refusal(good), "(accepted)");
  EXPECT_EQ(Refusal(Matrix::Zero(2, 2)), "(accepted)");
  EXPECT_EQ(Refusal(Matrix::Zero(0, 0)), "(accepted)");
  EXPECT_EQ(Refusal(Matrix::Zero(2, 3)), "kernel must be square, got 2 x 3");
  m << 1, std::nan(""), 0, 1;
  EXPECT_EQ(Refusal(m), "kernel: row 0, column 1 is nan, not a finite number");
  m << 1, 0.5, 0.4, 1;
  EXPECT_EQ(Refusal(m), "kernel: row 0, column 1 is 0.5, not symmetric");
  m << 1, 2, 2, 1;
  EXPECT_EQ(
      Refusal(m),
      "kernel: row 0, column 1 is 2, more than the diagonal allows: not positive semi-definite");
  m << -1, 0, 0, 1;
  EXPECT_EQ(Refusal(m),
            "kernel: row 0, column 0 is -1, a negative diagonal: not positive semi-definite");
}

TEST(CheckKernel, SeesNegativeEigenvaluesThatNoPairOfEntriesShows) {
  Matrix m(3, 3);  // the third eigenvalue is 1 - 2 * 0.6
  m << 1, -0.6, -0.6, -0.6, 1, -0.6, -0.6, -0.6, 1;
  EXPECT_EQ(Refusal(m), "kernel is not positive semi-definite: it is not a kernel of dot products");
}

TEST(CheckKernel, AcceptsTheRoundingOfFloat) {
  Matrix m(2, 2);
  m << 1, 1 + 1e-7, 1 + 1e-7, 1;
  EXPECT_EQ(Refusal(m), "(accepted)");
}

}  // namespace
}  // namespace alcedo
