#include "alcedo/reproduce/screening_images.h"

#include <gtest/gtest.h>

#include <map>

namespace alcedo::reproduce {
namespace {

// Three classes in turn, three folds.
Truth MakeTruth(Index images) {
  Truth truth;
  truth.classes = 3;
  truth.targets = TargetMatrix::Constant(images, 3, -1);
  for (Index i = 0; i < images; ++i) {
    truth.labels.push_back(static_cast<int>(i % 3));
    truth.targets(i, i % 3) = 1;
  }
  return truth;
}

std::vector<Fold> MakeThreeFolds(Index images) {
  std::vector<Fold> folds(3);
  for (Index i = 0; i < images; ++i) {
    for (Index f = 0; f < 3; ++f)
      (i / 3 % 3 == f ? folds[f].held_out : folds[f].train).push_back(i);
  }
  return folds;
}

TEST(ThinOut, KeepsAllOfFew) {
  const Truth truth = MakeTruth(20);
  const std::vector<Fold> folds = MakeThreeFolds(20);
  const ScreeningImages all = ThinOut(truth, folds, 20);
  ASSERT_EQ(all.rows.size(), 20u);
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(all.rows[static_cast<std::size_t>(i)], i);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(all.folds[f].train, folds[f].train);
    EXPECT_EQ(all.folds[f].held_out, folds[f].held_out);
  }
  EXPECT_EQ(all.truth.labels, truth.labels);
}

TEST(ThinOut, TakesEvenlyFromClassesAndFolds) {
  const Index images = 900;
  const ScreeningImages some = ThinOut(MakeTruth(images), MakeThreeFolds(images), 90);
  ASSERT_EQ(some.rows.size(), 90u);
  EXPECT_TRUE(std::ranges::is_sorted(some.rows));
  std::map<std::pair<int, std::size_t>, int> counts;  // class and fold
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(some.folds[f].train.size() + some.folds[f].held_out.size(), 90u);
    for (const Index number : some.folds[f].held_out) {
      const Index row = some.rows[static_cast<std::size_t>(number)];
      EXPECT_EQ(row / 3 % 3, static_cast<Index>(f));
      EXPECT_EQ(some.truth.labels[static_cast<std::size_t>(number)], row % 3);
      ++counts[{static_cast<int>(row % 3), f}];
    }
  }
  ASSERT_EQ(counts.size(), 9u);
  for (const auto& [what, count] : counts) EXPECT_EQ(count, 10);
  EXPECT_EQ(some.held_out.labels.size(), 90u);
}

TEST(ThinOut, CountsAnImageOfSeveralClassesForItsFirst) {
  Truth truth = MakeTruth(300);
  truth.multi_label = true;
  truth.labels.clear();
  for (Index i = 0; i < 300; i += 2) truth.targets(i, 2) = 1;
  truth.targets.row(7).setConstant(-1);  // of none
  const ScreeningImages some = ThinOut(truth, MakeThreeFolds(300), 100);
  EXPECT_EQ(some.rows.size(), 100u);
  int first = 0;
  for (const Index row : some.rows) first += truth.targets(row, 0) > 0;
  EXPECT_NEAR(first, 33, 1);
}

}  // namespace
}  // namespace alcedo::reproduce
