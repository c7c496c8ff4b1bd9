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

TEST(Flowers, AreRead) {
  for (const bool compressed : {false, true}) {
    Tree tree;
    MakeFlowers(tree, compressed);
    const Dataset dataset = ReadDataset(tree.path());
    EXPECT_EQ(dataset.kind, DatasetKind::kFlowers);
    EXPECT_TRUE(dataset.has_validation);
    EXPECT_THAT(dataset.classes, ElementsAre("005", "102"));
    EXPECT_THAT(Summary(dataset),
                ElementsAre("jpg/image_00001.jpg:102:train", "jpg/image_00002.jpg:005:test",
                            "jpg/image_00003.jpg:102:validation", "jpg/image_00004.jpg:005:train",
                            "jpg/image_00005.jpg:005:validation", "jpg/image_00006.jpg:102:test"));
    EXPECT_THAT(dataset.notes,
                ElementsAre("1 image is in no list and left out: jpg/image_00007.jpg",
                            "100 of 102 classes have no image and are left out: 001, 002, 003 and "
                            "97 more"));
  }
}

TEST(Flowers, WrongNumbersAreNamed) {
  const std::vector<std::uint8_t> labels = {102, 5, 102, 5};
  const auto thrown = [&](const std::vector<std::uint8_t>& some, const std::vector<double>& train,
                          const std::vector<double>& test) {
    Tree tree;
    MakeFlowers(tree);
    WriteLabels(tree / "imagelabels.mat", some);
    WriteSets(tree / "setid.mat", train, {}, test);
    return ReadThrows(tree.path());
  };
  EXPECT_EQ(thrown(labels, {1, 2}, {3, 4}), "nothing");
  EXPECT_THAT(
      thrown({1, 0, 3}, {1}, {2}),
      AllOf(StartsWith("FormatError: "),
            HasSubstr("imagelabels.mat: 'labels' must hold integers from 1 to 102, got 0 at "
                      "place 2")));
  EXPECT_THAT(thrown({1, 103, 3}, {1}, {2}), HasSubstr("got 103 at place 2"));
  EXPECT_THAT(thrown(labels, {1, 5}, {2}),
              HasSubstr("setid.mat: 'trnid' must hold integers from 1 to 4, got 5 at place 2"));
  EXPECT_THAT(thrown(labels, {1, 2}, {3, 0}), HasSubstr("'tstid' must hold integers"));
  EXPECT_THAT(thrown(labels, {1.5}, {2}), HasSubstr("got 1.5 at place 1"));
  EXPECT_THAT(thrown(labels, {1, 2}, {2, 3}), HasSubstr("image 2 is in trnid and in tstid"));
  EXPECT_THAT(thrown(labels, {1, 1}, {2, 3}), HasSubstr("image 1 is in trnid and in trnid"));
  EXPECT_THAT(thrown(labels, {1, 2}, {}), HasSubstr("has no image to test on"));
  EXPECT_THAT(thrown({}, {}, {}), HasSubstr("has no image"));
}

TEST(Flowers, OtherFilesAreRefused) {
  Tree tree;
  MakeFlowers(tree);
  using namespace mat_testing;
  const auto labels = tree / "imagelabels.mat";
  WriteMat(labels, {MatBytes().Row<double>(kDoubleClass, kDouble, "other", {1, 2})});
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("imagelabels.mat: it has no variable 'labels'"));
  WriteMat(labels, {MatBytes().Row<char>(kCharClass, kUtf8, "labels", {'a', 'b'})});
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("'labels' is not a vector of at most"));
  tree.Write("imagelabels.mat", "not a mat file");
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("it is not a .mat file of MATLAB 5 to 7"));
  tree.Remove("imagelabels.mat");
  EXPECT_THAT(ReadThrows(tree.path()),
              HasSubstr("is not all of Oxford 102 Flowers: imagelabels.mat is missing"));
}

TEST(Flowers, TruncatedFilesAreRefused) {
  for (const bool compressed : {false, true}) {
    Tree tree;
    MakeFlowers(tree, compressed);
    for (const char* file : {"imagelabels.mat", "setid.mat"}) {
      const std::string whole = tree.Text(file);
      for (std::size_t size = 0; size < whole.size(); ++size) {
        tree.Write(file, whole.substr(0, size));
        EXPECT_THAT(ReadThrows(tree.path()), StartsWith("FormatError: ")) << file << " " << size;
      }
      tree.Write(file, whole);
    }
    EXPECT_EQ(ReadThrows(tree.path()), "nothing");
  }
}

}  // namespace
}  // namespace alcedo
