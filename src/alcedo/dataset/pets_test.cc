#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Pets, AreRead) {
  Tree tree;
  MakePets(tree);
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.kind, DatasetKind::kPets);
  EXPECT_THAT(dataset.classes, ElementsAre("basset_hound", "Birman"));  // by id
  EXPECT_THAT(Summary(dataset),
              ElementsAre("images/Birman_1.jpg:Birman:train", "images/Birman_2.jpg:Birman:test",
                          "images/basset_hound_1.jpg:basset_hound:test",
                          "images/basset_hound_7.jpg:basset_hound:train"));
  EXPECT_EQ(dataset.images[0].boxes, (std::vector<Box>{{87, 0, 218, 211}}));
  EXPECT_TRUE(dataset.images[1].boxes.empty());
  EXPECT_THAT(dataset.notes, ElementsAre("1 image is in no list and left out: images/stray_5.jpg"));
}

TEST(Pets, WrongLinesAreNamed) {
  const struct {
    const char *file, *text, *expected;
  } cases[] = {
      {"annotations/list.txt", "#\nBirman_1 7 1\n", "list.txt: line 2: a line has 4 fields"},
      {"annotations/list.txt", "Birman 7 1 1\n",
       "list.txt: line 1: a name must be a breed, '_' and"},
      {"annotations/list.txt", "a/b_1 7 1 1\n", "list.txt: line 1: a name must be without folders"},
      {"annotations/list.txt", "Birman_1 0 1 1\n", "list.txt: line 1: a class id must be"},
      {"annotations/list.txt", "Birman_1 7 1 1\nBengal_1 7 1 1\n",
       "list.txt: line 2: class 7 is Birman above and Bengal here"},
      {"annotations/list.txt", "Birman_1 7 1 1\nBirman_2 8 1 1\n",
       "list.txt: line 2: Birman is class 8 here and 7 elsewhere"},
      {"annotations/list.txt", "Birman_1 7 1 1\nBirman_1 7 1 1\n",
       "list.txt: line 2: 'images/Birman_1"},
      {"annotations/test.txt", "Birman_2 7 1 1\n",
       "list.txt: line 4: neither trainval.txt nor test.txt"},
      {"annotations/test.txt", "Birman_3 7 1 1\n",
       "test.txt: line 1: annotations/list.txt does not"},
      {"annotations/test.txt", "Birman_1 7 1 1\n", "test.txt: line 1: an image is named twice"},
      {"annotations/test.txt", "Birman_2 4 1 1\n",
       "test.txt: line 1: annotations/list.txt gives this image class 7, not 4"},
      {"annotations/xmls/Birman_1.xml", "<annotation>\n<object>",
       "Birman_1.xml: line 2: it is not XML"},
      {"annotations/xmls/Birman_1.xml", "", "Birman_1.xml: line 1: "},
      {"annotations/xmls/Birman_1.xml", "<a/>", "Birman_1.xml: line 1: there is no <annotation>"},
      {"annotations/xmls/Birman_1.xml", "<annotation>\n\n<object/></annotation>",
       "Birman_1.xml: line 3: an <object> has no <bndbox>"},
      {"annotations/xmls/Birman_1.xml",
       "<annotation><object><bndbox><xmin>1e</xmin></bndbox></object></annotation>",
       "Birman_1.xml: line 1: <xmin> must be a number"},
      {"annotations/xmls/Birman_1.xml",
       "<annotation><object><bndbox><xmin>5</xmin><ymin>1</ymin><xmax>4</xmax><ymax>4</ymax>"
       "</bndbox></object></annotation>",
       "a <bndbox> must end right of"},
  };
  for (const auto& [file, text, expected] : cases) {
    Tree tree;
    MakePets(tree);
    tree.Write(file, text);
    EXPECT_THAT(ReadThrows(tree.path()), AllOf(StartsWith("FormatError: "), HasSubstr(expected)));
  }
}

TEST(Pets, ListsMayHaveAByteOrderMarkButNotUtf16) {
  Tree tree;
  MakePets(tree);
  const std::vector<std::string> before = Summary(ReadDataset(tree.path()));
  for (const char* file : {"annotations/trainval.txt", "annotations/test.txt"}) {
    tree.Write(file, "\xef\xbb\xbf" + tree.Text(file));
  }
  EXPECT_EQ(Summary(ReadDataset(tree.path())), before);
  tree.Write("annotations/test.txt", std::string("\xff\xfe"
                                                 "a\0",
                                                 4));
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("test.txt: is UTF-16 text"));
}

TEST(Pets, MissingImagesAreNamed) {
  Tree tree;
  MakePets(tree);
  tree.Remove("images/Birman_2.jpg");
  EXPECT_THAT(ReadThrows(tree.path()),
              HasSubstr("annotations/list.txt: lists 4 images, 1 of them is not there: "
                        "images/Birman_2.jpg; unpack the authors' archives again"));
}

}  // namespace
}  // namespace alcedo
