#include "alcedo/pooling/pyramid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"
#include "alcedo/testing/random_rows.h"

namespace alcedo {
namespace {

using test::MessageOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Encodings RandomEncodings(Rng& rng, Index count, Index num_blocks, Index block_size) {
  const Rows values = test::RandomRows(rng, count, block_size, 0.5);
  std::vector<std::int32_t> blocks;
  for (Index n = 0; n < count; ++n) {
    blocks.push_back(static_cast<std::int32_t>(rng.UniformIndex(num_blocks)));
  }
  return Encodings::OneBlockPerRow(values, blocks, num_blocks);
}

// Multiples of 1/8, so that many lie on borders.
std::vector<RelativePosition> RandomPositions(Rng& rng, Index count) {
  std::vector<RelativePosition> positions(static_cast<std::size_t>(count));
  for (auto& [x, y] : positions) {
    x = static_cast<double>(rng.UniformIndex(9)) / 8;
    y = static_cast<double>(rng.UniformIndex(9)) / 8;
  }
  return positions;
}

TEST(Pyramid, ParsesItsForms) {
  const PyramidCell whole{0, 0, 1, 1};
  EXPECT_THAT(ParsePyramid("1").cells, ElementsAre(whole));
  EXPECT_THAT(ParsePyramid("1x1").cells, ElementsAre(whole));
  const PyramidCell top{0, 0, 1, 0.5}, bottom{0, 0.5, 1, 1};
  EXPECT_THAT(ParsePyramid("2x1").cells, ElementsAre(top, bottom));
  const PyramidCell left{0, 0, 0.5, 1}, right{0.5, 0, 1, 1};
  EXPECT_THAT(ParsePyramid("1x2").cells, ElementsAre(left, right));
  EXPECT_THAT(ParsePyramid("2x2").cells,
              ElementsAre(PyramidCell{0, 0, 0.5, 0.5}, PyramidCell{0.5, 0, 1, 0.5},
                          PyramidCell{0, 0.5, 0.5, 1}, PyramidCell{0.5, 0.5, 1, 1}));
  const PyramidCell own{0.25, 0.125, 0.75, 1};
  EXPECT_THAT(ParsePyramid("0.25:0.125:.75:1").cells, ElementsAre(own));
  EXPECT_THAT(ParsePyramid(" 2x1 ,1, 0.25:0.125:0.75:1").cells,
              ElementsAre(top, bottom, whole, own));
  EXPECT_EQ(ParsePyramid("100x100").cells.size(), 10000u);
}

TEST(Pyramid, ThePapersIsTheWholeImageAndThreeStrips) {
  for (const char* text : {"paper", " paper", "1,3x1"}) {
    EXPECT_THAT(ParsePyramid(text).cells,
                ElementsAre(PyramidCell{0, 0, 1, 1}, PyramidCell{0, 0, 1, 1.0 / 3},
                            PyramidCell{0, 1.0 / 3, 1, 2.0 / 3}, PyramidCell{0, 2.0 / 3, 1, 1}));
  }
}

TEST(Pyramid, RefusesOtherTexts) {
  for (const char* text : {"",
                           " ",
                           ",",
                           "1,",
                           ",1",
                           "2",
                           "0",
                           "x",
                           "3x",
                           "x1",
                           "0x1",
                           "1x0",
                           "-1x2",
                           "101x1",
                           "1x101",
                           "3x1x2",
                           "3X1",
                           "3 x 1",
                           "99999999999x1",
                           "2.0x1",
                           "paper,1",
                           "foo",
                           "0:0:1",
                           "0:0:1:1:1",
                           "0:0:1:",
                           "0:0:0:1",
                           "0:1:1:1",
                           "0.5:0:0.25:1",
                           "-0.1:0:1:1",
                           "0:0:1.1:1",
                           "0:0:1:1.1",
                           "0:-0.1:1:1",
                           "nan:0:1:1",
                           "0:0:inf:1",
                           "0:0:1:nan",
                           "a:0:1:1",
                           "0:0:1:1x"}) {
    EXPECT_THAT(MessageOf([&] { ParsePyramid(text); }), HasSubstr("pyramid must be a list of 1, "))
        << text;
  }
  EXPECT_EQ(MessageOf([] { ParsePyramid("1,3x0"); }),
            "pyramid must be a list of 1, ROWSxCOLUMNS (each 1 to 100) and LEFT:TOP:RIGHT:BOTTOM "
            "(increasing, in 0 to 1), or paper, got '3x0' in '1,3x0'");
}

TEST(Pyramid, BordersBelongToTheNextCellAndOneToTheLast) {
  const std::vector<RelativePosition> positions{{0, 0}, {0.5, 0}, {1, 0},    {0.25, 0.5},
                                                {0, 1}, {1, 1},   {0.5, 0.5}};
  EXPECT_THAT(RowsOfCells(ParsePyramid("2x2"), positions),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3, 4), ElementsAre(5, 6)));
  EXPECT_THAT(RowsOfCells(ParsePyramid("0:0:0.5:0.5,0.5:0.5:1:1"), positions),
              ElementsAre(ElementsAre(0), ElementsAre(5, 6)));
}

