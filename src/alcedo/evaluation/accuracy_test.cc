#include "alcedo/evaluation/accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using ::testing::ElementsAre;
using Labels = std::vector<int>;

TEST(Predict, TakesTheLargestAndTheSmallerIndexAmongEquals) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Matrix scores(5, 3);
  scores << 1, 2, 3, 2, 2, 1, 0, 5, 5, -kInf, -kInf, -kInf, -1, kInf, kInf;
  EXPECT_THAT(Predict(scores), ElementsAre(2, 0, 1, 0, 1));
  EXPECT_TRUE(Predict(Matrix(0, 3)).empty());
  EXPECT_TRUE(Predict(Matrix(0, 0)).empty());
}

TEST(Predict, RefusesWhatHasNoLargest) {
  Matrix scores = Matrix::Zero(4, 3);
  scores(3, 2) = std::nan("");
  EXPECT_EQ(test::MessageOf([&] { Predict(scores); }), "scores: row 3, column 2 is NaN");
  EXPECT_EQ(test::MessageOf([] { Predict(Matrix(2, 0)); }),
            "the number of classes must be >= 1, got 0");
}

TEST(TopOneAccuracy, WorkedByHand) {
  // Class 0: 2 of 3, class 1: 0 of 1, class 2: no image, class 3: 2 of 2.
  const Labels labels = {0, 0, 0, 1, 3, 3}, predicted = {0, 0, 2, 0, 3, 3};
  const TopOne top = TopOneAccuracy(predicted, labels, 4);
  EXPECT_NEAR(top.over_images, 4.0 / 6, 1e-15);
  EXPECT_NEAR(top.over_classes, (2.0 / 3 + 0 + 1) / 3, 1e-15);
  EXPECT_THAT(PerClassAccuracy(predicted, labels, 4), ElementsAre(2.0 / 3, 0, 0, 1));
  EXPECT_THAT(ImagesPerClass(labels, 4), ElementsAre(3, 1, 0, 2));
  ConfusionCounts expected = ConfusionCounts::Zero(4, 4);
  expected(0, 0) = 2;
  expected(0, 2) = 1;
  expected(1, 0) = 1;
  expected(3, 3) = 2;
  EXPECT_EQ(ConfusionMatrix(predicted, labels, 4), expected);
}

TEST(TopOneAccuracy, AgreesWithTheConfusionMatrix) {
  Rng rng(3);
  for (int round = 0; round < 100; ++round) {
    const Index classes = 1 + rng.UniformIndex(8), images = 1 + rng.UniformIndex(60);
    Labels labels, predicted;
    for (Index i = 0; i < images; ++i) {
      labels.push_back(static_cast<int>(rng.UniformIndex(classes)));
      predicted.push_back(static_cast<int>(rng.UniformIndex(classes)));
    }
    const int k = static_cast<int>(classes);
    const ConfusionCounts confusion = ConfusionMatrix(predicted, labels, k);
    const TopOne top = TopOneAccuracy(predicted, labels, k);
    EXPECT_EQ(confusion.sum(), images);
    EXPECT_NEAR(top.over_images, double(confusion.trace()) / double(images), 1e-14);
    double sum = 0;
    int used = 0;
    for (int c = 0; c < k; ++c) {
      if (confusion.row(c).sum() == 0) continue;
      sum += double(confusion(c, c)) / double(confusion.row(c).sum());
      ++used;
    }
    EXPECT_NEAR(top.over_classes, sum / used, 1e-14);
  }
}

TEST(TopOneAccuracy, EdgesAreDefined) {
  EXPECT_EQ(TopOneAccuracy({}, {}, 0).over_images, 0);
  EXPECT_EQ(TopOneAccuracy({}, {}, 5).over_classes, 0);
  EXPECT_EQ(TopOneAccuracy(Labels{0}, Labels{0}, 1).over_images, 1);
  EXPECT_EQ(TopOneAccuracy(Labels{0}, Labels{0}, 9).over_classes, 1);
  EXPECT_EQ(TopOneAccuracy(Labels{0}, Labels{1}, 2).over_classes, 0);
  EXPECT_EQ(ConfusionMatrix({}, {}, 2), ConfusionCounts::Zero(2, 2));
}

TEST(TopOneAccuracy, RefusesWhatIsNoClass) {
  const auto top = [](const Labels& predicted, const Labels& labels, int classes) {
    return test::MessageOf([&] { TopOneAccuracy(predicted, labels, classes); });
  };
  EXPECT_EQ(top({0, 1}, {0, 2}, 2), "labels must be classes in [0, 2), got 2 in row 1");
  EXPECT_EQ(top({0, -1}, {0, 1}, 2), "predictions must be classes in [0, 2), got -1 in row 1");
  EXPECT_EQ(top({0}, {0, 1}, 2), "predictions must be as many as labels, 2, got 1");
  EXPECT_EQ(top({}, {}, -1), "classes must be >= 0, got -1");
  EXPECT_EQ(test::MessageOf([] { ImagesPerClass(Labels{3}, 3); }),
            "labels must be classes in [0, 3), got 3 in row 0");
}

}  // namespace
}  // namespace alcedo
