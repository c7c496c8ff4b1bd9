// A set of images with classes and splits, whatever files it came from (section 5.1 of the paper).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/base/options.h"
#include "alcedo/base/run.h"

namespace alcedo {

enum class Split { kTrain, kValidation, kTest };
template <>
struct EnumNames<Split> {
  static constexpr std::array<std::pair<Split, std::string_view>, 3> values = {
      {{Split::kTrain, "train"}, {Split::kValidation, "validation"}, {Split::kTest, "test"}}};
};

enum class DatasetKind { kAuto, kFlowers, kVoc2007, kCub2010, kCub2011, kPets, kFolder };
template <>
struct EnumNames<DatasetKind> {
  static constexpr std::array<std::pair<DatasetKind, std::string_view>, 7> values = {
      {{DatasetKind::kAuto, "auto"},
       {DatasetKind::kFlowers, "flowers"},
       {DatasetKind::kVoc2007, "voc2007"},
       {DatasetKind::kCub2010, "cub2010"},
       {DatasetKind::kCub2011, "cub2011"},
       {DatasetKind::kPets, "pets"},
       {DatasetKind::kFolder, "folder"}}};
};

// Pixels; the left upper pixel of the image is (0, 0).
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Box&) const = default;
};

struct DatasetImage {
  std::filesystem::path path;        // root / name
  std::string name;                  // relative to the root, as reports print it; bytes
  int label = -1;                    // single-label sets: index into classes
  std::vector<std::int8_t> targets;  // multi-label sets: per class +1, -1, 0 = difficult
  Split split = Split::kTrain;
  std::vector<Box> boxes;  // if the authors give them: CUB's bird, Pets' head, VOC's objects
};

// Every image was there when the set was read, names are distinct, labels are in range, and there
// are images to train on and images to test on.
struct Dataset {
  DatasetKind kind = DatasetKind::kFolder;  // never kAuto
  std::string title;                        // "Oxford 102 Flowers"
  std::filesystem::path root;        // where it was found, which may be inside what was given
  std::vector<std::string> classes;  // single-label sets: only those that have images
  bool multi_label = false;
  bool has_validation = false;
  bool split_by_chance = false;  // by FolderSplitOptions, not by its authors or its folders
  std::vector<DatasetImage> images;
  std::vector<std::string> notes;  // sentences for the user: images that no list names, ...
  std::vector<Failure> failures;   // folders that could not be listed, and count as bad images
};

// The indices of the images of a split, in order.
std::vector<Index> ImagesOf(const Dataset& dataset, Split split);

// The indices of all images that are not for testing, in order.
std::vector<Index> ImagesNotForTesting(const Dataset& dataset);

// The images of these classes, relabelled in the order given. A multi-label set keeps all images
// (those of other classes are negatives) and the targets of these classes. Requires classes that
// are in range and distinct, at least one.
Dataset SelectClasses(const Dataset& dataset, std::span<const int> classes);

// At most `count` images of every class in every split, evenly spaced in their order, which is
// kept. Of a multi-label set: at most that many positives are taken for each class, and an image
// taken for one class is kept. Requires count >= 1.
Dataset KeepPerClass(const Dataset& dataset, int count);

}  // namespace alcedo
