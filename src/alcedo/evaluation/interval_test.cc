#include "alcedo/evaluation/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/accuracy.h"
#include "alcedo/testing/message_of.h"

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
}

TEST(BootstrapTopOne, IsNotCertainWhereResamplesCannotMove) {
  // Eight of eight: Wilson's interval, n / (n + z^2) to 1; over two classes of four each of theirs
  // is as much shorter as the root of two makes it.
  const double z2 = 1.959964 * 1.959964;
  const Labels labels = {0, 0, 0, 0, 1, 1, 1, 1};
  const Interval images = BootstrapTopOne(labels, labels, 2, false);
  EXPECT_NEAR(images.low, 8 / (8 + z2), 1e-6);
  EXPECT_EQ(images.high, 1);
  const Interval classes = BootstrapTopOne(labels, labels, 2, true);
  EXPECT_NEAR(classes.low, 1 - z2 / (4 + z2) / std::sqrt(2.0), 1e-6);
  EXPECT_EQ(classes.high, 1);
  // One class right and one wrong: on either side what one of them gives.
  const Interval half = BootstrapTopOne(Labels(8, 0), labels, 2, true);
  EXPECT_NEAR(half.low, 0.5 - z2 / (4 + z2) / 2, 1e-6);
  EXPECT_NEAR(half.high, 0.5 + z2 / (4 + z2) / 2, 1e-6);
  // One mistake more cannot make it surer.
  const Interval seven = BootstrapTopOne(Labels{0, 0, 0, 0, 1, 1, 1, 0}, labels, 2, true);
  EXPECT_LT(seven.low, classes.low);
}

TEST(BootstrapTopOne, CoversTheTruthOfFewImages) {
  // 95% of 500 trials is 475, its standard deviation 4.9.
  Rng rng(7);
  for (const int classes : {1, 2, 4, 10}) {
    for (const int images : {2, 3, 8}) {
      for (const double worst : {0.5, 0.9}) {
        if (classes * images < 8) continue;
        int covered = 0;
        for (int trial = 0; trial < 500; ++trial) {
          Labels labels, predicted;
          double truth = 0;
          for (int c = 0; c < classes; ++c) {
            const double p = worst + (1 - worst) * rng.Uniform();
            truth += p / classes;
            for (int i = 0; i < images; ++i) {
              labels.push_back(c);
              predicted.push_back(rng.Uniform() < p ? c : classes);
            }
          }
          const Interval got =
              BootstrapTopOne(predicted, labels, classes + 1, true, Options(200, trial));
          covered += got.low <= truth && truth <= got.high;
        }
        EXPECT_GE(covered, 440) << classes << " classes of " << images << " from " << worst;
      }
    }
  }
}

TEST(BootstrapTopOne, IsThePercentileIntervalOfManyImages) {
  // A few classes that are all right among many that are not: nothing is widened.
  Rng rng(8);
  Labels labels, predicted;
  for (int i = 0; i < 600; ++i) {
    labels.push_back(i % 10);
    predicted.push_back(i % 10 < 3 || rng.Uniform() < 0.8 ? i % 10 : 10);
  }
  std::vector<double> values;
  for (int r = 0; r < 300; ++r) {
    double mean = 0;
    Rng draws = Rng::ForItem(4, r);
    for (int c = 0; c < 10; ++c) {
      for (int i = 0; i < 60; ++i) {
        const std::size_t image = static_cast<std::size_t>(10 * draws.UniformIndex(60) + c);
        mean += predicted[image] == c ? 1.0 / 600 : 0;
      }
    }
    values.push_back(mean);
  }
  std::sort(values.begin(), values.end());
  const Interval got = BootstrapTopOne(predicted, labels, 11, true, Options(300, 4));
  EXPECT_NEAR(got.low, values[7] + 0.475 * (values[8] - values[7]), 1e-12);
  EXPECT_NEAR(got.high, values[291] + 0.525 * (values[292] - values[291]), 1e-12);
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
    EXPECT_NEAR(run({1}, {1}, 10).low, 0.2065, 1e-4);  // 1 / (1 + 1.96^2)
    EXPECT_EQ(run({1}, {1}, 10).high, 1);
    EXPECT_NEAR(run({1}, {2}, 1).high, 0.7935, 1e-4);
    EXPECT_EQ(run({1}, {2}, 1).low, 0);
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

// The standard deviation over halves, each copied out of shuffled rows.
double NaiveHalvesDeviation(const Scored& test, ApRule rule, int halves, Rng& rng) {
  const Index n = test.scores.rows();
  std::vector<Index> order(n);
  for (Index i = 0; i < n; ++i) order[i] = i;
  double sum = 0, squares = 0;
  for (int h = 0; h < halves; ++h) {
    for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[rng.UniformIndex(i + 1)]);
    Scored half{Matrix(n / 2, test.scores.cols()), TargetMatrix(n / 2, test.scores.cols())};
    for (Index i = 0; i < n / 2; ++i) {
      half.scores.row(i) = test.scores.row(order[i]);
      half.targets.row(i) = test.targets.row(order[i]);
    }
    const double value = MeanAveragePrecision(half.scores, half.targets, rule);
    sum += value;
    squares += value * value;
  }
  return std::sqrt(squares / halves - sum / halves * (sum / halves));
}

