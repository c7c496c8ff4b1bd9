#include <fmt/format.h>

#include <map>

#include "alcedo/dataset/readers.h"

namespace alcedo::internal {
namespace {

constexpr int kMaxPetsId = 10000;

// A line "name class species breed", in which a name is its breed and a number: great_pyrenees_12.
struct Pet {
  std::string name, breed;
  int id;
};

Pet ReadPet(const ListFile& list, const ListLine& line) {
  const auto fields = list.Fields(line, 4);
  const std::string name = list.Name(line, fields[0]);
  if (name.find('/') != std::string::npos) list.Fail(line, "a name must be without folders");
  const std::size_t end = name.rfind('_');
  if (end == std::string::npos || end == 0) {
    list.Fail(line, "a name must be a breed, '_' and a number");
  }
  for (const int i : {2, 3}) list.Integer(line, fields[i], "species and breed", 1, kMaxPetsId);
  return {"images/" + name + ".jpg", name.substr(0, end),
          list.Integer(line, fields[1], "a class id", 1, kMaxPetsId)};
}

void ReadSplit(const Dataset& dataset, ImageAdder& adder, const std::vector<int>& ids,
               const std::string& file, Split split, std::vector<bool>& seen) {
  const ListFile list(dataset.root, file);
  for (const ListLine& line : list.lines()) {
    const Pet pet = ReadPet(list, line);
    DatasetImage* image = adder.Find(pet.name);
    if (image == nullptr) list.Fail(line, "annotations/list.txt does not name this image");
    const std::size_t place = image - dataset.images.data();
    if (seen[place]) list.Fail(line, "an image is named twice in trainval.txt and test.txt");
    if (ids[place] != pet.id) {
      list.Fail(line, fmt::format("annotations/list.txt gives this image class {}, not {}",
                                  ids[place], pet.id));
    }
    seen[place] = true;
    image->split = split;
  }
}

}  // namespace

Dataset ReadPets(const std::filesystem::path& root) {
  Dataset dataset = BeginDataset(DatasetKind::kPets, "Oxford-IIIT Pets", root);
  RequireParts(dataset, {"annotations/list.txt", "annotations/trainval.txt", "annotations/test.txt",
                         "images/"});
  const ListFile list(root, "annotations/list.txt", '#');
  ImageAdder adder(dataset);
  std::map<int, std::string> breeds;
  std::vector<int> ids;
  for (const ListLine& line : list.lines()) {
    const auto fail = [&](const std::string& what) { list.Fail(line, what); };
    const Pet pet = ReadPet(list, line);
    const auto [known, added] = breeds.emplace(pet.id, pet.breed);
    if (!added && known->second != pet.breed) {
      fail(fmt::format("class {} is {} above and {} here", pet.id, known->second, pet.breed));
    }
    adder.Add(pet.name, fail);
    ids.push_back(pet.id);
  }
  std::map<int, int> places;
  std::map<std::string, int> ids_of;
  for (const auto& [id, breed] : breeds) {
    if (const auto [other, added] = ids_of.emplace(breed, id); !added) {
      const std::size_t first = std::find(ids.begin(), ids.end(), id) - ids.begin();
      list.Fail(list.lines()[first],
                fmt::format("{} is class {} here and {} elsewhere", breed, id, other->second));
    }
    places[id] = static_cast<int>(dataset.classes.size());
    dataset.classes.push_back(breed);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) dataset.images[i].label = places[ids[i]];

  std::vector<bool> seen(dataset.images.size(), false);
  ReadSplit(dataset, adder, ids, "annotations/trainval.txt", Split::kTrain, seen);
  ReadSplit(dataset, adder, ids, "annotations/test.txt", Split::kTest, seen);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    list.Fail(list.lines()[i], "neither trainval.txt nor test.txt names this image");
  }
  RequireImages(dataset, "annotations/list.txt");
  for (DatasetImage& image : dataset.images) {
    const std::string stem = std::filesystem::path(image.name).stem().string();
    // The authors give heads for most of trainval and for nothing else.
    image.boxes = ReadBoxesIfThere(root / "annotations" / "xmls" / (stem + ".xml"));
  }
  NoteUnlisted(dataset, "images");
  FinishDataset(dataset);
  return dataset;
}

}  // namespace alcedo::internal
