#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Voc2007, IsRead) {
  Tree tree;
  MakeVoc(tree);
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.kind, DatasetKind::kVoc2007);
  EXPECT_TRUE(dataset.multi_label);
  EXPECT_TRUE(dataset.has_validation);
  EXPECT_THAT(dataset.classes, ElementsAreArray(VocClasses()));
  EXPECT_TRUE(dataset.notes.empty());
  ASSERT_EQ(dataset.images.size(), 6U);
  const std::vector<std::string> ids = {"000001", "000004", "000002", "000005", "000003", "000006"};
  for (std::size_t i = 0; i < 6; ++i) {
    const DatasetImage& image = dataset.images[i];
    EXPECT_EQ(image.name, "JPEGImages/" + ids[i] + ".jpg");
    EXPECT_EQ(image.label, -1);
    EXPECT_EQ(static_cast<std::size_t>(image.split), i / 2);
    std::vector<std::int8_t> targets(20, -1);
    if (i % 2 == 0) targets[7] = 1;   // cat
    if (i % 2 == 1) targets[11] = 0;  // dog
    EXPECT_EQ(image.targets, targets);
    EXPECT_EQ(image.boxes, (std::vector<Box>{{2, 3, 8, 1}}));
  }
}

TEST(Voc2007, AnnotationsMayBeMissing) {
  Tree tree;
  MakeVoc(tree);
  tree.Remove("Annotations");
  EXPECT_THAT(ReadDataset(tree.path()).notes[0],
              HasSubstr("6 of 6 images have no boxes in Annotations"));
}

TEST(Voc2007, WhatIsWrongIsNamed) {
  const std::string sets = "ImageSets/Main/";
  const struct {
    std::string file, text, expected;
  } cases[] = {
      {sets + "cat_val.txt", "000002 1\n000005 2\n",
       "cat_val.txt: line 2: 1, -1 or 0 (difficult) must be an integer from -1 to 1, got '2'"},
      {sets + "cat_val.txt", "000002 1\n",
       "cat_val.txt: line 1: the list ends without JPEGImages/000005"},
      {sets + "cat_val.txt", "000002 1\n000001 1\n",
       "cat_val.txt: line 2: the list of the split does not name this image"},
      {sets + "cat_val.txt", "000002 1\n000002 1\n",
       "cat_val.txt: line 2: an image is named twice"},
      {sets + "cat_val.txt", "000002\n", "cat_val.txt: line 1: a line has 2 fields"},
      {sets + "test.txt", "000003\n000001\n",
       "test.txt: line 2: 'JPEGImages/000001.jpg' is named twice"},
      {sets + "test.txt", "../x\n", "test.txt: line 1: an id must be without folders"},
      {sets + "test.txt", "..\n", "test.txt: line 1: '..' leads out of the dataset"},
      {"Annotations/000003.xml", "<annotation>\n</object>", "000003.xml: line 2: it is not XML"},
  };
  for (const auto& [file, text, expected] : cases) {
    Tree tree;
    MakeVoc(tree);
    tree.Write(file, text);
    EXPECT_THAT(ReadThrows(tree.path()), AllOf(StartsWith("FormatError: "), HasSubstr(expected)));
  }
}

TEST(Voc2007, MissingListsAreNamed) {
  Tree tree;
  MakeVoc(tree);
  tree.Remove("JPEGImages/000005.jpg");
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("1 of them is not there: JPEGImages/000005.jpg"));
  tree.Remove("ImageSets/Main/dog_test.txt");
  EXPECT_THAT(
      ReadThrows(tree.path()),
      AllOf(StartsWith("IoError: "), HasSubstr("dog_test.txt: cannot be read: No such file")));
  tree.Remove("ImageSets/Main/test.txt");
  EXPECT_THAT(ReadThrows(tree.path()),
              AllOf(StartsWith("FormatError: "), HasSubstr("ImageSets/Main/test.txt is missing")));
}

}  // namespace
}  // namespace alcedo
