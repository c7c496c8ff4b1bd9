#include "alcedo/encoding/as_operator.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

TEST(AsOperator, EveryLayoutMultipliesAsItsRowsDo) {
  Rows values(3, 2);
  values << 1, 2, 3, 4, 5, 6;
  // Each with the rows it stands for, written out.
  const std::pair<Encodings, std::vector<std::vector<double>>> cases[] = {
      {Encodings::Dense(values), {{1, 2}, {3, 4}, {5, 6}}},
      {Encodings::OneBlockPerRow(values, {1, 0, 1}, 2), {{0, 0, 1, 2}, {3, 4, 0, 0}, {0, 0, 5, 6}}},
      {Encodings::SeveralBlocksPerRow(values, {1, 0, 1}, {0, 0, 2, 3}, 2),
       {{0, 0, 0, 0}, {3, 4, 1, 2}, {0, 0, 5, 6}}},
      // One block, and a row that does not hold it: neither dense nor one entry per row.
      {Encodings::SeveralBlocksPerRow(values, {0, 0, 0}, {0, 1, 1, 2, 3}, 1),
       {{1, 2}, {0, 0}, {3, 4}, {5, 6}}}};
  for (const auto& [encodings, rows] : cases) {
    RowOperator op = AsOperator(encodings, 1);
    ASSERT_EQ(op.num_rows(), static_cast<Index>(rows.size()));
    ASSERT_EQ(op.size(), static_cast<Index>(rows[0].size()));
    for (Index d = 0; d < op.size(); ++d) {
      const Vector unit = Vector::Unit(op.size(), d);
      Vector dots(op.num_rows());
      op.Similarities(unit.data(), dots.data());
      for (Index n = 0; n < op.num_rows(); ++n) EXPECT_EQ(dots[n], rows[n][d]);
    }
  }
}

TEST(AsOperator, RefusesNoThreads) {
  EXPECT_THROW(AsOperator(Encodings::Dense(Rows::Ones(1, 1)), 0), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
