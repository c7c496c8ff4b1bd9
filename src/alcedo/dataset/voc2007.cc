#include <fmt/format.h>

#include <array>

#include "alcedo/dataset/readers.h"

namespace alcedo::internal {
namespace {

constexpr std::array<std::string_view, 20> kClassNames = {
    "aeroplane", "bicycle",     "bird",  "boat",        "bottle", "bus",      "car",
    "cat",       "chair",       "cow",   "diningtable", "dog",    "horse",    "motorbike",
    "person",    "pottedplant", "sheep", "sofa",        "train",  "tvmonitor"};
constexpr std::array<std::pair<Split, std::string_view>, 3> kSplits = {
    {{Split::kTrain, "train"}, {Split::kValidation, "val"}, {Split::kTest, "test"}}};

std::string ImageName(const ListFile& list, const ListLine& line, std::string_view id) {
  if (id.find('/') != std::string_view::npos) list.Fail(line, "an id must be without folders");
  return "JPEGImages/" + list.Name(line, id) + ".jpg";
}

// <class>_<split>.txt: every image of the split once, with 1, -1, or 0 if the only objects of
// the class are difficult.
void ReadTargets(Dataset& dataset, ImageAdder& adder, std::size_t c, Split split,
                 const std::string& file) {
  const ListFile list(dataset.root, file);
  std::vector<bool> seen(dataset.images.size(), false);
  for (const ListLine& line : list.lines()) {
    const auto fields = list.Fields(line, 2);
    DatasetImage* image = adder.Find(ImageName(list, line, fields[0]));
    if (image == nullptr || image->split != split) {
      list.Fail(line, "the list of the split does not name this image");
    }
    const std::size_t place = image - dataset.images.data();
    if (seen[place]) list.Fail(line, "an image is named twice");
    seen[place] = true;
    image->targets[c] =
        static_cast<std::int8_t>(list.Integer(line, fields[1], "1, -1 or 0 (difficult)", -1, 1));
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] || dataset.images[i].split != split) continue;
    const ListLine after{list.lines().empty() ? 1 : list.lines().back().number, ""};
    list.Fail(after, fmt::format("the list ends without {}; unpack the archive again",
                                 dataset.images[i].name));
  }
}

}  // namespace

Dataset ReadVoc2007(const std::filesystem::path& root) {
  Dataset dataset = BeginDataset(DatasetKind::kVoc2007, "PASCAL VOC 2007", root);
  dataset.multi_label = true;
  dataset.classes.assign(kClassNames.begin(), kClassNames.end());
  const std::string sets = "ImageSets/Main/";
  // The authors give two archives; if only one was unpacked, the lists of the other are missing.
  RequireParts(dataset, {sets + "train.txt", sets + "val.txt", sets + "test.txt", "JPEGImages/"});
  ImageAdder adder(dataset);
  for (const auto& [split, name] : kSplits) {
    const ListFile list(root, fmt::format("{}{}.txt", sets, name));
    for (const ListLine& line : list.lines()) {
      const std::string image = ImageName(list, line, list.Fields(line, 1)[0]);
      DatasetImage& added =
          adder.Add(image, [&](const std::string& what) { list.Fail(line, what); });
      added.split = split;
      added.targets.assign(kClassNames.size(), -1);
    }
  }
  for (std::size_t c = 0; c < kClassNames.size(); ++c) {
    for (const auto& [split, name] : kSplits) {
      ReadTargets(dataset, adder, c, split, fmt::format("{}{}_{}.txt", sets, kClassNames[c], name));
    }
  }
  RequireImages(dataset, "ImageSets/Main");
  std::size_t without = 0;
  for (DatasetImage& image : dataset.images) {
    const std::string stem = std::filesystem::path(image.name).stem().string();
    image.boxes = ReadBoxesIfThere(root / "Annotations" / (stem + ".xml"));
    without += image.boxes.empty() ? 1 : 0;
  }
  if (without > 0) {
    dataset.notes.push_back(fmt::format("{} of {} images have no boxes in Annotations", without,
                                        dataset.images.size()));
  }
  NoteUnlisted(dataset, "JPEGImages");
  FinishDataset(dataset);
  return dataset;
}

}  // namespace alcedo::internal
