// Lists and annotations after accidents: the answer is a sentence, or a set whose promises hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "alcedo/base/random.h"
#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;

// The ways in which files are damaged, one at a time.
std::string Damaged(std::string text, Rng& rng) {
  const auto place = [&] { return text.empty() ? 0 : rng.UniformIndex(std::ssize(text)); };
  switch (rng.UniformIndex(8)) {
    case 0:
      return text.substr(0, place());
    case 1:
      return text.substr(place());
    case 2:
      text[place()] = static_cast<char>(rng.Next());
      return text;
    case 3:
      return text.insert(place(), 1, static_cast<char>(rng.Next()));
    case 4:
      return text.erase(place(), 1);
    case 5:
      return text + text;
    case 6: {  // a block of other bytes, as of a disk
      const auto begin = place();
      for (auto i = begin; i < std::min<Index>(begin + 16, std::ssize(text)); ++i) {
        text[i] = static_cast<char>(rng.Next() % 3 == 0 ? 0 : rng.Next());
      }
      return text;
    }
    default: {
      static const std::vector<std::string> pieces = {
          "-1", "../", "/", "\n", " ", "99999999999999999999", "\r\n", "1e999", "nan", "\0"};
      return text.insert(place(), pieces[rng.UniformIndex(std::ssize(pieces))]);
    }
  }
}

void ExpectSound(const Dataset& dataset) {
  std::set<std::string> names;
  bool train = false, test = false;
  for (const DatasetImage& image : dataset.images) {
    EXPECT_TRUE(names.insert(image.name).second);
    EXPECT_TRUE(fs::is_regular_file(image.path));
    if (dataset.multi_label) {
      EXPECT_EQ(image.targets.size(), dataset.classes.size());
    } else {
      EXPECT_TRUE(image.label >= 0 && image.label < std::ssize(dataset.classes));
    }
    (image.split == Split::kTest ? test : train) = true;
    for (const Box& box : image.boxes) EXPECT_TRUE(box.width > 0 && box.height > 0);
  }
  EXPECT_TRUE(train && test);
}

void DamageAll(const Tree& tree, const std::vector<std::string>& files, int rounds) {
  ExpectSound(ReadDataset(tree.path()));
  Rng rng(1);
  int refused = 0;
  for (const std::string& file : files) {
    const std::string whole = tree.Text(file);
    for (int round = 0; round < rounds; ++round) {
      tree.Write(file, Damaged(whole, rng));
      try {
        ExpectSound(ReadDataset(tree.path()));
      } catch (const FormatError& error) {
        ++refused;
        EXPECT_THAT(error.what(), ::testing::HasSubstr(tree.path().string()));
      }
    }
    tree.Write(file, whole);
  }
  EXPECT_GT(refused, rounds * std::ssize(files) / 4);
}

TEST(Damage, OfCub2011) {
  Tree tree;
  MakeCub2011(tree);
  DamageAll(tree,
            {"images.txt", "classes.txt", "image_class_labels.txt", "train_test_split.txt",
             "bounding_boxes.txt"},
            150);
}

TEST(Damage, OfCub2010) {
  Tree tree;
  MakeCub2010(tree);
  const std::string boxes = "annotations-mat/003.Owl/";
  WriteMat(tree / (boxes + "a.mat"), {mat_testing::MatBytes().Box(2, 3, 5, 8)});
  WriteMat(tree / (boxes + "b.mat"), {mat_testing::MatBytes().Box(2, 3, 5, 8)}, true);
  DamageAll(tree,
            {"lists/files.txt", "lists/classes.txt", "lists/train.txt", "lists/test.txt",
             boxes + "a.mat", boxes + "b.mat"},
            150);
}

TEST(Damage, OfPets) {
  Tree tree;
  MakePets(tree);
  DamageAll(tree,
            {"annotations/list.txt", "annotations/trainval.txt", "annotations/test.txt",
             "annotations/xmls/Birman_1.xml"},
            150);
}

TEST(Damage, OfVoc2007) {
  Tree tree;
  MakeVoc(tree);
  DamageAll(tree,
            {"ImageSets/Main/train.txt", "ImageSets/Main/cat_val.txt",
             "ImageSets/Main/sofa_test.txt", "Annotations/000003.xml"},
            150);
}

TEST(Damage, OfFlowers) {
  for (const bool compressed : {false, true}) {
    Tree tree;
    MakeFlowers(tree, compressed);
    DamageAll(tree, {"imagelabels.mat", "setid.mat"}, 300);
  }
}

}  // namespace
}  // namespace alcedo
