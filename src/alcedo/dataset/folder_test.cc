#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "alcedo/dataset/dataset_testing.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void MakeFolder(const Tree& tree, int per_class, bool backwards = false) {
  for (const char* name : {"zebra", "ant", "cat"}) {
    for (int i = 0; i < per_class; ++i) {
      tree.Write(std::string(name) + "/" + std::to_string(backwards ? per_class - 1 - i : i) +
                 ".jpg");
    }
  }
}

int Count(const Dataset& dataset, int label, Split split) {
  int count = 0;
  for (const DatasetImage& image : dataset.images) {
    count += image.label == label && image.split == split;
  }
  return count;
}

TEST(Folder, AFolderThatMayNotBeReadIsAFailure) {
  Tree tree;
  MakeFolder(tree, 4);
  fs::permissions(tree.path(), fs::perms::all);
  const std::vector<std::string> before = Summary(ReadDataset(tree.path()));
  for (const char* name : {"dark", "names only"}) tree.Write(std::string(name) + "/a.jpg");
  fs::permissions(tree / "dark", fs::perms::none);
  fs::permissions(tree / "names only", fs::perms::owner_read | fs::perms::others_read);
  {
    const io_testing::Unprivileged unprivileged;
    const Dataset dataset = ReadDataset(tree.path());
    EXPECT_EQ(Summary(dataset), before);
    EXPECT_THAT(dataset.failures,
                ElementsAre(Failure{"dark/", "cannot be listed: Permission denied"},
                            Failure{"names only/", "cannot be listed: Permission denied"}));
    EXPECT_THAT(ReadThrows(tree / "dark"), HasSubstr("dark: cannot be listed: Permission denied"));
  }
  for (const char* name : {"dark", "names only"}) fs::permissions(tree / name, fs::perms::all);
}

TEST(Folder, ClassesAreFoldersInTheOrderOfNames) {
  Tree tree;
  MakeFolder(tree, 9);
  tree.Write("cat/.hidden.jpg");
  tree.Write("cat/notes.txt");
  tree.Write("cat/10.JPEG");
  tree.Write(".git/a.jpg");
  tree.Write("loose.png");
  tree.Write("cat/inner/a.jpg");
  tree.Write("empty/notes.txt");
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.kind, DatasetKind::kFolder);
  EXPECT_THAT(dataset.classes, ElementsAre("ant", "cat", "zebra"));
  EXPECT_EQ(dataset.images.size(), 28U);
  EXPECT_EQ(dataset.images[9].name, "cat/0.jpg");
  EXPECT_EQ(dataset.images[10].name, "cat/1.jpg");
  EXPECT_EQ(dataset.images[11].name, "cat/10.JPEG");
  EXPECT_EQ(Count(dataset, 1, Split::kTest), 5);
  EXPECT_EQ(Count(dataset, 0, Split::kTest), 5);  // 4.5, rounded
  EXPECT_EQ(Count(dataset, 0, Split::kTrain), 4);
  EXPECT_THAT(dataset.notes, ElementsAre("1 image is beside the class folders and left out",
                                         "1 folders inside class folders are not looked into",
                                         "1 of 4 classes has no image and is left out: empty"));
}

TEST(Folder, PicturesOfOtherFormatsAreNoted) {
  Tree tree;
  MakeFolder(tree, 2);
  tree.Write("cat/a.heic");
  tree.Write("cat/b.HEIC");
  tree.Write("scan.tiff");
  EXPECT_THAT(ReadDataset(tree.path()).notes,
              ElementsAre("2 .heic and 1 .tiff are left out: images that can be read are JPEG, "
                          "PNG, WebP, GIF and PNM"));
}

TEST(Folder, TheSplitIsThatOfTheSeed) {
  Tree forwards, backwards;
  MakeFolder(forwards, 20);
  MakeFolder(backwards, 20, true);
  const auto split = [](const Tree& tree, std::uint64_t seed) {
    return Summary(ReadDataset(tree.path(), DatasetKind::kAuto, {.seed = seed}));
  };
  EXPECT_EQ(split(forwards, 1), split(backwards, 1));
  EXPECT_NE(split(forwards, 1), split(forwards, 2));
  // A pinned split: other platforms and later versions must give the same.
  const Dataset dataset = ReadDataset(forwards.path());
  std::string tested;
  for (const DatasetImage& image : dataset.images) {
    if (image.label == 0 && image.split == Split::kTest) tested += image.path.stem().string() + " ";
  }
  EXPECT_EQ(tested, "1 10 15 16 17 19 2 3 6 8 ");
  // A class more, or an image more, moves at most one image.
  forwards.Write("bee/1.jpg");
  forwards.Write("bee/2.jpg");
  forwards.Write("ant/99.jpg");
  const std::vector<std::string> before = split(backwards, 1), after = split(forwards, 1);
  const std::set<std::string> now(after.begin(), after.end());
  int moved = 0;
  for (const std::string& line : before) moved += now.contains(line) ? 0 : 1;
  EXPECT_LE(moved, 1);
}

