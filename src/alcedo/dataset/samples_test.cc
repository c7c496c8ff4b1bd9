// The sets themselves, and small parts of them, where the shared data are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "alcedo/dataset/dataset_testing.h"

namespace alcedo {
namespace {

using namespace dataset_testing;
using ::testing::HasSubstr;

fs::path Shared() { return fs::path(ALCEDO_SOURCE_DIR) / ".." / "shared" / "data"; }

struct Counts {
  std::size_t train = 0, validation = 0, test = 0;
  bool operator==(const Counts&) const = default;
};
Counts CountOf(const Dataset& dataset) {
  return {ImagesOf(dataset, Split::kTrain).size(), ImagesOf(dataset, Split::kValidation).size(),
          ImagesOf(dataset, Split::kTest).size()};
}

TEST(SampleSets, FlowersAreWhole) {
  if (!fs::is_directory(Shared() / "flowers102")) GTEST_SKIP() << "no Flowers";
  const Dataset dataset = ReadDataset(Shared() / "flowers102");
  EXPECT_EQ(dataset.kind, DatasetKind::kFlowers);
  EXPECT_EQ(CountOf(dataset), (Counts{1020, 1020, 6149}));
  EXPECT_EQ(dataset.classes.size(), 102U);
  EXPECT_EQ(dataset.classes.front(), "001");
  EXPECT_TRUE(dataset.notes.empty());
  std::map<int, Counts> per_class;
  for (const DatasetImage& image : dataset.images) {
    Counts& counts = per_class[image.label];
    ++(image.split == Split::kTrain        ? counts.train
       : image.split == Split::kValidation ? counts.validation
                                           : counts.test);
  }
  for (const auto& [label, counts] : per_class) {
    EXPECT_EQ(counts.train, 10U);
    EXPECT_EQ(counts.validation, 10U);
    EXPECT_GE(counts.test, 20U);
  }
}

TEST(SampleSets, SingleLabelSetsHaveSixClassesOfTen) {
  const fs::path samples = Shared() / "samples";
  if (!fs::is_directory(samples)) GTEST_SKIP() << "no sample sets";
  for (const auto& [folder, kind] : {std::pair{"CUB_200_2011", DatasetKind::kCub2011},
                                     {"CUB_200_2010", DatasetKind::kCub2010},
                                     {"oxford-iiit-pet", DatasetKind::kPets}}) {
    const Dataset dataset = ReadDataset(samples / folder);
    EXPECT_EQ(dataset.kind, kind);
    EXPECT_EQ(dataset.classes.size(), 6U);
    EXPECT_EQ(dataset.images.size(), 60U);
    EXPECT_EQ(CountOf(dataset), (Counts{30, 0, 30})) << folder;
    for (const DatasetImage& image : dataset.images) {
      EXPECT_THAT(image.name, HasSubstr("/" + dataset.classes[image.label]));
      EXPECT_TRUE(kind != DatasetKind::kCub2011 || image.boxes.size() == 1);
    }
  }
}

TEST(SampleSets, VocListsAgreeWithItsAnnotations) {
  const fs::path root = Shared() / "samples" / "VOCdevkit";
  if (!fs::is_directory(root)) GTEST_SKIP() << "no VOC samples";
  const Dataset dataset = ReadDataset(root);
  EXPECT_EQ(CountOf(dataset), (Counts{28, 28, 34}));
  int difficult = 0;
  for (const DatasetImage& image : dataset.images) {
    // The devkit's rule, read from the annotation line by line.
    std::ifstream file(dataset.root / "Annotations" / (image.path.stem().string() + ".xml"));
    std::vector<std::int8_t> targets(20, -1);
    std::string line, name;
    std::size_t objects = 0;
    const auto between = [&](const std::string& tag) {
      const std::size_t begin = line.find("<" + tag + ">");
      if (begin == std::string::npos) return std::string();
      return line.substr(begin + tag.size() + 2, line.find("</") - begin - tag.size() - 2);
    };
    while (std::getline(file, line)) {
      // Objects begin at one tabulator, their parts at two.
      objects += line.starts_with("\t<object>") ? 1 : 0;
      if (line.starts_with("\t\t<name>")) name = between("name");
      if (!line.starts_with("\t\t<difficult>")) continue;
      const auto& classes = dataset.classes;
      const auto c = std::find(classes.begin(), classes.end(), name) - classes.begin();
      ASSERT_LT(c, 20);
      if (between("difficult") == "0") targets[c] = 1;
      if (between("difficult") == "1" && targets[c] < 0) targets[c] = 0;
    }
    EXPECT_EQ(image.targets, targets) << image.name;
    EXPECT_EQ(image.boxes.size(), objects);
    for (const std::int8_t target : image.targets) difficult += target == 0;
  }
  EXPECT_GT(difficult, 0);
}

TEST(SampleSets, AreFoundTogether) {
  if (!fs::is_directory(Shared() / "samples")) GTEST_SKIP() << "no sample sets";
  const auto found = FindDatasets(Shared() / "samples");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].first, DatasetKind::kVoc2007);
  EXPECT_EQ(found[1].first, DatasetKind::kCub2010);
  EXPECT_EQ(found[2].first, DatasetKind::kCub2011);
  EXPECT_EQ(found[3].first, DatasetKind::kPets);
  EXPECT_THAT(ReadThrows(Shared() / "samples"), HasSubstr("holds 4 datasets"));
}

}  // namespace
}  // namespace alcedo
