#include "alcedo/dataset/read_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/dataset/folder.h"
#include "alcedo/dataset/readers.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

using Place = std::pair<DatasetKind, fs::path>;

// One marker is enough: if others are missing, the reader can say so.
struct Layout {
  DatasetKind kind;
  std::vector<std::string> markers;
  std::string images;
};

const std::vector<Layout>& Layouts() {
  static const std::vector<Layout> layouts = {
      {DatasetKind::kFlowers, {"imagelabels.mat", "setid.mat"}, "jpg"},
      {DatasetKind::kVoc2007, {"ImageSets/Main"}, "JPEGImages"},
      {DatasetKind::kCub2010, {"lists/files.txt", "lists/train.txt"}, "images"},
      {DatasetKind::kCub2011, {"image_class_labels.txt", "train_test_split.txt"}, "images"},
      {DatasetKind::kPets, {"annotations/list.txt", "annotations/trainval.txt"}, "images"}};
  return layouts;
}

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<Place> At(const fs::path& folder, DatasetKind kind) {
  std::vector<Place> places;
  for (const Layout& layout : Layouts()) {
    if (kind != DatasetKind::kAuto && kind != layout.kind) continue;
    const auto marked = [&](const std::string& marker) { return Exists(folder / marker); };
    if (std::ranges::any_of(layout.markers, marked)) places.emplace_back(layout.kind, folder);
  }
  // The devkit is a folder around the set of each year.
  if (places.empty() && folder.filename() != "VOC2007" && Exists(folder / "VOC2007")) {
    return At(folder / "VOC2007", kind);
  }
  return places;
}

std::vector<Place> Under(const fs::path& root, DatasetKind kind) {
  std::vector<Place> places;
  for (const std::string& name : internal::ListEntries(root).folders) {
    for (const Place& place : At(root / name, kind)) places.push_back(place);
  }
  return places;
}

// The dataset, if the root is the folder of its images.
std::vector<Place> Around(const fs::path& root, DatasetKind kind) {
  const fs::path whole = fs::absolute(root).lexically_normal();
  const fs::path folder = whole.has_filename() ? whole : whole.parent_path();
  std::vector<Place> places = At(folder.parent_path(), kind);
  std::erase_if(places, [&](const Place& place) {
    return std::ranges::none_of(Layouts(), [&](const Layout& layout) {
      return layout.kind == place.first && place.second / layout.images == folder;
    });
  });
  return places;
}

void RequireFolder(const fs::path& root) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (fs::is_directory(status)) return;
  if (fs::exists(status)) {
    throw IoError(root.string(), "is a file; a dataset is a folder");
  }
  throw IoError(root.string(), "there is no such folder");
}

[[noreturn]] void FailToFind(const fs::path& root) {
  std::error_code ignored;
  if (fs::is_empty(root, ignored)) {
    throw FormatError(root.string(), "is an empty folder");
  }
  if (const std::string why = internal::WhyNoImages(root); !why.empty()) {
    throw FormatError(root.string(), why);
  }
  throw FormatError(
      root.string(),
      "there is no dataset in this folder; expected is Oxford 102 Flowers (imagelabels.mat), VOC "
      "2007 (ImageSets/Main), CUB-200 of 2010 (lists/) or 2011 (images.txt), Oxford-IIIT Pets "
      "(annotations/), or one folder of images per class");
}

// The dataset that a user means with `root`: see DetectDataset. With a kind other than kAuto only
// that kind is looked for, and if it is not found the root itself is the place: its reader will say
// what is missing.
Place LocateDataset(const fs::path& root, DatasetKind kind) {
  RequireFolder(root);
  if (kind == DatasetKind::kFolder) return {kind, root};
  for (const auto& look : {At, Around, Under}) {
    const std::vector<Place> places = look(root, kind);
    if (places.size() == 1) return places[0];
    if (places.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [found, path] : places) {
      names.push_back(fmt::format("{} ({})", path.string(), Name(found)));
    }
    throw FormatError(root.string(), fmt::format("holds {} datasets, give one of them: {}",
                                                 names.size(), fmt::join(names, ", ")));
  }
  if (kind != DatasetKind::kAuto) return {kind, root};
  if (!internal::LooksLikeClassFolders(root)) FailToFind(root);
  return {DatasetKind::kFolder, root};
}

}  // namespace

Dataset ReadDataset(const std::filesystem::path& root, DatasetKind kind,
                    const FolderSplitOptions& split) {
  const auto [found, place] = LocateDataset(root, kind);
  switch (found) {
    case DatasetKind::kFlowers:
      return internal::ReadFlowers(place);
    case DatasetKind::kVoc2007:
      return internal::ReadVoc2007(place);
    case DatasetKind::kCub2010:
      return internal::ReadCub2010(place);
    case DatasetKind::kCub2011:
      return internal::ReadCub2011(place);
    case DatasetKind::kPets:
      return internal::ReadPets(place);
    case DatasetKind::kFolder:
      return internal::ReadFolder(place, split);
    case DatasetKind::kAuto:
      break;
  }
  throw InvalidArgument("dataset", "must be one of " + NameList<DatasetKind>(), "");
}

DatasetKind DetectDataset(const std::filesystem::path& root) {
  return LocateDataset(root, DatasetKind::kAuto).first;
}

std::vector<std::pair<DatasetKind, std::filesystem::path>> FindDatasets(
    const std::filesystem::path& root) {
  RequireFolder(root);
  std::vector<Place> places = At(root, DatasetKind::kAuto);
  for (const auto& place : Under(root, DatasetKind::kAuto)) places.push_back(place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace alcedo