TEST(Folder, OptionsDecideHowMany) {
  Tree tree;
  MakeFolder(tree, 10);
  const auto counts = [&](double test_fraction, int train_per_class) {
    const Dataset dataset =
        ReadDataset(tree.path(), DatasetKind::kFolder,
                    {.test_fraction = test_fraction, .train_per_class = train_per_class});
    return std::vector<int>{Count(dataset, 2, Split::kTrain), Count(dataset, 2, Split::kTest),
                            static_cast<int>(dataset.notes.size())};
  };
  EXPECT_THAT(counts(0.5, 0), ElementsAre(5, 5, 0));
  EXPECT_THAT(counts(0.25, 0), ElementsAre(7, 3, 0));
  EXPECT_THAT(counts(0.001, 0), ElementsAre(9, 1, 0));
  EXPECT_THAT(counts(0.999, 0), ElementsAre(1, 9, 0));
  EXPECT_THAT(counts(0.5, 3), ElementsAre(3, 5, 1));  // some are left out
  EXPECT_THAT(counts(0.5, 9), ElementsAre(5, 5, 3));  // too few, in each class
  EXPECT_THAT(Thrown([&] { counts(0, 0); }),
              "InvalidArgument: folder.test_fraction must be in (0, 1), got 0");
  EXPECT_THAT(Thrown([&] { counts(0.5, -1); }),
              "InvalidArgument: folder.train_per_class must be >= 0, got -1");
}

TEST(Folder, TrainAndTestFoldersAreTheSplit) {
  for (const std::string validation : {"val", "validation"}) {
    Tree tree;
    for (const std::string& split : {std::string("train"), validation, std::string("test")}) {
      for (const char* name : {"b", "a"}) tree.Write(split + "/" + name + "/1.png");
    }
    const Dataset dataset = ReadDataset(tree.path());
    EXPECT_THAT(dataset.classes, ElementsAre("a", "b"));
    EXPECT_TRUE(dataset.has_validation);
    EXPECT_EQ(dataset.images.size(), 6U);
    for (const DatasetImage& image : dataset.images) {
      EXPECT_TRUE(image.name.starts_with(image.split == Split::kTrain  ? "train/"
                                         : image.split == Split::kTest ? "test/"
                                                                       : validation));
      EXPECT_EQ(image.label, image.name.find("/b/") != std::string::npos ? 1 : 0);
    }
    tree.Write("test/c/1.png");
    EXPECT_THAT(ReadThrows(tree.path()),
                AllOf(StartsWith("FormatError: "),
                      HasSubstr("1 of 3 classes has images to test on and none to train on: c")));
    tree.Write("train/c/1.png");
    tree.Remove("test/c");
    EXPECT_THAT(ReadDataset(tree.path()).notes,
                ElementsAre("1 of 3 classes has no image to test on: c"));
  }
}

TEST(Folder, AClassMayBeCalledTrain) {
  Tree tree;
  for (const char* name : {"train/1.jpg", "train/2.jpg", "test/1.jpg", "test/2.jpg"}) {
    tree.Write(name);
  }
  EXPECT_THAT(ReadDataset(tree.path()).classes, ElementsAre("test", "train"));
}

TEST(Folder, AFewImagesAreEnoughAndOneIsTrainedOn) {
  Tree tree;
  tree.Write("a/1.jpg");
  tree.Write("b/1.jpg");
  tree.Write("b/2.jpg");
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_EQ(dataset.images[0].split, Split::kTrain);
  EXPECT_EQ(Count(dataset, 1, Split::kTest), 1);
  EXPECT_THAT(dataset.notes, ElementsAre("1 of 2 classes has no image to test on: a"));
  tree.Remove("b/2.jpg");
  EXPECT_THAT(ReadThrows(tree.path()), HasSubstr("has no image to test on"));
  tree.Remove("b");
  tree.Write("a/2.jpg");
  EXPECT_THAT(ReadThrows(tree.path()),
              AllOf(StartsWith("FormatError: "),
                    HasSubstr("has one class only, 'a'; there must be two or more")));
  tree.Remove("a");
  tree.Write("c/notes.txt");
  EXPECT_THAT(ReadThrows(tree.path(), DatasetKind::kFolder), HasSubstr("has no folders with"));
}

TEST(Folder, LinksAreFollowedAndNamesAreBytes) {
  Tree tree, other;
  other.Write("pictures/1.jpg");
  other.Write("pictures/2.jpg");
  tree.Write("b\xff\xfe/\xe9t\xe9.jpg");
  fs::create_symlink(other / "pictures/1.jpg", tree / "b\xff\xfe/link.jpg");
  fs::create_directory_symlink(other / "pictures", tree / "a");
  const Dataset dataset = ReadDataset(tree.path());
  EXPECT_THAT(dataset.classes, ElementsAre("a", "b\xff\xfe"));
  EXPECT_EQ(dataset.images.size(), 4U);
  fs::create_symlink(other / "nothing.jpg", tree / "a/3.jpg");
  EXPECT_THAT(ReadThrows(tree.path()),
              HasSubstr("3.jpg: is not a file, or a link that leads nowhere"));
}

}  // namespace
}  // namespace alcedo
