#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

TEST(DetectDataset, EveryKindIsFound) {
  Tree cub2011, cub2010, pets, flowers, voc, folder;
  MakeCub2011(cub2011);
  MakeCub2010(cub2010);
  MakePets(pets);
  MakeFlowers(flowers);
  MakeVoc(voc);
  folder.Write("a/1.jpg");
  EXPECT_EQ(DetectDataset(cub2011.path()), DatasetKind::kCub2011);
  EXPECT_EQ(DetectDataset(cub2010.path()), DatasetKind::kCub2010);
  EXPECT_EQ(DetectDataset(pets.path()), DatasetKind::kPets);
  EXPECT_EQ(DetectDataset(flowers.path()), DatasetKind::kFlowers);
  EXPECT_EQ(DetectDataset(voc.path()), DatasetKind::kVoc2007);
  EXPECT_EQ(DetectDataset(folder.path()), DatasetKind::kFolder);
}

TEST(DetectDataset, FoldersAroundAndInsideAreAccepted) {
  Tree tree;
  MakeVoc(tree, "VOCdevkit/VOC2007/");
  for (const char* place :
       {"", "VOCdevkit", "VOCdevkit/", "VOCdevkit/VOC2007", "VOCdevkit/VOC2007/JPEGImages"}) {
    const Dataset dataset = ReadDataset(tree / place);
    EXPECT_EQ(dataset.kind, DatasetKind::kVoc2007);
    EXPECT_TRUE(fs::equivalent(dataset.root, tree / "VOCdevkit/VOC2007"));
    EXPECT_TRUE(fs::exists(dataset.images[0].path));
  }
  MakeCub2011(tree, "CUB_200_2011/");
  for (const char* place : {"CUB_200_2011", "CUB_200_2011/images", "CUB_200_2011/images/"}) {
    EXPECT_EQ(ReadDataset(tree / place).kind, DatasetKind::kCub2011);
  }
  // Asked for by name, the pictures are a folder like any other.
  const Dataset folder = ReadDataset(tree / "CUB_200_2011/images", DatasetKind::kFolder);
  EXPECT_EQ(folder.kind, DatasetKind::kFolder);
  EXPECT_EQ(folder.images.size(), 4U);
  // Two are too many, unless one of them is asked for.
  EXPECT_THAT(ReadThrows(tree.path()),
              AllOf(StartsWith("FormatError: "), HasSubstr("holds 2 datasets, give one of them"),
                    HasSubstr("CUB_200_2011 (cub2011)"), HasSubstr("VOC2007 (voc2007)")));
  EXPECT_EQ(ReadDataset(tree.path(), DatasetKind::kCub2011).images.size(), 4U);
}

TEST(DetectDataset, SaysThatPicturesAreOfOtherFormatsOrTooDeep) {
  Tree foreign;
  foreign.Write("a/1.bmp");
  foreign.Write("a/2.BMP");
  foreign.Write("b/3.tif");
  EXPECT_THAT(ReadThrows(foreign.path()),
              AllOf(HasSubstr("has no images that can be read in its folders, but 2 .bmp and 1 "
                              ".tif; expected are JPEG, PNG"),
                    Not(HasSubstr("Flowers"))));
  EXPECT_THAT(ReadThrows(foreign.path(), DatasetKind::kFolder), HasSubstr("2 .bmp and 1 .tif"));
  Tree deep;
  deep.Write("a/x/1.jpg");
  deep.Write("b/y/2.jpg");
  EXPECT_THAT(ReadThrows(deep.path()),
              AllOf(HasSubstr("images must lie directly in a folder for each class"),
                    HasSubstr("'a/x' that holds images"), Not(HasSubstr("Flowers"))));
  EXPECT_THAT(ReadThrows(deep.path(), DatasetKind::kFolder), HasSubstr("'a/x' that holds"));
}

TEST(DetectDataset, SaysWhatIsWrong) {
  Tree tree;
  EXPECT_THAT(ReadThrows(tree / "nothing"),
              AllOf(StartsWith("IoError: "), HasSubstr("nothing: there is no such folder")));
  EXPECT_THAT(ReadThrows(tree.path()),
              AllOf(StartsWith("FormatError: "), HasSubstr("is an empty folder")));
  tree.Write("file.jpg");
  EXPECT_THAT(ReadThrows(tree / "file.jpg"),
              AllOf(StartsWith("IoError: "), HasSubstr("is a file; a dataset is a folder")));
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr(": there is no dataset in this folder"));
  EXPECT_THAT(ReadThrows(tree.path(), DatasetKind::kPets),
              HasSubstr("is not all of Oxford-IIIT Pets: annotations/list.txt, "));
  EXPECT_THROW(FindDatasets(tree / "nothing"), IoError);
}

TEST(FindDatasets, FindsThemDirectlyUnderTheRootAndTheRootItself) {
  Tree tree;
  MakeVoc(tree, "VOCdevkit/VOC2007/");
  MakeCub2011(tree, "birds/");
  MakeCub2011(tree, "more/birds/");
  tree.Write("plain/a/1.jpg");
  EXPECT_THAT(FindDatasets(tree.path()),
              ElementsAre(Pair(DatasetKind::kVoc2007, tree / "VOCdevkit/VOC2007"),
                          Pair(DatasetKind::kCub2011, tree / "birds")));
  EXPECT_THAT(FindDatasets(tree / "birds"),
              ElementsAre(Pair(DatasetKind::kCub2011, tree / "birds")));
  EXPECT_THAT(FindDatasets(tree / "VOCdevkit"),
              ElementsAre(Pair(DatasetKind::kVoc2007, tree / "VOCdevkit" / "VOC2007")));
  EXPECT_TRUE(FindDatasets(tree / "plain").empty());
}

}  // namespace
}  // namespace alcedo
