#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Cub2011, IsRead) {
  Tree tree;
  MakeCub2011(tree);
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.kind, DatasetKind::kCub2011);
  EXPECT_THAT(dataset.classes, ElementsAre("003.Owl", "009.Jay"));
  EXPECT_THAT(
      Summary(dataset),
      ElementsAre("images/003.Owl/a.jpg:003.Owl:train", "images/003.Owl/b.jpg:003.Owl:test",
                  "images/009.Jay/a.jpg:009.Jay:test", "images/009.Jay/my jay.jpg:009.Jay:train"));
  EXPECT_EQ(dataset.images[1].boxes, (std::vector<Box>{{0, 0, 9.5, 8}}));
  EXPECT_FALSE(dataset.multi_label);
  EXPECT_FALSE(dataset.has_validation);
  EXPECT_THAT(dataset.notes,
              ElementsAre("1 of 3 classes has no image and is left out: 005.Red Kite"));
}

TEST(Cub2011, BoxesMayBeMissing) {
  Tree tree;
  MakeCub2011(tree);
  tree.Remove("bounding_boxes.txt");
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_TRUE(dataset.images[0].boxes.empty());
  EXPECT_THAT(dataset.notes[0], HasSubstr("bounding_boxes.txt is not there"));
}

TEST(Cub2011, MissingFilesAreNamed) {
  Tree tree;
  MakeCub2011(tree);
  tree.Remove("images/003.Owl/b.jpg");
  tree.Remove("images/009.Jay");
  EXPECT_THAT(ReadThrows(tree.path()),
              AllOf(StartsWith("FormatError: "),
                    HasSubstr("images.txt: lists 4 images, 3 of them are not there: "
                              "images/003.Owl/b.jpg, images/009.Jay/a.jpg, ")));
  tree.Remove("classes.txt");
  tree.Remove("images");
  tree.Write("images");
  EXPECT_THAT(ReadThrows(tree.path()),
              HasSubstr("classes.txt, images/ are missing (expected are "));
}

TEST(Cub2011, WrongLinesAreNamed) {
  const struct {
    const char *file, *text, *expected;
  } cases[] = {
      {"images.txt", "11 003.Owl/a.jpg\nx 003.Owl/b.jpg\n",
       "images.txt: line 2: an image id must be an integer from 1 to 1073741824, got 'x'"},
      {"images.txt", "-1 003.Owl/a.jpg\n", "got '-1'"},
      {"images.txt", "11 003.Owl/a.jpg\n11 003.Owl/b.jpg\n",
       "images.txt: line 2: image 11 is named twice"},
      {"images.txt", "11 003.Owl/a.jpg\n\n12 003.Owl/a.jpg\n",
       "images.txt: line 3: 'images/003.Owl/a.jpg' is named twice"},
      {"images.txt", "11 /etc/passwd\n",
       "images.txt: line 1: '/etc/passwd' leads out of the dataset"},
      {"images.txt", "11 003.Owl/../../x\n", "leads out of the dataset"},
      {"images.txt", "11\n", "images.txt: line 1: a name is missing"},
      {"images.txt", "", "images.txt has no image 11"},
      {"classes.txt", "3 a\n3 b\n", "classes.txt: line 2: class 3 is named twice"},
      {"image_class_labels.txt", "11 3\n12 3\n20 9\n",
       "image_class_labels.txt: line 3: the list ends without images/009.Jay/my jay.jpg"},
      {"image_class_labels.txt", "11 3\n12 3\n20 9\n21 3\n",
       ": line 4: class 3 is 003.Owl, and images/009.Jay/my jay.jpg is not in its folder"},
      {"image_class_labels.txt", "11 4\n", ": line 1: classes.txt has no class 4"},
      {"image_class_labels.txt", "11 3\n11 3\n", ": line 2: image 11 is named twice"},
      {"image_class_labels.txt", "11 3 5\n", ": line 1: a line has 2 fields, this one 3: '11 3 5'"},
      {"train_test_split.txt", "11 2\n",
       ": line 1: 1 (train) or 0 (test) must be an integer from 0 to 1, got '2'"},
      {"train_test_split.txt", "11 1\n12 1\n20 1\n21 1\n", "has no image to test on"},
      {"train_test_split.txt", "11 0\n12 0\n20 0\n21 0\n", "has no image to train on"},
      {"train_test_split.txt", "11 0\n12 0\n20 0\n21 1\n",
       "1 of 2 classes has images to test on and none to train on: 003.Owl"},
      {"bounding_boxes.txt", "11 1 2 nan 4\n", ": line 1: a box must be a number, got 'nan'"},
      {"bounding_boxes.txt", "11 1 2 3 0\n", ": line 1: a box must be wider and higher than 0"},
      {"bounding_boxes.txt", "11 1 2 3\n", ": line 1: a line has 5 fields, this one 4"},
  };
  for (const auto& [file, text, expected] : cases) {
    Tree tree;
    MakeCub2011(tree);
    tree.Write(file, text);
    EXPECT_THAT(ReadThrows(tree.path()), AllOf(StartsWith("FormatError: "), HasSubstr(expected)));
  }
}

