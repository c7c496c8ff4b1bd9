// What datasets consist of: .mat files, XML annotations, and lists.
#include <array>

#include "alcedo/dataset/mat_file.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/dataset/readers.h"
#include "mat_samples.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

void CheckBoxes(const std::vector<Box>& boxes) {
  for (const Box& box : boxes) {
    ExpectFinite(std::array{box.x, box.y, box.width, box.height}, "a box");
    if (!(box.width > 0 && box.height > 0)) throw BrokenPromise("a box is empty");
  }
}

bool ReadFlowersMat(const std::string& bytes) {
  PutFile("labels.mat", bytes);
  bool any = false;
  for (const char* variable : {"labels", "trnid", "valid", "tstid"}) {
    any |= Succeeds([&] {
      for (const int value : alcedo::internal::ReadMatIntegers("labels.mat", variable, 1, 102)) {
        if (value < 1 || value > 102) throw BrokenPromise("a value is out of range");
      }
    });
  }
  return any;
}

bool ReadBoxMat(const std::string& bytes) {
  PutFile("box.mat", bytes);
  return Succeeds([] { CheckBoxes({alcedo::internal::ReadMatBox("box.mat")}); });
}

bool ReadXml(const std::string& bytes) {
  PutFile("box.xml", bytes);
  return Succeeds([] { CheckBoxes(alcedo::internal::ReadBoxesIfThere("box.xml")); });
}

const char* const kXml =
    "<?xml version=\"1.0\"?>\n<annotation>\n<size><width>40</width></size>\n<object>\n"
    "<name>cat</name>\n<bndbox><xmin>3</xmin><ymin>4</ymin><xmax>10</xmax><ymax>4</ymax></bndbox>\n"
    "<part><bndbox/></part>\n</object>\n<object><name>a &amp; b</name><bndbox><ymax>9</ymax>"
    "<xmin>1.5</xmin><ymin>2</ymin><xmax>7</xmax></bndbox></object>\n</annotation>\n";
const char* const kPetsXml =
    "<annotation><object><name>cat</name><bndbox><xmin>88</xmin><ymin>1</ymin><xmax>305</xmax>"
    "<ymax>211</ymax></bndbox></object></annotation>\n";

// A dataset whose lists are the bundle and whose images are empty files.
struct ListSet {
  std::string folder;
  DatasetKind kind;
  Bundle lists;
  std::vector<std::string> images;
};

bool ReadLists(const ListSet& set, const std::string& bytes) {
  for (const std::string& image : set.images) PutFile(set.folder + "/" + image, "");
  for (const auto& [name, text] : Split(bytes, set.lists)) PutFile(set.folder + "/" + name, text);
  return Succeeds([&] {
    const Dataset dataset = ReadDataset(set.folder, set.kind);
    for (const DatasetImage& image : dataset.images) {
      CheckBoxes(image.boxes);
      if (image.name.find("..") != std::string::npos || image.name.starts_with('/')) {
        throw BrokenPromise("an image leads out of the dataset");
      }
      if (!dataset.multi_label &&
          (image.label < 0 || image.label >= static_cast<int>(dataset.classes.size()))) {
        throw BrokenPromise("a label is not that of a class");
      }
      if (dataset.multi_label && image.targets.size() != dataset.classes.size()) {
        throw BrokenPromise("an image has another number of targets than there are classes");
      }
    }
  });
}

ListSet Cub2011() {
  return {"cub2011",
          DatasetKind::kCub2011,
          {{"classes.txt", "3 003.Owl\n5 005.Red Kite\n9 009.Jay\n"},
           {"images.txt",
            "11 003.Owl/a.jpg\n12 003.Owl/b.jpg\n20 009.Jay/a.jpg\n21 009.Jay/my jay.jpg\n"},
           {"image_class_labels.txt", "11 3\n12 3\n20 9\n21 9\n"},
           {"train_test_split.txt", "11 1\n12 0\n20 0\n21 1\n"},
           {"bounding_boxes.txt",
            "11 1.0 2.0 30.0 40.0\n12 0.0 0.0 9.5 8.0\n20 5 6 7 8\n21 1 1 1 1\n"}},
          {"images/003.Owl/a.jpg", "images/003.Owl/b.jpg", "images/009.Jay/a.jpg",
           "images/009.Jay/my jay.jpg"}};
}

