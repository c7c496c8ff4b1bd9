#include "alcedo/evaluation/paired.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/accuracy.h"

namespace alcedo {
namespace {

using Labels = std::vector<int>;

// All outcomes of n fair coins that are at least as uneven.
double NaiveMcNemar(int first, int second) {
  const int n = first + second;
  std::vector<double> row = {1};  // of Pascal's triangle, halved in every step
  for (int i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 0);
    for (std::size_t k = 0; k < row.size(); ++k) next[k] += row[k] / 2, next[k + 1] += row[k] / 2;
    row = next;
  }
  double p = 0;
  for (int k = 0; k <= n; ++k) {
    if (std::abs(2 * k - n) >= std::abs(first - second)) p += row[k];
  }
  return p;
}

TEST(McNemar, IsTheSumOfBinomialProbabilities) {
  for (int first = 0; first <= 40; ++first) {
    for (int second = 0; second <= 40; ++second) {
      const double expected = NaiveMcNemar(first, second);
      EXPECT_NEAR(McNemarP(first, second), expected, 1e-12 * expected);
    }
  }
  EXPECT_NEAR(McNemarP(0, 5), 2.0 / 32, 1e-15);
  EXPECT_EQ(McNemarP(0, 0), 1);
  // Beyond the range of 2^-n; the normal approximation with its correction for steps.
  const double z = (200 - 1) / std::sqrt(6200.0);
  EXPECT_NEAR(McNemarP(3000, 3200), std::erfc(z / std::sqrt(2.0)), 2e-5);
  EXPECT_GE(McNemarP(0, 100000), 0);
  EXPECT_THROW(McNemarP(-1, 2), InvalidArgument);
}

TEST(McNemar, CountsImagesThatOnlyOneGetsRight) {
  const Labels labels = {0, 1, 2, 0, 1}, first = {0, 1, 2, 1, 0}, second = {0, 0, 0, 0, 2};
  const McNemar test = McNemarTest(first, second, labels);
  EXPECT_EQ(test.only_first, 2);
  EXPECT_EQ(test.only_second, 1);
  EXPECT_EQ(test.p, 1);
  EXPECT_THROW(McNemarTest(first, Labels{0}, labels), InvalidArgument);
}

// Two methods that are right with these probabilities, independently.
struct Pair {
  Labels labels, first, second;
};
Pair Simulate(int images, int classes, double p, double q, Rng& rng) {
  Pair pair;
  for (int i = 0; i < images; ++i) {
    const int label = i * i % classes, wrong = (label + 1) % classes;
    pair.labels.push_back(label);
    pair.first.push_back(rng.Uniform() < p ? label : wrong);
    pair.second.push_back(rng.Uniform() < q ? label : wrong);
  }
  return pair;
}

TEST(CompareTopOne, FindsDifferencesAndNothingElse) {
  Rng rng(1);
  for (const bool over_classes : {false, true}) {
    int significant = 0, covered = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Pair pair = Simulate(150, 5, 0.6, 0.6, rng);
      const PairedComparison got =
          CompareTopOne(pair.first, pair.second, pair.labels, 5, over_classes,
                        {.resamples = 300, .seed = std::uint64_t(trial)});
      significant += got.p <= 0.05;
      covered += got.interval.low <= 0 && 0 <= got.interval.high;
    }
    EXPECT_LE(significant, 22);  // 10 expected, at most
    EXPECT_GE(covered, 174);     // 190 expected
    const Pair pair = Simulate(400, 5, 0.7, 0.5, rng);
    const PairedComparison found =
        CompareTopOne(pair.first, pair.second, pair.labels, 5, over_classes);
    EXPECT_LT(found.p, 0.005);
    EXPECT_GT(found.interval.low, 0);
  }
}

TEST(CompareTopOne, IsTheDifferenceOfTheMeasures) {
  Rng rng(2);
  const Pair pair = Simulate(90, 7, 0.7, 0.4, rng);
  const TopOne a = TopOneAccuracy(pair.first, pair.labels, 7);
  const TopOne b = TopOneAccuracy(pair.second, pair.labels, 7);
  const auto compare = [&](bool over_classes, int threads) {
    return CompareTopOne(pair.first, pair.second, pair.labels, 7, over_classes,
                         {.resamples = 500, .threads = threads});
  };
  EXPECT_EQ(compare(false, 1).difference, a.over_images - b.over_images);
  EXPECT_EQ(compare(true, 1).difference, a.over_classes - b.over_classes);
  EXPECT_EQ(compare(false, 1).p, McNemarTest(pair.first, pair.second, pair.labels).p);
  EXPECT_EQ(compare(true, 1).p, compare(true, 4).p);
  EXPECT_EQ(compare(true, 1).interval.low, compare(true, 4).interval.low);
  EXPECT_LT(compare(true, 1).interval.low, compare(true, 1).difference);
  EXPECT_GT(compare(true, 1).interval.high, compare(true, 1).difference);
}

TEST(CompareTopOne, SignFlipsOfClassesOfOneSizeAgreeWithMcNemar) {
  Labels labels, first, second;
  for (int i = 0; i < 60; ++i) {
    labels.push_back(i % 3);
    first.push_back(i < 14 ? (i + 1) % 3 : i % 3);
    second.push_back(i >= 14 && i < 40 ? (i + 1) % 3 : i % 3);
  }
  const PairedComparison got = CompareTopOne(first, second, labels, 3, true, {.resamples = 20000});
  const double p = NaiveMcNemar(26, 14);
  EXPECT_NEAR(got.p, p, 5 * std::sqrt(p / 20000));
}