TEST(Cub2010, IsRead) {
  Tree tree;
  MakeCub2010(tree);
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.kind, DatasetKind::kCub2010);
  EXPECT_THAT(
      Summary(dataset),
      ElementsAre("images/003.Owl/a.jpg:003.Owl:train", "images/003.Owl/b.jpg:003.Owl:test",
                  "images/009.Jay/c.jpg:009.Jay:test", "images/009.Jay/d.jpg:009.Jay:train"));
  EXPECT_THAT(dataset.notes[0], HasSubstr("annotations-mat/ is not there"));
}

void WriteBox(const fs::path& path, double left, double right) {
  WriteMat(path, {mat_testing::MatBytes().Box(left, 3, right, 8)}, true);
}

TEST(Cub2010, BoxesAreReadWhereTheyAre) {
  Tree tree;
  MakeCub2010(tree);
  WriteBox(tree / "annotations-mat/003.Owl/b.mat", 2, 5);
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.images[1].boxes, (std::vector<Box>{{1, 2, 4, 6}}));
  EXPECT_THAT(dataset.notes[0], HasSubstr("3 of 4 images have no annotation"));
  WriteBox(tree / "annotations-mat/003.Owl/b.mat", 5, 2);
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("b.mat: bbox must end right of"));
  WriteLabels(tree / "annotations-mat/003.Owl/b.mat", {1});
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("b.mat: it has no struct 'bbox'"));
}

TEST(Cub2010, WrongLinesAreNamed) {
  const struct {
    const char *file, *text, *expected;
  } cases[] = {
      {"lists/files.txt", "003.Owl/a.jpg\n004.Elk/a.jpg\n",
       "files.txt: line 2: the folder of an image must be a class"},
      {"lists/files.txt", "003.Owl/a.jpg\n003.Owl/a.jpg\n",
       "files.txt: line 2: 'images/003.Owl/a.jpg'"},
      {"lists/files.txt", "../a.jpg\n", "leads out of the dataset"},
      {"lists/train.txt", "003.Owl/z.jpg\n", "train.txt: line 1: lists/files.txt does not name"},
      {"lists/train.txt", "003.Owl/a.jpg\n",
       "files.txt: line 4: neither lists/train.txt nor lists/test.txt names this image"},
      {"lists/test.txt", "003.Owl/b.jpg\n003.Owl/a.jpg\n",
       "test.txt: line 2: an image is named twice"},
      {"lists/classes.txt", "003.Owl\n003.Owl\n",
       "classes.txt: line 2: class '003.Owl' is named twice"},
  };
  for (const auto& [file, text, expected] : cases) {
    Tree tree;
    MakeCub2010(tree);
    tree.Write(file, text);
    EXPECT_THAT(ReadThrows(tree.path()), AllOf(StartsWith("FormatError: "), HasSubstr(expected)));
  }
}

}  // namespace
}  // namespace alcedo