TEST(Pyramid, EveryPositionIsInOneCellOfAGrid) {
  Rng rng(1);
  for (const int side : {1, 3, 7, 10, 49, 100}) {
    std::vector<RelativePosition> positions;
    for (int i = 0; i <= side; ++i) {  // right on the borders, and somewhere
      positions.push_back({static_cast<double>(i) / side, rng.Uniform()});
    }
    const std::string text = std::to_string(side) + "x" + std::to_string(side);
    std::vector<int> times(positions.size(), 0);
    for (const auto& rows : RowsOfCells(ParsePyramid(text), positions)) {
      for (const Index n : rows) ++times[static_cast<std::size_t>(n)];
    }
    EXPECT_THAT(times, ::testing::Each(1)) << text;
  }
}

TEST(Pyramid, RefusesPositionsAndCellsOutsideTheImage) {
  const Pyramid whole = ParsePyramid("1");
  const auto refusal = [&](double x, double y) {
    return MessageOf([&] { RowsOfCells(whole, std::vector<RelativePosition>{{0, 0}, {x, y}}); });
  };
  EXPECT_EQ(refusal(1, 0), "(accepted)");
  EXPECT_EQ(refusal(1.5, 0), "pyramid: the position of row 1 must be in [0, 1], got (1.5, 0)");
  EXPECT_EQ(refusal(0, -0.1), "pyramid: the position of row 1 must be in [0, 1], got (0, -0.1)");
  EXPECT_EQ(refusal(0, 2), "pyramid: the position of row 1 must be in [0, 1], got (0, 2)");
  EXPECT_EQ(refusal(-1, 0), "pyramid: the position of row 1 must be in [0, 1], got (-1, 0)");
  EXPECT_THAT(refusal(kNan, 0), HasSubstr("got (nan, 0)"));
  EXPECT_THAT(refusal(0, kNan), HasSubstr("got (0, nan)"));
  EXPECT_EQ(MessageOf([] { RowsOfCells({}, {}); }),
            "pyramid must have at least one cell, got none");
  EXPECT_EQ(MessageOf([] { RowsOfCells({{{}, {0, 0, 2, 1}}}, {}); }),
            "pyramid: cell 1 must have 0 <= left < right <= 1 and 0 <= top < bottom <= 1, got "
            "0:0:2:1");
}

