#include "alcedo/evaluation/seeded_measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/evaluation/accuracy.h"

namespace alcedo {
namespace {

using Labels = std::vector<int>;

// An image is classified correctly if skill + its ease + the seed's luck + luck of its own > 0.
class Classified {
 public:
  Classified(int images, int classes, Rng& rng) : classes_(classes) {
    for (int i = 0; i < images; ++i) {
      labels.push_back(i % classes);
      ease_.push_back(rng.Normal());
    }
  }

  std::vector<Labels> Predict(int seeds, double skill, double luck, Rng& rng) const {
    std::vector<Labels> predicted;
    for (int s = 0; s < seeds; ++s) {
      const double of_seed = luck * rng.Normal();
      Labels& one = predicted.emplace_back();
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool right = skill + ease_[i] + of_seed + rng.Normal() > 0;
        one.push_back(right ? labels[i] : (labels[i] + 1) % classes_);
      }
    }
    return predicted;
  }

  // Over all images and seeds that there are.
  static double Truth(double skill, double luck) {
    return std::erfc(-skill / std::sqrt(2 + luck * luck) / std::sqrt(2.0)) / 2;
  }

  Labels labels;

 private:
  int classes_;
  std::vector<double> ease_;
};

// The mean of the classes' mean values of images, from counts of how often each was drawn.
double MeanOverClasses(const std::vector<std::vector<double>>& of_classes) {
  double mean = 0;
  for (const auto& values : of_classes) {
    double sum = 0;
    for (const double value : values) sum += value;
    mean += sum / static_cast<double>(values.size()) / static_cast<double>(of_classes.size());
  }
  return mean;
}

TEST(SeededTopOne, HasTheVarianceOfResamplesThatSeedsShare) {
  Rng rng(1);
  constexpr int kSeeds = 3, kClasses = 4, kImages = 10;
  const Classified set(kClasses * kImages, kClasses, rng);
  const std::vector<Labels> predicted = set.Predict(kSeeds, 0.5, 0.3, rng);
  const SeededMeasure got = SeededTopOne(predicted, set.labels, kClasses, true);
  for (int s = 0; s < kSeeds; ++s) {
    EXPECT_NEAR(got.seeds[s], TopOneAccuracy(predicted[s], set.labels, kClasses).over_classes,
                1e-12);
  }
  // Of the mean over seeds, and of every seed, with the same images.
  constexpr int kResamples = 20000;
  std::vector<double> sum(kSeeds + 1, 0), squares(kSeeds + 1, 0);
  for (int r = 0; r < kResamples; ++r) {
    std::vector<std::vector<std::vector<double>>> drawn(kSeeds + 1,
                                                        std::vector<std::vector<double>>(kClasses));
    for (int c = 0; c < kClasses; ++c) {
      for (int i = 0; i < kImages; ++i) {
        const auto image = static_cast<std::size_t>(kClasses * rng.UniformIndex(kImages) + c);
        double mean = 0;
        for (int s = 0; s < kSeeds; ++s) {
          const double right = predicted[s][image] == c ? 1 : 0;
          drawn[s][c].push_back(right);
          mean += right / kSeeds;
        }
        drawn[kSeeds][c].push_back(mean);
      }
    }
    for (int s = 0; s <= kSeeds; ++s) {
      const double value = MeanOverClasses(drawn[s]);
      sum[s] += value / kResamples;
      squares[s] += value * value / kResamples;
    }
  }
  // Resamples of n images vary (n - 1) / n as much as they should.
  const double scale = double(kImages) / (kImages - 1);
  double of_one = 0;
  for (int s = 0; s < kSeeds; ++s) of_one += scale * (squares[s] - sum[s] * sum[s]) / kSeeds;
  const double of_mean = scale * (squares[kSeeds] - sum[kSeeds] * sum[kSeeds]);
  EXPECT_NEAR(got.images, of_mean, 0.05 * of_mean);
  const double both = (of_one - of_mean) / (kSeeds - 1);
  EXPECT_NEAR(got.both, both, 0.15 * both);
}

TEST(SeededTopOne, DoesNotTrustClassesThatDoNotVary) {
  const Labels labels = {0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<Labels> right = {labels, labels};
  const SeededMeasure all = SeededTopOne(right, labels, 2, true);
  EXPECT_EQ(all.seeds, (std::vector<double>{1, 1}));
  // Of 4 + 4 images 6 right, in both classes.
  EXPECT_NEAR(all.images, 2 * (0.75 * 0.25 / 8) / 4, 1e-12);
  EXPECT_EQ(all.both, 0);
  const SeededMeasure same = SeededTopOneDifference(right, right, labels, 2, true);
  // Of 4 + 2 differences one is +-1 in the mean square.
  EXPECT_NEAR(same.images, 2 * (1.0 / 6 / 6) / 4, 1e-12);
  EXPECT_EQ(IntervalOfSeeds(same, {}).p, 1);
  EXPECT_THROW(SeededTopOneDifference(right, std::vector<Labels>{labels}, labels, 2, true),
               InvalidArgument);
  EXPECT_THROW(SeededTopOne(std::vector<Labels>{{0, 1}}, labels, 2, true), InvalidArgument);
  EXPECT_EQ(SeededTopOne(std::vector<Labels>{{}, {}}, Labels{}, 2, false).images, 0);
}

// Six representations with vocabularies of their own, two methods each: the share of intervals that
// contain the truth, of the first method and of the difference.
struct Coverage {
  double values = 0, differences = 0, significant = 0;
};
Coverage Cover(int seeds, int images, int classes, double luck, double skill, double gain,
               int trials, std::uint64_t rng_seed) {
  constexpr int kRepresentations = 6;
  Rng rng(rng_seed);
  Coverage coverage;
  const double truth = Classified::Truth(skill, luck);
  const double better = Classified::Truth(skill + gain, luck);
  for (int trial = 0; trial < trials; ++trial) {
    const Classified set(images, classes, rng);
    std::vector<SeededMeasure> values, differences;
    for (int r = 0; r < kRepresentations; ++r) {
      const auto first = set.Predict(seeds, skill + gain, luck, rng);
      const auto second = set.Predict(seeds, skill, luck, rng);
      values.push_back(SeededTopOne(second, set.labels, classes, true));
      differences.push_back(SeededTopOneDifference(first, second, set.labels, classes, true));
    }
    const SeedSpread spread = PoolSeeds(values, kRepresentations);
    const SeedSpread of_differences = PoolSeeds(differences, kRepresentations);
    for (int r = 0; r < kRepresentations; ++r) {
      const Interval value = IntervalOfSeeds(values[r], spread).interval;
      const SeededResult difference = IntervalOfSeeds(differences[r], of_differences);
      const double share = 100.0 / kRepresentations / trials;
      coverage.values += value.low <= truth && truth <= value.high ? share : 0;
      coverage.differences +=
          difference.interval.low <= better - truth && better - truth <= difference.interval.high
              ? share
              : 0;
      coverage.significant += difference.p < 0.05 ? share : 0;
    }
  }
  return coverage;
}

TEST(SeededTopOne, CoversTheTruthOverSeedsAndImages) {
  struct Case {
    int seeds, images, classes;
    double luck, gain;
  };
  for (const Case& c : {Case{2, 600, 10, 0.1, 0}, Case{2, 600, 10, 0.02, 0},
                        Case{2, 200, 20, 0.1, 0.2}, Case{5, 600, 10, 0.1, 0.1}}) {
    const Coverage got = Cover(c.seeds, c.images, c.classes, c.luck, 0.8, c.gain, 250, 5);
    const std::string which = std::to_string(c.seeds) + " seeds, " + std::to_string(c.images) +
                              " images, luck " + std::to_string(c.luck);
    RecordProperty(which + ", values", std::to_string(got.values));
    RecordProperty(which + ", differences", std::to_string(got.differences));
    EXPECT_GE(got.values, 92) << which;
    EXPECT_LE(got.values, 98) << which;
    EXPECT_GE(got.differences, 92) << which;
    EXPECT_LE(got.differences, 98) << which;
    if (c.gain == 0) {
      EXPECT_LE(got.significant, 8) << which;
    }
  }
}

// Scores whose signal differs from seed to seed; half of the noise is the image's.
struct ScoredSet {
  TargetMatrix targets;
  Matrix noise;

  ScoredSet(Index images, Index classes, Rng& rng)
      : targets(images, classes), noise(images, classes) {
    for (Index i = 0; i < noise.size(); ++i) {
      targets.data()[i] = static_cast<std::int8_t>(rng.Uniform() < 0.15 ? 1 : -1);
      noise.data()[i] = rng.Normal();
    }
  }
  Matrix Scores(double signal, double luck, Rng& rng) const {
    Matrix scores(noise.rows(), noise.cols());
    const double of_seed = signal + luck * rng.Normal();
    for (Index i = 0; i < noise.size(); ++i) {
      scores.data()[i] = noise.data()[i] + rng.Normal() + of_seed * targets.data()[i];
    }
    return scores;
  }
};

TEST(SeededMap, CoversTheTruthOverSeedsAndImages) {
  constexpr Index kImages = 200, kClasses = 3;
  constexpr double kSignal = 0.7, kLuck = 0.06;
  constexpr int kRepresentations = 4, kTrials = 100;
  Rng rng(8);
  double truth = 0;
  for (int i = 0; i < 2000; ++i) {
    const ScoredSet set(kImages, kClasses, rng);
    truth +=
        MeanAveragePrecision(set.Scores(kSignal, kLuck, rng), set.targets, ApRule::kVoc11) / 2000;
  }
  int covered = 0, of_differences = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const ScoredSet set(kImages, kClasses, rng);
    const BootstrapOptions options{.resamples = 200, .seed = std::uint64_t(trial)};
    std::vector<SeededMeasure> values, differences;
    for (int r = 0; r < kRepresentations; ++r) {
      std::vector<double> value[2];
      std::vector<std::vector<double>> halves[2];
      for (int method = 0; method < 2; ++method) {
        for (int s = 0; s < 2; ++s) {
          const Matrix scores = set.Scores(kSignal, kLuck, rng);
          value[method].push_back(MeanAveragePrecision(scores, set.targets, ApRule::kVoc11));
          halves[method].push_back(MapOfHalves(scores, set.targets, ApRule::kVoc11, options));
        }
      }
      values.push_back(SeededMap(value[0], halves[0]));
      for (int s = 0; s < 2; ++s) {
        value[0][s] -= value[1][s];
        for (std::size_t i = 0; i < halves[0][s].size(); ++i) halves[0][s][i] -= halves[1][s][i];
      }
      differences.push_back(SeededMap(value[0], halves[0]));
    }
    const SeedSpread spread = PoolSeeds(values, kRepresentations);
    const SeedSpread of_pairs = PoolSeeds(differences, kRepresentations);
    for (int r = 0; r < kRepresentations; ++r) {
      const Interval value = IntervalOfSeeds(values[r], spread).interval;
      const Interval difference = IntervalOfSeeds(differences[r], of_pairs).interval;
      covered += value.low <= truth && truth <= value.high;
      of_differences += difference.low <= 0 && 0 <= difference.high;
    }
  }
  RecordProperty("values", covered);
  RecordProperty("differences", of_differences);
  EXPECT_GE(covered, 368);  // of 400
  EXPECT_LE(covered, 396);
  EXPECT_GE(of_differences, 368);
  EXPECT_LE(of_differences, 396);
}

TEST(SeededMap, RefusesListsThatDoNotFit) {
  const std::vector<std::vector<double>> halves = {{1, 2}, {3}};
  EXPECT_THROW(SeededMap(std::vector<double>{1, 2}, halves), InvalidArgument);
  EXPECT_THROW(SeededMap(std::vector<double>{1}, halves), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
