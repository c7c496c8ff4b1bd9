#include "alcedo/dataset/twin_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;

TEST(TwinImages, AreFoundByTheirBytes) {
  Tree tree;
  tree.Write("train/a/1.png", "first");
  tree.Write("train/a/2.png", "other");  // of the same size
  tree.Write("train/b/1.png", "third one");
  tree.Write("val/b/5.png", "fourth");
  tree.Write("test/a/7.png", "other");
  tree.Write("test/a/8.png", "fifth");
  tree.Write("test/b/1.png", "fourth");
  tree.Write("test/b/2.png", "fourth");
  const Dataset dataset = ReadDataset(tree.path(), DatasetKind::kFolder);
  const std::vector<TwinImage> twins = TwinImages(dataset, HashImages(dataset, {}));
  std::vector<std::string> names;
  for (const TwinImage& s : twins) {
    names.push_back(dataset.images[s.test].name + " " + dataset.images[s.other].name);
  }
  EXPECT_THAT(names,
              ::testing::ElementsAre("test/a/7.png train/a/2.png", "test/b/1.png val/b/5.png",
                                     "test/b/2.png val/b/5.png"));
  EXPECT_EQ(
      TwinImagesNote(dataset, twins),
      "3 of 4 test images are also to train on, byte for byte, so that accuracy on new images "
      "will be lower; take them out of one of the two: test/a/7.png is train/a/2.png, "
      "test/b/1.png is val/b/5.png, test/b/2.png is val/b/5.png");
  EXPECT_FALSE(dataset.split_by_chance);
}

TEST(TwinImages, OfDistinctOrUnreadableFilesThereAreNone) {
  Tree tree;
  for (const char* name : {"a", "b"}) {
    for (int i = 0; i < 4; ++i) {
      tree.Write(std::string(name) + "/" + std::to_string(i) + ".png", name + std::to_string(i));
    }
  }
  const Dataset dataset = ReadDataset(tree.path(), DatasetKind::kFolder);
  EXPECT_TRUE(dataset.split_by_chance);
  EXPECT_TRUE(TwinImages(dataset, HashImages(dataset, {})).empty());
  EXPECT_EQ(TwinImagesNote(dataset, {}), "");
  tree.Remove("a");
  EXPECT_TRUE(TwinImages(dataset, HashImages(dataset, {})).empty());
}

}  // namespace
}  // namespace alcedo