TEST(CompareTopOne, EdgesAreDefined) {
  for (const bool over_classes : {false, true}) {
    for (const Labels& labels : {Labels{}, Labels{1}, Labels{0, 1, 1}}) {
      const PairedComparison same = CompareTopOne(labels, labels, labels, 2, over_classes);
      EXPECT_EQ(same.difference, 0);
      EXPECT_EQ(same.interval.high > 0, !labels.empty());
      EXPECT_NEAR(same.interval.low, -same.interval.high, 1e-15);
      EXPECT_LE(same.interval.high, 1);
      EXPECT_EQ(same.p, 1);
    }
  }
}

TEST(CompareTopOne, IsNotCertainWhereResamplesCannotMove) {
  // All of one class for the first method, none of the other: every resample says 0.5.
  const Labels labels = {0, 0, 0, 1, 1, 1}, second = {1, 1, 1, 1, 1, 1};
  const PairedComparison got = CompareTopOne(labels, second, labels, 2, true);
  EXPECT_EQ(got.difference, 0.5);
  // Agresti and Min, three images and two more: 3 / 5 with a variance of (4 - 9 / 5) / 25, and 0
  // with one of 1 / 25. The first reaches 1, and no further.
  const double z = 1.959964;
  const double below = 1 - 0.6 + z * std::sqrt((4 - 9.0 / 5) / 25), none = z / 5;
  EXPECT_NEAR(got.interval.low, (1 - std::hypot(below, none)) / 2, 1e-6);
  EXPECT_NEAR(got.interval.high, (1 + none) / 2, 1e-6);
}

TEST(CompareTopOne, CoversTheTruthOfFewImages) {
  // 95% of 500 trials is 475, its standard deviation 4.9. Six images a class: percentile intervals
  // are short by a tenth there even where classes vary; alone they cover 332 of two with q = 0.9.
  Rng rng(5);
  for (const int classes : {2, 4, 10}) {
    for (const double q : {0.95, 0.9, 0.8}) {
      int covered = 0;
      for (int trial = 0; trial < 500; ++trial) {
        Labels labels, first, second;
        for (int i = 0; i < 6 * classes; ++i) {
          labels.push_back(i % classes);
          first.push_back(rng.Uniform() < 0.95 ? i % classes : classes);
          second.push_back(rng.Uniform() < q ? i % classes : classes);
        }
        const PairedComparison got =
            CompareTopOne(first, second, labels, classes + 1, true,
                          {.resamples = 200, .seed = std::uint64_t(trial)});
        covered += got.interval.low <= 0.95 - q && 0.95 - q <= got.interval.high;
      }
      EXPECT_GE(covered, 430) << classes << " classes, " << q;
    }
  }
}

TEST(CompareMap, FindsTheBetterScoresWhateverTheirScale) {
  Rng rng(3);
  Matrix good(200, 4), bad(200, 4);
  TargetMatrix targets(200, 4);
  for (Index i = 0; i < good.size(); ++i) {
    targets.data()[i] = static_cast<std::int8_t>(rng.Uniform() < 0.3 ? 1 : -1);
    good.data()[i] = 1e6 * (rng.Normal() + 2 * targets.data()[i]);
    bad.data()[i] = rng.Normal() + 0.2 * targets.data()[i];
  }
  for (const ApRule rule : {ApRule::kVoc11, ApRule::kArea}) {
    const BootstrapOptions options = {.resamples = 400};
    const PairedComparison got = CompareMap(good, bad, targets, rule, options);
    EXPECT_EQ(got.difference,
              MeanAveragePrecision(good, targets, rule) - MeanAveragePrecision(bad, targets, rule));
    EXPECT_GT(got.interval.low, 0);
    EXPECT_LT(got.p, 1e-6);
    const PairedComparison turned = CompareMap(bad, good, targets, rule, options);
    EXPECT_EQ(turned.difference, -got.difference);
    EXPECT_EQ(turned.p, got.p);
    const PairedComparison same = CompareMap(good, 3e-9 * good, targets, rule, options);
    EXPECT_EQ(same.difference, 0);
    EXPECT_EQ(same.p, 1);
    EXPECT_EQ(same.interval.high, 0);
  }
  EXPECT_THROW(CompareMap(good, Matrix(3, 4), targets, ApRule::kArea), InvalidArgument);
}

TEST(CompareMap, FindsNothingBetweenEqualMethods) {
  // Two scores with the same signal and noise that they share in part: 400 trials, of which 20 may
  // be significant, with a standard deviation of 4.4.
  Rng rng(6);
  int significant = 0, covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Matrix first(120, 4), second(120, 4);
    TargetMatrix targets(120, 4);
    for (Index i = 0; i < first.size(); ++i) {
      targets.data()[i] = static_cast<std::int8_t>(rng.Uniform() < 0.2 ? 1 : -1);
      const double shared = rng.Normal() + 0.5 * targets.data()[i];
      first.data()[i] = shared + 0.6 * rng.Normal();
      second.data()[i] = shared + 0.6 * rng.Normal();
    }
    const PairedComparison got = CompareMap(first, second, targets, ApRule::kVoc11,
                                            {.resamples = 200, .seed = std::uint64_t(trial)});
    significant += got.p < 0.05;
    covered += got.interval.low <= 0 && 0 <= got.interval.high;
  }
  EXPECT_LE(significant, 33);
  EXPECT_EQ(covered, 400 - significant);  // one test
}

}  // namespace
}  // namespace alcedo
