#include "alcedo/evaluation/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/evaluation/accuracy.h"

namespace alcedo {
namespace {

using Labels = std::vector<int>;

BootstrapOptions Options(int resamples, std::uint64_t seed = 0, int threads = 1) {
  return {.resamples = resamples, .seed = seed, .threads = threads};
}

struct Scored {
  Matrix scores;
  TargetMatrix targets;
};

Scored Simulate(Index images, Index classes, double signal, Rng& rng) {
  Scored test{Matrix(images, classes), TargetMatrix(images, classes)};
  for (Index i = 0; i < test.scores.size(); ++i) {
    const double u = rng.Uniform();
    test.targets.data()[i] = static_cast<std::int8_t>(u < 0.2 ? 1 : u < 0.25 ? 0 : -1);
    test.scores.data()[i] = rng.Normal() + signal * test.targets.data()[i];
  }
  return test;
}

TEST(BootstrapTopOne, CoversTheTruthAboutAsOftenAsItSays) {
  // 95% of 400 trials is 380, its standard deviation 4.4; percentile intervals are a little short.
  Rng rng(1);
  for (const bool over_classes : {false, true}) {
    int covered = 0;
    for (int trial = 0; trial < 400; ++trial) {
      Labels labels, predicted;
      for (int i = 0; i < 120; ++i) {
        labels.push_back(i % 2);
        predicted.push_back(rng.Uniform() < (i % 2 == 0 ? 0.8 : 0.4) ? i % 2 : 1 - i % 2);
      }
      const Interval got = BootstrapTopOne(predicted, labels, 2, over_classes, Options(400, trial));
      covered += got.low <= 0.6 && 0.6 <= got.high;
    }
    EXPECT_GE(covered, 358);
    EXPECT_LE(covered, 395);
  }
}

TEST(BootstrapTopOne, HasTheWidthOfTheNormalApproximation) {
  Labels labels(5000, 0), predicted(5000, 0);
  for (int i = 0; i < 5000; ++i) labels[i] = i % 10, predicted[i] = i % 10 < 3 ? i % 10 : 0;
  const Interval over_images = BootstrapTopOne(predicted, labels, 10, false);
  const double half = 1.96 * std::sqrt(0.3 * 0.7 / 5000);
  EXPECT_NEAR(over_images.low, 0.3 - half, 0.1 * half);
  EXPECT_NEAR(over_images.high, 0.3 + half, 0.1 * half);
  // Within a class all are right or none is: the mean over classes cannot move.
  const Interval over_classes = BootstrapTopOne(predicted, labels, 10, true);
  EXPECT_NEAR(over_classes.low, 0.3, 1e-12);
  EXPECT_NEAR(over_classes.high, 0.3, 1e-12);
}

TEST(BootstrapTopOne, SeedsDecideAndThreadsDoNot) {
  Rng rng(2);
  Labels labels, predicted;
  for (int i = 0; i < 300; ++i) {
    labels.push_back(static_cast<int>(rng.UniformIndex(7)));
    predicted.push_back(static_cast<int>(rng.UniformIndex(7)));
  }
  for (const bool over_classes : {false, true}) {
    const auto run = [&](std::uint64_t seed, int threads) {
      return BootstrapTopOne(predicted, labels, 8, over_classes, Options(333, seed, threads));
    };
    const Interval one = run(5, 1), three = run(5, 3), other = run(6, 1);
    EXPECT_EQ(one.low, three.low);
    EXPECT_EQ(one.high, three.high);
    EXPECT_TRUE(one.low != other.low || one.high != other.high);
    const TopOne top = TopOneAccuracy(predicted, labels, 8);
    const double value = over_classes ? top.over_classes : top.over_images;
    EXPECT_TRUE(one.low < value && value < one.high);
  }
}

TEST(BootstrapTopOne, EdgesAreDefined) {
  for (const bool over_classes : {false, true}) {
    const auto run = [&](const Labels& predicted, const Labels& labels, int resamples) {
      return BootstrapTopOne(predicted, labels, 3, over_classes, Options(resamples));
    };
    EXPECT_EQ(run({}, {}, 10).high, 0);
    EXPECT_EQ(run({1}, {1}, 10).low, 1);
    EXPECT_EQ(run({1}, {2}, 1).high, 0);
    EXPECT_EQ(run({1, 1, 1}, {1, 1, 1}, 1).low, 1);
  }
  BootstrapOptions wrong;
  wrong.resamples = 0;
  EXPECT_THROW(BootstrapTopOne({}, {}, 1, false, wrong), InvalidArgument);
  wrong = {.level = 1};
  EXPECT_THROW(BootstrapTopOne({}, {}, 1, false, wrong), InvalidArgument);
  wrong = {.level = std::nan("")};
  EXPECT_THROW(BootstrapMap(Matrix(0, 1), TargetMatrix(0, 1), ApRule::kArea, wrong),
               InvalidArgument);
  EXPECT_THROW(BootstrapTopOne(Labels{1}, Labels{0, 1}, 2, false), InvalidArgument);
}

// Copies rows as often as they are drawn, and measures the copy.
Interval NaiveBootstrapMap(const Scored& test, ApRule rule, int resamples, std::uint64_t seed) {
  std::vector<double> values;
  const Index n = test.scores.rows();
  for (int r = 0; r < resamples; ++r) {
    Rng rng = Rng::ForItem(seed, r);
    Scored copy{Matrix(n, test.scores.cols()), TargetMatrix(n, test.scores.cols())};
    for (Index i = 0; i < n; ++i) {
      const Index from = rng.UniformIndex(n);
      copy.scores.row(i) = test.scores.row(from);
      copy.targets.row(i) = test.targets.row(from);
    }
    values.push_back(MeanAveragePrecision(copy.scores, copy.targets, rule));
  }
  std::sort(values.begin(), values.end());
  const auto at = [&](double place) {
    const int k = static_cast<int>(place);
    return values[k] + (place - k) * (values[k + 1] - values[k]);
  };
  return {at(0.025 * (resamples - 1)), at(0.975 * (resamples - 1))};
}

TEST(BootstrapMap, EqualsCopyingTheImages) {
  Rng rng(3);
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    Scored test = Simulate(40, 3, 0.7, rng);
    for (Index i = 0; i < 20; ++i) test.scores(i, 1) = double(i % 3);  // ties
    test.targets.col(2).setConstant(-1);
    test.targets(7, 2) = 1;  // often not drawn
    const Interval expected = NaiveBootstrapMap(test, rule, 120, 9);
    for (const int threads : {1, 3}) {
      const Interval got = BootstrapMap(test.scores, test.targets, rule, Options(120, 9, threads));
      EXPECT_NEAR(got.low, expected.low, 1e-12);
      EXPECT_NEAR(got.high, expected.high, 1e-12);
    }
  }
}

TEST(BootstrapMap, EdgesAreDefined) {
  const auto run = [](const Matrix& scores, const TargetMatrix& targets) {
    return BootstrapMap(scores, targets, ApRule::kVoc11, Options(20));
  };
  EXPECT_EQ(run(Matrix(0, 2), TargetMatrix(0, 2)).high, 0);
  EXPECT_EQ(run(Matrix(2, 0), TargetMatrix(2, 0)).high, 0);
  EXPECT_EQ(run(Matrix::Zero(5, 2), TargetMatrix::Zero(5, 2)).high, 0);
  EXPECT_NEAR(run(Matrix::Zero(5, 2), TargetMatrix::Ones(5, 2)).low, 1, 1e-15);
  EXPECT_THROW(run(Matrix::Constant(5, 2, std::nan("")), TargetMatrix::Ones(5, 2)),
               InvalidArgument);
}

}  // namespace
}  // namespace alcedo