ListSet Cub2010() {
  return {"cub2010",
          DatasetKind::kCub2010,
          {{"lists/classes.txt", "003.Owl\n005.Kite\n009.Jay\n"},
           {"lists/files.txt", "003.Owl/a.jpg\n003.Owl/b.jpg\n009.Jay/c.jpg\n009.Jay/d.jpg\n"},
           {"lists/train.txt", "009.Jay/d.jpg\n003.Owl/a.jpg\n"},
           {"lists/test.txt", "003.Owl/b.jpg\n009.Jay/c.jpg\n"}},
          {"images/003.Owl/a.jpg", "images/003.Owl/b.jpg", "images/009.Jay/c.jpg",
           "images/009.Jay/d.jpg"}};
}

ListSet Pets() {
  return {"pets",
          DatasetKind::kPets,
          {{"annotations/list.txt",
            "#Image CLASS-ID SPECIES BREED ID\nBirman_1 7 1 1\nBirman_2 7 1 1\n"
            "basset_hound_1 4 2 3\nbasset_hound_7 4 2 3\n"},
           {"annotations/trainval.txt", "Birman_1 7 1 1\nbasset_hound_7 4 2 3\n"},
           {"annotations/test.txt", "Birman_2 7 1 1\nbasset_hound_1 4 2 3\n"},
           {"annotations/xmls/Birman_1.xml", kPetsXml}},
          {"images/Birman_1.jpg", "images/Birman_2.jpg", "images/basset_hound_1.jpg",
           "images/basset_hound_7.jpg"}};
}

ListSet Voc() {
  ListSet set{"voc", DatasetKind::kVoc2007, {}, {}};
  const std::string classes[] = {"aeroplane",   "bicycle", "bird",  "boat",      "bottle",
                                 "bus",         "car",     "cat",   "chair",     "cow",
                                 "diningtable", "dog",     "horse", "motorbike", "person",
                                 "pottedplant", "sheep",   "sofa",  "train",     "tvmonitor"};
  const std::pair<std::string, std::array<std::string, 2>> splits[] = {
      {"train", {"000001", "000004"}},
      {"val", {"000002", "000005"}},
      {"test", {"000003", "000006"}}};
  for (const auto& [split, ids] : splits) {
    const std::string sets = "ImageSets/Main/";
    set.lists[sets + split + ".txt"] = ids[0] + "\n" + ids[1] + "\n";
    for (const std::string& name : classes) {
      set.lists[sets + name + "_" + split + ".txt"] = ids[0] + (name == "cat" ? "  1\n" : " -1\n") +
                                                      ids[1] + (name == "dog" ? "  0\n" : " -1\n");
    }
    for (const std::string& id : ids) {
      set.images.push_back("JPEGImages/" + id + ".jpg");
      set.lists["Annotations/" + id + ".xml"] = kXml;
    }
  }
  return set;
}

}  // namespace

void internal::AddDatasetReaders(std::vector<Reader>& readers) {
  const auto flowers = [] {
    return std::vector{MatLabels(), MatSets(), MatLabels(true), MatSets(true)};
  };
  const auto boxes = [] { return std::vector{MatBox(), MatBox(true)}; };
  const auto packed = [](bool (*read)(const std::string&)) {
    return [read](const std::string& bytes) { return read(MatPacked(bytes)); };
  };
  readers.push_back({"mat-flowers", flowers, ReadFlowersMat});
  readers.push_back({"mat-flowers-compressed", flowers, packed(ReadFlowersMat)});
  readers.push_back({"mat-cub", boxes, ReadBoxMat});
  readers.push_back({"mat-cub-compressed", boxes, packed(ReadBoxMat)});
  readers.push_back({"xml", [] { return std::vector<std::string>{kXml, kPetsXml}; }, ReadXml, 64});
  for (const ListSet& set : {Voc(), Cub2010(), Cub2011(), Pets()}) {
    readers.push_back({"lists-" + set.folder, [set] { return std::vector{Join(set.lists)}; },
                       [set](const std::string& bytes) { return ReadLists(set, bytes); }, 64});
  }
}

}  // namespace alcedo::fuzz
