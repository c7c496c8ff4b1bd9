#include "alcedo/evaluation/seeds_and_images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/evaluation/student_t.h"

namespace alcedo {
namespace {

TEST(PoolSeeds, IsTheMeanSpreadLessWhatImagesExplain) {
  // Spreads of 2, 8 and (with two degrees of freedom) 1; one seed says nothing.
  const std::vector<SeededMeasure> measures = {
      {{1, 3}, 5, 0.25}, {{-2, 2}, 5, 0.5}, {{4, 5, 6}, 5, 0}, {{100}, 5, 0}};
  const SeedSpread got = PoolSeeds(measures, 2);
  EXPECT_NEAR(got.raw, (2 + 8 + 2 * 1) / 4.0, 1e-15);
  EXPECT_NEAR(got.variance, got.raw - (2 * 0.25 + 2 * 0.5) / 4, 1e-15);
  EXPECT_NEAR(got.freedom, 2 * 4 / 3.0, 1e-15);
  // No less than nothing.
  EXPECT_EQ(PoolSeeds(std::vector<SeededMeasure>{{{1, 1.1}, 5, 3}}, 1).variance, 0);
  EXPECT_EQ(PoolSeeds({}, 1).freedom, 0);
  EXPECT_EQ(PoolSeeds(std::vector<SeededMeasure>{{{7}, 5, 0}}, 1).freedom, 0);
  EXPECT_THROW(PoolSeeds(measures, 0), InvalidArgument);
}

TEST(IntervalOfSeeds, AddsThePartsAndTheirFreedom) {
  // Variance 0.5 + 3 / 2; the raw spread, 4 / 2 of it, has 6 degrees of freedom.
  const SeededResult got = IntervalOfSeeds({{9, 11}, 0.5, 0.1}, {3, 4, 6});
  EXPECT_EQ(got.value, 10);
  EXPECT_NEAR(got.standard_error, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(got.freedom, 6, 1e-12);
  EXPECT_NEAR(got.interval.high - 10, 2.446912 * std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(got.interval.low, 20 - got.interval.high, 1e-12);
  EXPECT_NEAR(got.p, StudentP(10 / std::sqrt(2.0), 6), 1e-12);
  // Twice the variance, and the same spread: four times as many.
  EXPECT_NEAR(IntervalOfSeeds({{9, 11}, 2.5, 0.1}, {3, 4, 6}).freedom, 24, 1e-12);
}

TEST(IntervalOfSeeds, IsOfImagesOnlyWithOneSeed) {
  const SeededResult got = IntervalOfSeeds({{2}, 1, 0}, {50, 50, 3});
  EXPECT_NEAR(got.interval.high, 3.959964, 1e-6);
  EXPECT_NEAR(got.p, 0.0455003, 1e-6);
  EXPECT_EQ(IntervalOfSeeds({{2, 2}, 1, 0}, {}).interval.high, got.interval.high);
  const SeededResult still = IntervalOfSeeds({{2}, 0, 0}, {});
  EXPECT_EQ(still.interval.low, 2);
  EXPECT_EQ(still.interval.high, 2);
  EXPECT_EQ(still.p, 1);
  EXPECT_THROW(IntervalOfSeeds({}, {}), InvalidArgument);
}

// What moves a measure, as standard deviations of one seed's value.
struct Chance {
  int seeds;
  double images, seed, both;
};

// A page: three encoders, each with two descriptors of their own vocabularies and their fusion, and
// three methods that move with the vocabulary alone.
std::vector<SeededMeasure> Draw(const Chance& chance, double truth, Rng& rng) {
  std::vector<SeededMeasure> measures;
  for (int encoder = 0; encoder < 3; ++encoder) {
    std::vector<double> vocabulary[3];
    for (int s = 0; s < chance.seeds; ++s) {
      const double sift = rng.Normal(), color = rng.Normal();
      vocabulary[0].push_back(sift);
      vocabulary[1].push_back(color);
      vocabulary[2].push_back((sift + color) / std::sqrt(2.0));
    }
    for (const auto& moved : vocabulary) {
      for (int method = 0; method < 3; ++method) {
        SeededMeasure measure;
        const double images = truth + chance.images * rng.Normal();
        for (const double one : moved) {
          measure.seeds.push_back(images + chance.seed * one + chance.both * rng.Normal());
        }
        measure.both = chance.both * chance.both / chance.seeds;
        measure.images = chance.images * chance.images + measure.both;
        measures.push_back(measure);
      }
    }
  }
  return measures;
}

TEST(IntervalOfSeeds, CoversTheTruthOverSeedsAndImages) {
  for (const Chance& chance : {Chance{2, 1, 1, 0.5}, Chance{2, 0.3, 1, 0}, Chance{2, 1, 0.3, 1},
                               Chance{2, 1, 0, 1}, Chance{5, 1, 1, 0.5}, Chance{5, 0.2, 1, 0.2}}) {
    Rng rng(4);
    constexpr int kTrials = 300;
    double covered = 0, significant = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const std::vector<SeededMeasure> measures = Draw(chance, 3, rng);
      const SeedSpread spread = PoolSeeds(measures, 6);
      for (const SeededMeasure& measure : measures) {
        const Interval got = IntervalOfSeeds(measure, spread).interval;
        covered += got.low <= 3 && 3 <= got.high;
      }
      const std::vector<SeededMeasure> none = Draw(chance, 0, rng);
      const SeedSpread of_none = PoolSeeds(none, 6);
      for (const SeededMeasure& one : none) significant += IntervalOfSeeds(one, of_none).p < 0.05;
    }
    const std::string which = std::to_string(chance.seeds) + " seeds, " +
                              std::to_string(chance.images) + ", " + std::to_string(chance.seed) +
                              ", " + std::to_string(chance.both);
    covered *= 100.0 / (27 * kTrials);
    significant *= 100.0 / (27 * kTrials);
    RecordProperty(which, std::to_string(covered));
    EXPECT_GE(covered, 93.5) << which;
    EXPECT_LE(covered, 97.5) << which;
    EXPECT_GE(significant, 2.5) << which;
    EXPECT_LE(significant, 6.5) << which;
  }
}

}  // namespace
}  // namespace alcedo
