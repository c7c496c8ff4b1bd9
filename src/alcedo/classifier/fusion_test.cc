#include "alcedo/classifier/fusion.h"

#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/classifier/svm_testing.h"

namespace alcedo {
namespace {

// Channels of one score each: the fused score is the weighted sum of their values.
std::vector<Matrix> Units(int count) {
  std::vector<Matrix> channels(count, Matrix::Zero(1, count));
  for (int k = 0; k < count; ++k) channels[k](0, k) = 1;
  return channels;
}

// Largest where the weights are `best`.
auto NearTo(std::vector<double> best) {
  return [best](const Matrix& weights) {
    double sum = 0;
    for (std::size_t k = 0; k < best.size(); ++k) {
      const double t = weights(0, static_cast<Index>(k)) - best[k];
      sum -= t * t;
    }
    return sum;
  };
}

TEST(Fusion, IsTheSumOfTheChannels) {
  std::vector<Matrix> channels{Matrix::Constant(2, 3, 1), Matrix::Constant(2, 3, 10)};
  channels[1](1, 2) = -5;
  Matrix sum = FuseScores(channels);
  EXPECT_EQ(sum(0, 0), 11);
  EXPECT_EQ(sum(1, 2), -4);
  sum = FuseScores(channels, std::vector{0.5, 2.0});
  EXPECT_EQ(sum(0, 0), 20.5);
  EXPECT_EQ(sum(1, 2), -9.5);
}

TEST(Fusion, TwoChannelsAreSearchedOnAGrid) {
  const auto channels = Units(2);
  EXPECT_EQ(ChooseFusionWeights(channels, NearTo({0.7, 0.3})), (std::vector{0.7, 0.3}));
  EXPECT_EQ(ChooseFusionWeights(channels, NearTo({0.0, 1.0})), (std::vector{0.0, 1.0}));
  EXPECT_EQ(ChooseFusionWeights(channels, NearTo({0.5, 0.5}), 3), (std::vector{0.5, 0.5}));
  int calls = 0;
  ChooseFusionWeights(channels, [&](const Matrix&) { return ++calls; }, 10);
  EXPECT_EQ(calls, 12);
}

TEST(Fusion, MoreChannelsAreRefined) {
  for (const auto& best :
       {std::vector{0.5, 0.3, 0.2}, {0.0, 0.1, 0.9}, {1.0, 0.0, 0.0}, {0.1, 0.2, 0.3, 0.4}}) {
    const auto weights = ChooseFusionWeights(Units(static_cast<int>(best.size())), NearTo(best));
    double sum = 0;
    for (std::size_t k = 0; k < best.size(); ++k) {
      EXPECT_NEAR(weights[k], best[k], 0.02);
      sum += weights[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(Fusion, TiesGoToTheMostEvenWeights) {
  for (const int count : {1, 2, 3, 5}) {
    const auto weights = ChooseFusionWeights(Units(count), [](const Matrix&) { return 1.0; });
    for (const double w : weights) EXPECT_EQ(w, 1.0 / count);
  }
  // Good enough is anything with at least 0.7 of the first.
  const auto weights =
      ChooseFusionWeights(Units(2), [](const Matrix& w) { return w(0, 0) > 0.699 ? 1.0 : 0.0; });
  EXPECT_EQ(weights, (std::vector{0.7, 0.3}));
}

TEST(Fusion, RefusesWhatItCannotUse) {
  std::vector<Matrix> channels{Matrix::Zero(2, 2), Matrix::Zero(2, 3)};
  EXPECT_EQ(test::MessageOf([&] { FuseScores(channels); }),
            "channel 1 must have 2 x 2 scores as the first, got 2 x 3");
  channels[1] = Matrix::Zero(2, 2);
  EXPECT_EQ(test::MessageOf([&] { FuseScores(channels, std::vector{1.0}); }),
            "there must be a weight for each of the 2 channels, got 1");
  EXPECT_EQ(test::MessageOf([&] { FuseScores({}); }), "number of channels must be >= 1, got 0");
  EXPECT_EQ(test::MessageOf([&] { ChooseFusionWeights(channels, NearTo({1, 0}), 0); }),
            "steps of the fusion weights must be >= 1, got 0");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      test::MessageOf([&] { ChooseFusionWeights(channels, [&](const Matrix&) { return nan; }); }),
      "the quality of fused scores must be a number, got NaN");
  channels[1](1, 0) = nan;
  EXPECT_EQ(test::MessageOf([&] { FuseScores(channels); }),
            "channel 1: row 1 has a score that is not finite");
}

}  // namespace
}  // namespace alcedo
