#include "alcedo/dataset/detect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/dataset/folder.h"
#include "alcedo/dataset/read_dataset.h"

namespace alcedo {
namespace internal {
namespace {

namespace fs = std::filesystem;

// One marker is enough: where others are missing, the reader can say so.
struct Layout {
  DatasetKind kind;
  std::vector<std::string> markers;
  std::string pictures;
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
  for (const std::string& name : ListEntries(root).folders) {
    for (const Place& place : At(root / name, kind)) places.push_back(place);
  }
  return places;
}

// Where the root is the folder of a dataset's pictures: the dataset.
std::vector<Place> Around(const fs::path& root, DatasetKind kind) {
  const fs::path whole = fs::absolute(root).lexically_normal();
  const fs::path folder = whole.has_filename() ? whole : whole.parent_path();
  std::vector<Place> places = At(folder.parent_path(), kind);
  std::erase_if(places, [&](const Place& place) {
    return std::ranges::none_of(Layouts(), [&](const Layout& layout) {
      return layout.kind == place.first && place.second / layout.pictures == folder;
    });
  });
  return places;
}

void RequireFolder(const fs::path& root) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (fs::is_directory(status)) return;
  if (fs::exists(status)) {
    throw InvalidArgument(fmt::format("'{}' is a file; a dataset is a folder", root.string()));
  }
  throw IoError(fmt::format("there is no folder '{}'", root.string()));
}

[[noreturn]] void FailToFind(const fs::path& root) {
  std::error_code ignored;
  if (fs::is_empty(root, ignored)) {
    throw InvalidArgument(fmt::format("folder '{}' is empty", root.string()));
  }
  if (const std::string why = WhyNoPictures(root); !why.empty()) throw InvalidArgument(why);
  throw InvalidArgument(fmt::format(
      "there is no dataset in '{}'; expected is Oxford 102 Flowers (imagelabels.mat), VOC 2007 "
      "(ImageSets/Main), CUB-200 of 2010 (lists/) or 2011 (images.txt), Oxford-IIIT Pets "
      "(annotations/), or one folder of pictures per class",
      root.string()));
}

}  // namespace

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
    throw InvalidArgument(fmt::format("'{}' holds {} datasets, give one of them: {}", root.string(),
                                      names.size(), fmt::join(names, ", ")));
  }
  if (kind != DatasetKind::kAuto) return {kind, root};
  if (!LooksLikeClassFolders(root)) FailToFind(root);
  return {DatasetKind::kFolder, root};
}

}  // namespace internal

DatasetKind DetectDataset(const std::filesystem::path& root) {
  return internal::LocateDataset(root, DatasetKind::kAuto).first;
}

std::vector<std::pair<DatasetKind, std::filesystem::path>> FindDatasets(
    const std::filesystem::path& root) {
  internal::RequireFolder(root);
  std::vector<internal::Place> places = internal::At(root, DatasetKind::kAuto);
  for (const auto& place : internal::Under(root, DatasetKind::kAuto)) places.push_back(place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace alcedo
