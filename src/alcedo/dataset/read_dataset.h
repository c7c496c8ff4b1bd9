// Datasets as their authors distribute them, and plain folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "alcedo/dataset/dataset.h"

namespace alcedo {

// How a folder that has no split of its own is split, class by class. The split depends on the
// seed and on the names of a class's files, on nothing else.
struct FolderSplitOptions {
  double test_fraction = 0.5;
  int train_per_class = 0;
  std::uint64_t seed = 0;
  // Not a field. Every image is one to train on, unless folders train/ and test/ say otherwise; a
  // set without images to train or to test on is in order.
  bool all = false;
  // Not a field. Array files of descriptors stand in the place of images.
  bool arrays = false;
};
template <class Visitor>
void VisitFields(FolderSplitOptions& o, Visitor&& visit) {
  visit("test_fraction", o.test_fraction, "share of a class's images to test on, in (0, 1)");
  visit("train_per_class", o.train_per_class,
        "images of a class to train on, >= 0; 0 is all that are not tested on");
  visit("seed", o.seed, "seed of the split");
}

// Throws InvalidArgument on options out of range.
void Check(const FolderSplitOptions& options);

// Reads lists and annotations, no image. `root` may also be a folder that DetectDataset accepts.
//
//   flowers  imagelabels.mat, setid.mat, jpg/image_00001.jpg ...
//   voc2007  JPEGImages/, Annotations/, ImageSets/Main/<class>_{train,val,test}.txt
//   cub2011  images.txt, image_class_labels.txt, train_test_split.txt, classes.txt,
//            bounding_boxes.txt (may be missing), images/
//   cub2010  lists/{files,train,test,classes}.txt, images/, annotations-mat/ (may be missing)
//   pets     annotations/{list,trainval,test}.txt, annotations/xmls/ (may be missing), images/
//   folder   one sub-folder per class, sorted by name; or train/ and test/ (and val/ or
//   validation/)
//            with class folders inside, which are then the split; images, or with split.arrays
//            array files (.npy, .npz, .safetensors)
//
// What the lists name must be there, and what they say must fit together: otherwise FormatError
// names the file, the line and what to do. IoError if a file or folder cannot be read.
Dataset ReadDataset(const std::filesystem::path& root, DatasetKind kind = DatasetKind::kAuto,
                    const FolderSplitOptions& split = {});

// The kind of dataset at `root`, by the files that are there. `root` may also be a folder with
// exactly one dataset in it (VOCdevkit; the folder that holds CUB_200_2011), or the folder of a
// dataset's images. FormatError if there is none, or more than one.
DatasetKind DetectDataset(const std::filesystem::path& root);

// Flowers, VOC-2007, CUB and Pets at `root` and directly under it, with the folders to give to
// ReadDataset; sorted by kind, then path. Plain folders are not looked for.
std::vector<std::pair<DatasetKind, std::filesystem::path>> FindDatasets(
    const std::filesystem::path& root);

}  // namespace alcedo
