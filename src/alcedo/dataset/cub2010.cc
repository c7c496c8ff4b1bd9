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

}  // namespace alcedo::internal
