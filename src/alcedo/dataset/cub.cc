#include <fmt/format.h>

#include <unordered_map>

#include "alcedo/base/error.h"
#include "alcedo/dataset/mat_file.h"
#include "alcedo/dataset/readers.h"

namespace alcedo::internal {
namespace {

namespace fs = std::filesystem;

void ReadSplit(const Dataset& dataset, ImageAdder& adder, const std::string& file, Split split,
               std::vector<bool>& seen) {
  const ListFile list(dataset.root, file);
  for (const ListLine& line : list.lines()) {
    DatasetImage* image = adder.Find("images/" + list.Name(line, line.text));
    if (image == nullptr) list.Fail(line, "lists/files.txt does not name this image");
    const std::size_t place = image - dataset.images.data();
    if (seen[place]) list.Fail(line, "an image is named twice in lists/train.txt and test.txt");
    seen[place] = true;
    image->split = split;
  }
}

// annotations-mat/<class>/<image>.mat
void ReadBoxes(Dataset& dataset) {
  std::size_t without = 0;
  for (DatasetImage& image : dataset.images) {
    fs::path file = dataset.root / "annotations-mat" / image.name.substr(sizeof("images/") - 1);
    file.replace_extension(".mat");
    if (!fs::exists(file)) {
      ++without;
      continue;
    }
    image.boxes = {ReadMatBox(file)};
  }
  if (without == 0) return;
  dataset.notes.push_back(without == dataset.images.size()
                              ? "annotations-mat/ is not there: images have no boxes"
                              : fmt::format("{} of {} images have no annotation and no box",
                                            without, dataset.images.size()));
}

}  // namespace

Dataset ReadCub2010(const fs::path& root) {
  Dataset dataset = BeginDataset(DatasetKind::kCub2010, "Caltech-UCSD Birds 200 (2010)", root);
  RequireParts(dataset, {"lists/files.txt", "lists/train.txt", "lists/test.txt",
                         "lists/classes.txt", "images/"});
  const ListFile classes(root, "lists/classes.txt");
  std::unordered_map<std::string, int> places;
  for (const ListLine& line : classes.lines()) {
    const std::string name = classes.Name(line, line.text);
    if (!places.emplace(name, static_cast<int>(dataset.classes.size())).second) {
      classes.Fail(line, fmt::format("class '{}' is named twice", name));
    }
    dataset.classes.push_back(name);
  }
  const ListFile files(root, "lists/files.txt");
  ImageAdder adder(dataset);
  for (const ListLine& line : files.lines()) {
    const std::string name = files.Name(line, line.text);
    const auto place = places.find(name.substr(0, name.find('/')));
    if (place == places.end()) {
      files.Fail(line, "the folder of an image must be a class of lists/classes.txt");
    }
    adder.Add("images/" + name, [&](const std::string& what) { files.Fail(line, what); }).label =
        place->second;
  }
  std::vector<bool> seen(dataset.images.size(), false);
  ReadSplit(dataset, adder, "lists/train.txt", Split::kTrain, seen);
  ReadSplit(dataset, adder, "lists/test.txt", Split::kTest, seen);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    files.Fail(files.lines()[i], "neither lists/train.txt nor lists/test.txt names this image");
  }
  RequireImages(dataset, "lists/files.txt");
  ReadBoxes(dataset);
  FinishDataset(dataset);
  return dataset;
}

