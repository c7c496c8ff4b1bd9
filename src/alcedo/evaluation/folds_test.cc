#include "alcedo/evaluation/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo {
namespace {

int Spread(const std::vector<int>& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  return *high - *low;
}

TEST(StratifiedFolds, CountsDifferByAtMostOne) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const Index images = 1 + rng.UniformIndex(80), classes = 1 + rng.UniformIndex(9);
    std::vector<int> labels(images);
    for (int& label : labels) label = static_cast<int>(rng.UniformIndex(classes) * 1000);
    const int folds = static_cast<int>(1 + rng.UniformIndex(std::min<Index>(images, 12)));
    const std::vector<int> fold = StratifiedFolds(labels, folds, round);
    ASSERT_EQ(fold.size(), labels.size());
    std::vector<int> all(folds, 0);
    std::map<int, std::vector<int>> per_class;
    for (std::size_t i = 0; i < fold.size(); ++i) {
      ASSERT_TRUE(fold[i] >= 0 && fold[i] < folds);
      ++all[fold[i]];
      per_class.try_emplace(labels[i], folds, 0).first->second[fold[i]]++;
    }
    EXPECT_LE(Spread(all), 1);
    for (const auto& [label, counts] : per_class) EXPECT_LE(Spread(counts), 1);
  }
}

TEST(StratifiedFolds, TheSeedDecides) {
  const std::vector<int> labels(50, 3);
  EXPECT_EQ(StratifiedFolds(labels, 5, 7), StratifiedFolds(labels, 5, 7));
  EXPECT_NE(StratifiedFolds(labels, 5, 7), StratifiedFolds(labels, 5, 8));
  // Every sample comes to every fold, about equally often.
  std::vector<std::vector<int>> seen(50, std::vector<int>(5, 0));
  for (int seed = 0; seed < 1000; ++seed) {
    const std::vector<int> fold = StratifiedFolds(labels, 5, seed);
    for (int i = 0; i < 50; ++i) ++seen[i][fold[i]];
  }
  for (const auto& counts : seen) {
    for (const int count : counts) EXPECT_NEAR(count, 200, 65);  // five standard deviations
  }
}

TEST(StratifiedFolds, RefusesWhatCannotBeSplit) {
  EXPECT_THROW(StratifiedFolds({}, 1, 0), InvalidArgument);
  const std::vector<int> labels = {0, 1, -1};
  EXPECT_THROW(StratifiedFolds(labels, 2, 0), InvalidArgument);
  EXPECT_THROW(StratifiedFolds(std::vector<int>{0, 1}, 3, 0), InvalidArgument);
  EXPECT_THROW(StratifiedFolds(std::vector<int>{0, 1}, 0, 0), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
