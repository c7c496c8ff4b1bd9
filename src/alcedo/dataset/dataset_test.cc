#include "alcedo/dataset/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

using ::testing::ElementsAre;

// 12 images of 3 classes in turns; the first half to train, with image 1 to validate.
Dataset Single() {
  Dataset dataset;
  dataset.classes = {"a", "b", "c"};
  dataset.has_validation = true;
  for (int i = 0; i < 12; ++i) {
    DatasetImage image;
    image.name = std::to_string(i);
    image.label = i % 3;
    image.split = i == 1 ? Split::kValidation : i < 6 ? Split::kTrain : Split::kTest;
    dataset.images.push_back(image);
  }
  return dataset;
}

Dataset Multi() {
  Dataset dataset = Single();
  dataset.multi_label = true;
  for (DatasetImage& image : dataset.images) {
    image.targets = {-1, -1, 0};
    image.targets[image.label] = 1;
    image.label = -1;
  }
  return dataset;
}

std::vector<std::string> Names(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const DatasetImage& image : dataset.images) names.push_back(image.name);
  return names;
}

TEST(ImagesOf, GivesTheImagesOfASplitInOrder) {
  EXPECT_THAT(ImagesOf(Single(), Split::kTrain), ElementsAre(0, 2, 3, 4, 5));
  EXPECT_THAT(ImagesOf(Single(), Split::kValidation), ElementsAre(1));
}

TEST(SelectClasses, RelabelsInTheOrderGiven) {
  const Dataset dataset = SelectClasses(Single(), std::vector<int>{2, 0});
  EXPECT_THAT(dataset.classes, ElementsAre("c", "a"));
  EXPECT_THAT(Names(dataset), ElementsAre("0", "2", "3", "5", "6", "8", "9", "11"));
  for (const DatasetImage& image : dataset.images) {
    EXPECT_EQ(image.label, std::stoi(image.name) % 3 == 2 ? 0 : 1);
  }
  EXPECT_FALSE(dataset.has_validation);
}

TEST(SelectClasses, KeepsTheNegativesOfMultiLabelSets) {
  const Dataset dataset = SelectClasses(Multi(), std::vector<int>{2, 0});
  EXPECT_EQ(dataset.images.size(), 12U);
  EXPECT_THAT(dataset.images[0].targets, ElementsAre(0, 1));
  EXPECT_THAT(dataset.images[1].targets, ElementsAre(0, -1));
  EXPECT_THAT(dataset.images[2].targets, ElementsAre(1, -1));
}

TEST(SelectClasses, RefusesOtherClasses) {
  const auto select = [](const std::vector<int>& classes) { SelectClasses(Single(), classes); };
  EXPECT_THROW(select({}), InvalidArgument);
  EXPECT_THROW(select({3}), InvalidArgument);
  EXPECT_THROW(select({-1}), InvalidArgument);
  EXPECT_THROW(select({1, 2, 1}), InvalidArgument);
}

TEST(KeepPerClass, KeepsEvenlySpacedImages) {
  EXPECT_THAT(Names(KeepPerClass(Single(), 1)), ElementsAre("0", "1", "2", "4", "6", "7", "8"));
  EXPECT_EQ(Names(KeepPerClass(Single(), 2)), Names(Single()));
  EXPECT_THAT(Names(KeepPerClass(Multi(), 1)), ElementsAre("0", "1", "2", "4", "6", "7", "8"));
  EXPECT_THROW(KeepPerClass(Single(), 0), InvalidArgument);
  Dataset line;
  line.classes = {"a", "b"};
  for (int i = 0; i < 10; ++i) {
    DatasetImage image;
    image.name = std::to_string(i);
    image.label = 0;
    line.images.push_back(image);
  }
  EXPECT_THAT(Names(KeepPerClass(line, 4)), ElementsAre("0", "2", "5", "7"));
}

}  // namespace
}  // namespace alcedo