TEST(Pyramid, PoolsTheRowsOfEveryCell) {
  Rng rng(2);
  const Index count = 60;
  const Encodings encodings = RandomEncodings(rng, count, 3, 4);
  const Rows dense = encodings.ToDense();
  const auto positions = RandomPositions(rng, count);
  const Pyramid pyramid = ParsePyramid("1,2x4,0.125:0.25:0.5:1");
  std::vector<SolveReport> reports;
  const Matrix pooled = PoolPyramid(encodings, pyramid, positions, SumOptions{}, &reports);
  ASSERT_EQ(pooled.rows(), 10);
  ASSERT_EQ(pooled.cols(), 12);
  EXPECT_EQ(reports.size(), 10u);

  Matrix naive = Matrix::Zero(10, 12);
  for (Index n = 0; n < count; ++n) {
    const auto [x, y] = positions[static_cast<std::size_t>(n)];
    const int column = x == 1 ? 3 : static_cast<int>(4 * x), row = y < 0.5 ? 0 : 1;
    for (Index j = 0; j < 12; ++j) {
      naive(0, j) += dense(n, j);
      naive(1 + 4 * row + column, j) += dense(n, j);
      if (x >= 0.125 && x < 0.5 && y >= 0.25) naive(9, j) += dense(n, j);
    }
  }
  EXPECT_LT((pooled - naive).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Pyramid, GmpIsSolvedCellByCell) {
  Rng rng(3);
  const Encodings encodings = RandomEncodings(rng, 40, 2, 5);
  const auto positions = RandomPositions(rng, 40);
  const GmpOptions options{.lambda = 0.5, .relative = true};
  std::vector<SolveReport> reports;
  const Matrix pooled = PoolPyramid(encodings, ParsePyramid("1,1x2"), positions, options, &reports);
  ASSERT_EQ(reports.size(), 3u);
  for (Index cell = 0; cell < 3; ++cell) {
    std::vector<Index> rows;
    for (Index n = 0; n < 40; ++n) {
      const bool left = positions[static_cast<std::size_t>(n)].x < 0.5;
      if (cell == 0 || (cell == 1) == left) rows.push_back(n);
    }
    const GmpResult alone = PoolGmp(encodings.Select(rows), options);
    EXPECT_EQ(pooled.row(cell).transpose(), alone.phi);
    EXPECT_EQ(reports[static_cast<std::size_t>(cell)].lambda, alone.report.lambda);
    EXPECT_EQ(reports[static_cast<std::size_t>(cell)].solver, alone.report.solver);
  }
}

TEST(Pyramid, WeightsGoWithTheirRows) {
  Rng rng(4);
  const Encodings encodings = RandomEncodings(rng, 30, 2, 3);
  const auto positions = RandomPositions(rng, 30);
  WeightedOptions options{Vector(30)};
  for (double& w : options.weights) w = rng.Normal();
  const Matrix pooled = PoolPyramid(encodings, ParsePyramid("2x1"), positions, options);
  const Rows dense = encodings.ToDense();
  Matrix naive = Matrix::Zero(2, 6);
  for (Index n = 0; n < 30; ++n) {
    const Index cell = positions[static_cast<std::size_t>(n)].y < 0.5 ? 0 : 1;
    naive.row(cell) += options.weights[n] * dense.row(n).cast<double>();
  }
  EXPECT_LT((pooled - naive).cwiseAbs().maxCoeff(), 1e-12);

  options.weights[17] = kNan;
  EXPECT_EQ(MessageOf([&] { PoolPyramid(encodings, ParsePyramid("2x1"), positions, options); }),
            "weighted.weights must be finite, got nan for row 17");
  options.weights.conservativeResize(29);
  EXPECT_EQ(MessageOf([&] { PoolPyramid(encodings, ParsePyramid("2x1"), positions, options); }),
            "weighted.weights must have one value per row, 30, got 29");
}

TEST(Pyramid, CellsWithoutPatchesAreZeroForEveryPooling) {
  Rng rng(5);
  const Encodings encodings = RandomEncodings(rng, 5, 2, 3);
  const std::vector<RelativePosition> positions(5, {0.1, 0.1});
  const std::vector<PoolingOptions> all{SumOptions{},     MeanOptions{},
                                        MaxOptions{},     LpOptions{},
                                        SoftmaxOptions{}, WeightedOptions{Vector::Ones(5)},
                                        GmpOptions{},     DemocraticOptions{}};
  for (const PoolingOptions& options : all) {
    const Matrix pooled = PoolPyramid(encodings, ParsePyramid("2x2"), positions, options);
    EXPECT_EQ(pooled.row(0).transpose(), Pool(encodings, options).phi) << options.index();
    EXPECT_EQ(pooled.bottomRows(3), Matrix::Zero(3, 6)) << options.index();
  }
  const Encodings none = encodings.Select({});
  EXPECT_EQ(PoolPyramid(none, ParsePyramid("paper"), {}, GmpOptions{}), Matrix::Zero(4, 6));
}

TEST(Pyramid, SeveralPoolingsShareThePassOverTheCells) {
  Rng rng(7);
  const Encodings encodings = RandomEncodings(rng, 50, 3, 4);
  const auto positions = RandomPositions(rng, 50);
  const Pyramid pyramid = ParsePyramid("1,3x1,0:0:0.1:0.1");
  const std::vector<PoolingOptions> poolings{
      GmpOptions{.lambda = 2}, MaxOptions{}, WeightedOptions{Vector::LinSpaced(50, 1, 2)},
      GmpOptions{.lambda = 1, .relative = true}, DemocraticOptions{}};
  const PooledPyramid pooled = PoolPyramid(encodings, pyramid, positions, poolings, 2);
  ASSERT_EQ(pooled.values.rows(), 5);
  ASSERT_EQ(pooled.values.cols(), 5 * 12);
  ASSERT_EQ(pooled.reports.size(), 25u);
  for (Index i = 0; i < 5; ++i) {
    std::vector<SolveReport> reports;
    const Matrix cells = PoolPyramid(encodings, pyramid, positions, poolings[i], &reports);
    for (Index cell = 0; cell < 5; ++cell) {
      const auto part = pooled.values.row(i).segment(cell * 12, 12);
      EXPECT_LE((part - cells.row(cell)).norm(), 1e-5 * cells.row(cell).norm()) << i << cell;
      const SolveReport& report = pooled.reports[static_cast<std::size_t>(cell * 5 + i)];
      EXPECT_EQ(report.solver, reports[static_cast<std::size_t>(cell)].solver);
      EXPECT_DOUBLE_EQ(report.lambda, reports[static_cast<std::size_t>(cell)].lambda);
    }
  }
  const PooledPyramid none = PoolPyramid(encodings.Select({}), pyramid, {},
                                         std::vector<PoolingOptions>{GmpOptions{}, SumOptions{}});
  EXPECT_EQ(none.values, Matrix::Zero(2, 5 * 12));
}

TEST(Pyramid, OnlyTheWholeImageNeedsNoPositions) {
  Rng rng(6);
  const Encodings encodings = RandomEncodings(rng, 5, 2, 3);
  const Pyramid whole = ParsePyramid("1"), paper = ParsePyramid("paper");
  const Vector sum = Pool(encodings, SumOptions{}).phi;
  EXPECT_EQ(PoolPyramid(encodings, whole, {}, SumOptions{}).row(0).transpose(), sum);
  EXPECT_EQ(PoolPyramid(encodings, whole, {}, WeightedOptions{Vector::Ones(5)}).row(0).transpose(),
            sum);
  EXPECT_EQ(MessageOf([&] { PoolPyramid(encodings, paper, {}, SumOptions{}); }),
            "pyramid: there must be one position per row, 5, got 0");
  const std::vector<RelativePosition> few(4);
  EXPECT_EQ(MessageOf([&] { PoolPyramid(encodings, whole, few, SumOptions{}); }),
            "pyramid: there must be one position per row, 5, got 4");
  EXPECT_EQ(MessageOf([&] { PoolPyramid(encodings, {}, {}, SumOptions{}); }),
            "pyramid must have at least one cell, got none");
  EXPECT_THROW(PoolPyramid(encodings, whole, {}, GmpOptions{.lambda = -1}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