namespace {

constexpr int kMaxCubId = 1 << 30;

// Calls use(image, rest of the line) for every line "id rest" of a list that must name every image
// exactly once.
using Images = std::unordered_map<int, std::size_t>;
void ForEachImage(Dataset& dataset, const Images& places, const ListFile& list,
                  const std::function<void(DatasetImage&, const ListLine&)>& use) {
  std::vector<bool> seen(dataset.images.size(), false);
  for (const ListLine& line : list.lines()) {
    const int id = list.Integer(line, line.First(), "an image id", 1, kMaxCubId);
    const auto place = places.find(id);
    if (place == places.end()) list.Fail(line, fmt::format("images.txt has no image {}", id));
    if (seen[place->second]) list.Fail(line, fmt::format("image {} is named twice", id));
    seen[place->second] = true;
    use(dataset.images[place->second], line);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    const ListLine after{list.lines().empty() ? 1 : list.lines().back().number, ""};
    list.Fail(after, fmt::format("the list ends without {}; unpack the archive again",
                                 dataset.images[i].name));
  }
}

Images ReadImages(Dataset& dataset) {
  const ListFile list(dataset.root, "images.txt");
  Images places;
  ImageAdder adder(dataset);
  for (const ListLine& line : list.lines()) {
    const auto fail = [&](const std::string& what) { list.Fail(line, what); };
    const int id = list.Integer(line, line.First(), "an image id", 1, kMaxCubId);
    if (!places.emplace(id, dataset.images.size()).second) {
      fail(fmt::format("image {} is named twice", id));
    }
    adder.Add("images/" + list.Name(line, line.Rest()), fail);
  }
  return places;
}

// Class ids as they are in classes.txt, and their places.
std::unordered_map<int, int> ReadClasses(Dataset& dataset) {
  const ListFile list(dataset.root, "classes.txt");
  std::unordered_map<int, int> places;
  for (const ListLine& line : list.lines()) {
    const int id = list.Integer(line, line.First(), "a class id", 1, kMaxCubId);
    if (!places.emplace(id, static_cast<int>(dataset.classes.size())).second) {
      list.Fail(line, fmt::format("class {} is named twice", id));
    }
    dataset.classes.push_back(list.Name(line, line.Rest()));
  }
  return places;
}

void ReadLabels(Dataset& dataset, const Images& places) {
  const std::unordered_map<int, int> classes = ReadClasses(dataset);
  const ListFile list(dataset.root, "image_class_labels.txt");
  ForEachImage(dataset, places, list, [&](DatasetImage& image, const ListLine& line) {
    const int id = list.Integer(line, list.Fields(line, 2)[1], "a class id", 1, kMaxCubId);
    const auto place = classes.find(id);
    if (place == classes.end()) list.Fail(line, fmt::format("classes.txt has no class {}", id));
    image.label = place->second;
    // The folder says it again: a damaged label is found.
    const std::string& name = dataset.classes[image.label];
    if (!image.name.starts_with("images/" + name + "/")) {
      list.Fail(line,
                fmt::format("class {} is {}, and {} is not in its folder", id, name, image.name));
    }
  });
}

}  // namespace

Dataset ReadCub2011(const std::filesystem::path& root) {
  Dataset dataset = BeginDataset(DatasetKind::kCub2011, "Caltech-UCSD Birds 200-2011", root);
  RequireParts(dataset, {"images.txt", "image_class_labels.txt", "train_test_split.txt",
                         "classes.txt", "images/"});
  const Images places = ReadImages(dataset);
  ReadLabels(dataset, places);
  const ListFile split(root, "train_test_split.txt");
  ForEachImage(dataset, places, split, [&](DatasetImage& image, const ListLine& line) {
    const int train = split.Integer(line, split.Fields(line, 2)[1], "1 (train) or 0 (test)", 0, 1);
    image.split = train == 1 ? Split::kTrain : Split::kTest;
  });
  if (std::filesystem::exists(root / "bounding_boxes.txt")) {
    const ListFile boxes(root, "bounding_boxes.txt");
    ForEachImage(dataset, places, boxes, [&](DatasetImage& image, const ListLine& line) {
      const auto fields = boxes.Fields(line, 5);
      const auto number = [&](int i) { return boxes.Number(line, fields[i], "a box"); };
      image.boxes = {{number(1), number(2), number(3), number(4)}};
      if (image.boxes[0].width <= 0 || image.boxes[0].height <= 0) {
        boxes.Fail(line, "a box must be wider and higher than 0");
      }
    });
  } else {
    dataset.notes.emplace_back("bounding_boxes.txt is not there: images have no boxes");
  }
  RequireImages(dataset, "images.txt");
  FinishDataset(dataset);
  return dataset;
}

}  // namespace alcedo::internal
