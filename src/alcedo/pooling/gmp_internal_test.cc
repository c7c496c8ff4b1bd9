#include "alcedo/pooling/gmp_internal.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

Rows CountingRows(Index n) {
  Rows rows(n, 2);
  for (Index i = 0; i < n; ++i) rows.row(i) << static_cast<float>(i), static_cast<float>(-i);
  return rows;
}

TEST(BlockRows, SortsRowsByBlockAndKeepsTheirOrder) {
  const Encodings encodings = Encodings::OneBlockPerRow(CountingRows(6), {2, 0, 2, 3, 0, 2}, 5);
  const BlockRows blocks(encodings);
  const std::vector<std::vector<float>> want = {{1, 4}, {}, {0, 2, 5}, {3}, {}};
  std::vector<float> scratch;
  for (Index b = 0; b < 5; ++b) {
    ASSERT_EQ(blocks.Count(b), static_cast<Index>(want[b].size()));
    const float* values = blocks.Gather(b, scratch);
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
  std::vector<float> scratch;
  EXPECT_EQ(blocks.Gather(0, scratch), encodings.Values(2));
  EXPECT_EQ(blocks.Gather(1, scratch), encodings.Values(0));
  EXPECT_TRUE(scratch.empty());
}

TEST(BlockRows, RefusesRowsOfSeveralBlocks) {
  const Encodings encodings = Encodings::SeveralBlocksPerRow(CountingRows(2), {0, 1}, {0, 2}, 2);
  EXPECT_THROW(BlockRows blocks(encodings), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