TEST(BootstrapMap, HasTheWidthOfCopiedHalves) {
  Rng rng(3);
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    Scored test = Simulate(40, 3, 0.7, rng);
    for (Index i = 0; i < 20; ++i) test.scores(i, 1) = double(i % 3);  // ties
    test.targets.col(2).setConstant(-1);
    test.targets(7, 2) = 1;  // often not drawn
    const double value = MeanAveragePrecision(test.scores, test.targets, rule);
    const double half = 1.96 * NaiveHalvesDeviation(test, rule, 3000, rng);
    const Interval got = BootstrapMap(test.scores, test.targets, rule, Options(3000, 9));
    EXPECT_NEAR((got.low + got.high) / 2, value, 1e-12);
    EXPECT_NEAR((got.high - got.low) / 2, half, 0.07 * half);  // its error is about 0.02
    const Interval threads = BootstrapMap(test.scores, test.targets, rule, Options(3000, 9, 3));
    EXPECT_EQ(threads.low, got.low);
    EXPECT_EQ(threads.high, got.high);
  }
}

TEST(MapOfHalves, HasEveryImageInHalfOfTheHalves) {
  // One positive: its half has an average precision of 1, the others have no class and 0.
  for (const Index n : {8, 9}) {
    TargetMatrix targets = TargetMatrix::Constant(n, 1, -1);
    targets(n - 1, 0) = 1;
    Matrix scores = Matrix::Zero(n, 1);
    scores(n - 1, 0) = 1;
    double sum = 0;
    for (const double value : MapOfHalves(scores, targets, ApRule::kArea, Options(4000))) {
      EXPECT_TRUE(value == 0 || value == 1);
      sum += value;
    }
    EXPECT_NEAR(sum / 4000, 0.5, 5 * 0.5 / std::sqrt(4000.0));
  }
}

TEST(BootstrapMap, CoversTheExpectedMeasure) {
  // As many images and classes as the samples of VOC 2007 have; about 20 positives of a class. The
  // middle of resamples with replacement covers it in 8 of 10 trials.
  Rng rng(11);
  constexpr Index kImages = 90, kClasses = 20;
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    const Scored test = Simulate(kImages, kClasses, 0.5, rng);
    expected += MeanAveragePrecision(test.scores, test.targets, ApRule::kVoc11) / 1000;
  }
  int covered = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Scored test = Simulate(kImages, kClasses, 0.5, rng);
    const Interval got =
        BootstrapMap(test.scores, test.targets, ApRule::kVoc11, Options(200, std::uint64_t(trial)));
    covered += got.low <= expected && expected <= got.high;
  }
  RecordProperty("covered_percent", covered / 3);
  EXPECT_GE(covered, 276);  // 285 expected, its standard deviation 3.8
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

TEST(Check, NamesTheOptionOfTheBootstrap) {
  const auto refusal = [](const BootstrapOptions& options) {
    return test::RefusalOf([&] { Check(options); });
  };
  using test::Refused;
  EXPECT_EQ(refusal({}), Refused{});
  EXPECT_EQ(refusal({.resamples = 0}), (Refused{"bootstrap.resamples", "must be >= 1", "0"}));
  EXPECT_EQ(refusal({.level = 1}), (Refused{"bootstrap.level", "must be in (0, 1)", "1"}));
  EXPECT_EQ(refusal({.threads = 0}), (Refused{"threads", "must be >= 1", "0"}));
}

}  // namespace
}  // namespace alcedo
