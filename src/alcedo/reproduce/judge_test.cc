#include "alcedo/reproduce/judge.h"

#include <gtest/gtest.h>

#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/evaluation/paired.h"
#include "alcedo/evaluation/seeded_measures.h"

namespace alcedo::reproduce {
namespace {

constexpr int kClasses = 3;
constexpr Index kImages = 60;

Truth Labels(Rng& rng) {
  Truth truth;
  truth.classes = kClasses;
  for (Index i = 0; i < kImages; ++i) {
    truth.labels.push_back(static_cast<int>(rng.UniformIndex(kClasses)));
  }
  return truth;
}

Truth Targets(Rng& rng) {
  Truth truth;
  truth.classes = kClasses;
  truth.multi_label = true;
  truth.targets = TargetMatrix(kImages, kClasses);
  for (Index i = 0; i < truth.targets.size(); ++i) {
    truth.targets.data()[i] = static_cast<std::int8_t>(rng.UniformIndex(3) == 0 ? 1 : -1);
  }
  return truth;
}

// Scores that know the truth a little.
Matrix Guess(const Truth& truth, double signal, Rng& rng) {
  Matrix scores(kImages, kClasses);
  for (Index i = 0; i < kImages; ++i) {
    for (Index c = 0; c < kClasses; ++c) {
      const bool has = truth.multi_label
                           ? truth.targets(i, c) > 0
                           : truth.labels[static_cast<std::size_t>(i)] == static_cast<int>(c);
      scores(i, c) = rng.Normal() + (has ? signal : 0);
    }
  }
  return scores;
}

TEST(Judge, OfOneSeedIsTheTestsOfImages) {
  Rng rng(1);
  const Truth truth = Labels(rng);
  const Judge judge(truth, 1);
  const Matrix first = Guess(truth, 1.5, rng), second = Guess(truth, 0.5, rng);
  const std::vector<Scored> a = {judge.Score(first)}, b = {judge.Score(second)};
  std::vector<Judged> value = {judge.Value(a)}, difference = {judge.Difference(a, b)};
  JudgeTogether(value, 1);
  JudgeTogether(difference, 1);
  const Interval interval = BootstrapTopOne(a[0].predicted, truth.labels, kClasses, true);
  EXPECT_EQ(value[0].interval.low, 100 * interval.low);
  EXPECT_EQ(value[0].interval.high, 100 * interval.high);
  const PairedComparison c =
      CompareTopOne(a[0].predicted, b[0].predicted, truth.labels, kClasses, true);
  EXPECT_NEAR(difference[0].measure.seeds[0], 100 * c.difference, 1e-10);
  EXPECT_EQ(difference[0].interval.low, 100 * c.interval.low);
  EXPECT_EQ(difference[0].p, c.p);
}

TEST(Judge, OfOneSeedIsHalvesForMeanAveragePrecision) {
  Rng rng(2);
  const Truth truth = Targets(rng);
  const Judge judge(truth, 2);
  const Matrix first = Guess(truth, 1.5, rng), second = Guess(truth, 1, rng);
  const std::vector<Scored> a = {judge.Score(first)}, b = {judge.Score(second)};
  std::vector<Judged> value = {judge.Value(a)}, difference = {judge.Difference(a, b)};
  JudgeTogether(value, 1);
  JudgeTogether(difference, 1);
  const Interval interval = BootstrapMap(first, truth.targets, ApRule::kVoc11);
  EXPECT_NEAR(value[0].interval.low, 100 * interval.low, 1e-9);
  const PairedComparison c = CompareMap(first, second, truth.targets, ApRule::kVoc11);
  EXPECT_NEAR(difference[0].measure.seeds[0], 100 * c.difference, 1e-9);
  EXPECT_NEAR(difference[0].interval.high, 100 * c.interval.high, 1e-9);
  EXPECT_NEAR(difference[0].p, c.p, 1e-9);
}

TEST(Judge, OfSeveralSeedsIsPooled) {
  Rng rng(3);
  for (const bool multi_label : {false, true}) {
    const Truth truth = multi_label ? Targets(rng) : Labels(rng);
    const Judge judge(truth, 1);
    std::vector<Judged> values;
    std::vector<SeededMeasure> measures;
    std::vector<std::vector<Scored>> scored;
    for (int method = 0; method < 3; ++method) {
      std::vector<Scored>& seeds = scored.emplace_back();
      for (int s = 0; s < 2; ++s) seeds.push_back(judge.Score(Guess(truth, 1, rng)));
      values.push_back(judge.Value(seeds));
      measures.push_back(values.back().measure);
    }
    JudgeTogether(values, 2);
    const SeedSpread spread = PoolSeeds(measures, 2);
    EXPECT_EQ(spread.freedom, 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const SeededResult expected = IntervalOfSeeds(measures[i], spread);
      EXPECT_EQ(values[i].interval.low, expected.interval.low);
      EXPECT_EQ(values[i].p, expected.p);
      EXPECT_NEAR(measures[i].seeds[1], scored[i][1].metrics.at(MetricOf(multi_label)), 1e-10);
    }
    const Judged difference = judge.Difference(scored[0], scored[1]);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_NEAR(difference.measure.seeds[s], measures[0].seeds[s] - measures[1].seeds[s], 1e-10);
    }
    // The same scores: no difference, whatever the seeds.
    std::vector<Judged> same = {judge.Difference(scored[0], scored[0])};
    JudgeTogether(same, 1);
    EXPECT_EQ(same[0].p, 1);
  }
}

}  // namespace
}  // namespace alcedo::reproduce
