// For tests: tiny datasets in a temporary folder. Their images are empty files: no reader looks
// into them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/dataset/mat_testing.h"
#include "alcedo/dataset/read_dataset.h"

namespace alcedo::dataset_testing {

namespace fs = std::filesystem;

class Tree {
 public:
  Tree() {
    std::string pattern = (fs::temp_directory_path() / "alcedo_dataset_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

  void Write(const std::string& name, const std::string& text = "") const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string Text(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Remove(const std::string& name) const { fs::remove_all(path_ / name); }

 private:
  fs::path path_;
};

// What a call throws, as "kind: message; hint".
inline std::string Thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const FormatError& error) {
    return std::string("FormatError: ") + error.what() +
           (error.hint().empty() ? "" : "; " + error.hint().text);
  } catch (const IoError& error) {
    return std::string("IoError: ") + error.what();
  } catch (const InvalidArgument& error) {
    return std::string("InvalidArgument: ") + error.what();
  }
  return "nothing";
}
inline std::string ReadThrows(const fs::path& root, DatasetKind kind = DatasetKind::kAuto) {
  return Thrown([&] { ReadDataset(root, kind); });
}

// "name:class:split" of every image.
inline std::vector<std::string> Summary(const Dataset& dataset) {
  std::vector<std::string> lines;
  for (const DatasetImage& image : dataset.images) {
    EXPECT_EQ(image.path, dataset.root / image.name);
    lines.push_back(image.name + ":" + dataset.classes.at(image.label) + ":" +
                    std::string(Name(image.split)));
  }
  return lines;
}

// Two classes of a third without images, two images each; ids with gaps, as in a subset.
inline void MakeCub2011(const Tree& tree, const std::string& at = "") {
  tree.Write(at + "classes.txt", "3 003.Owl\n5 005.Red Kite\n9 009.Jay\n");
  tree.Write(at + "images.txt",
             "11 003.Owl/a.jpg\n12 003.Owl/b.jpg\n20 009.Jay/a.jpg\n21 009.Jay/my jay.jpg\n");
  tree.Write(at + "image_class_labels.txt", "11 3\n12 3\n20 9\n21 9\n");
  tree.Write(at + "train_test_split.txt", "11 1\n12 0\n20 0\n21 1\n");
  tree.Write(at + "bounding_boxes.txt",
             "11 1.0 2.0 30.0 40.0\n12 0.0 0.0 9.5 8.0\n20 5 6 7 8\n21 1 1 1 1\n");
  for (const char* name : {"003.Owl/a.jpg", "003.Owl/b.jpg", "009.Jay/a.jpg", "009.Jay/my jay.jpg"})
    tree.Write(at + "images/" + name);
}

inline void MakeCub2010(const Tree& tree) {
  tree.Write("lists/classes.txt", "003.Owl\n005.Kite\n009.Jay\n");
  tree.Write("lists/files.txt", "003.Owl/a.jpg\n003.Owl/b.jpg\n009.Jay/c.jpg\n009.Jay/d.jpg\n");
  tree.Write("lists/train.txt", "009.Jay/d.jpg\n003.Owl/a.jpg\n");
  tree.Write("lists/test.txt", "003.Owl/b.jpg\n009.Jay/c.jpg\n");
  for (const char* name : {"003.Owl/a.jpg", "003.Owl/b.jpg", "009.Jay/c.jpg", "009.Jay/d.jpg"})
    tree.Write(std::string("images/") + name);
}

inline void MakePets(const Tree& tree) {
  tree.Write("annotations/list.txt",
             "#Image CLASS-ID SPECIES BREED ID\n"
             "Birman_1 7 1 1\nBirman_2 7 1 1\nbasset_hound_1 4 2 3\nbasset_hound_7 4 2 3\n");
  tree.Write("annotations/trainval.txt", "Birman_1 7 1 1\nbasset_hound_7 4 2 3\n");
  tree.Write("annotations/test.txt", "Birman_2 7 1 1\nbasset_hound_1 4 2 3\n");
  tree.Write("annotations/xmls/Birman_1.xml",
             "<annotation><object><name>cat</name><bndbox><xmin>88</xmin><ymin>1</ymin>"
             "<xmax>305</xmax><ymax>211</ymax></bndbox></object></annotation>\n");
  for (const char* name : {"Birman_1", "Birman_2", "basset_hound_1", "basset_hound_7", "stray_5"})
    tree.Write(std::string("images/") + name + ".jpg");
}

// Variables of a little-endian .mat file, each compressed or not.
inline void WriteMat(const fs::path& path, const std::vector<std::string>& variables,
                     bool compress = false) {
  const mat_testing::MatBytes mat;
  std::string elements;
  for (const std::string& variable : variables) {
    elements += compress ? mat.Compress(variable) : variable;
  }
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << mat.File(elements);
}

inline void WriteLabels(const fs::path& path, const std::vector<std::uint8_t>& labels,
                        bool compress = false) {
  using namespace mat_testing;
  WriteMat(path, {MatBytes().Row(kUint8Class, kUint8, "labels", labels)}, compress);
}
inline void WriteSets(const fs::path& path, const std::vector<double>& train,
                      const std::vector<double>& validation, const std::vector<double>& test,
                      bool compress = false) {
  using namespace mat_testing;
  WriteMat(path,
           {MatBytes().Row(kDoubleClass, kDouble, "trnid", train),
            MatBytes().Row(kDoubleClass, kDouble, "valid", validation),
            MatBytes().Row(kDoubleClass, kDouble, "tstid", test)},
           compress);
}

// Images 1 to 6 of the classes 102 and 5; the last is in no set.
inline void MakeFlowers(const Tree& tree, bool compress = false) {
  WriteLabels(tree / "imagelabels.mat", {102, 5, 102, 5, 5, 102, 102}, compress);
  WriteSets(tree / "setid.mat", {4, 1}, {5, 3}, {6, 2}, compress);
  for (int i = 1; i <= 7; ++i) tree.Write("jpg/image_0000" + std::to_string(i) + ".jpg");
}

inline const std::vector<std::string>& VocClasses() {
  static const std::vector<std::string> classes = {
      "aeroplane", "bicycle",     "bird",  "boat",        "bottle", "bus",      "car",
      "cat",       "chair",       "cow",   "diningtable", "dog",    "horse",    "motorbike",
      "person",    "pottedplant", "sheep", "sofa",        "train",  "tvmonitor"};
  return classes;
}

// 000001 to 000006, two in each split. The first image of a split has a cat, in the second the only
// dog is difficult.
inline void MakeVoc(const Tree& tree, const std::string& at = "") {
  const std::string sets = at + "ImageSets/Main/";
  const std::vector<std::vector<std::string>> ids = {
      {"000001", "000004"}, {"000002", "000005"}, {"000003", "000006"}};
  const std::vector<std::string> splits = {"train", "val", "test"};
  for (std::size_t s = 0; s < 3; ++s) {
    tree.Write(sets + splits[s] + ".txt", ids[s][0] + "\n" + ids[s][1] + "\n");
    for (const std::string& name : VocClasses()) {
      tree.Write(sets + name + "_" + splits[s] + ".txt",
                 ids[s][0] + (name == "cat" ? "  1\n" : " -1\n") + ids[s][1] +
                     (name == "dog" ? "  0\n" : " -1\n"));
    }
    for (const std::string& id : ids[s]) {
      tree.Write(at + "JPEGImages/" + id + ".jpg");
      tree.Write(at + "Annotations/" + id + ".xml",
                 "<annotation>\n<object>\n<name>cat</name>\n<bndbox><xmin>3</xmin><ymin>4</ymin>"
                 "<xmax>10</xmax><ymax>4</ymax></bndbox>\n<part><bndbox/></part>\n</object>\n"
                 "</annotation>\n");
    }
  }
}

}  // namespace alcedo::dataset_testing
