// The readers, one per kind of dataset, and what they share. `root` is the folder that holds the
// files itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alcedo/dataset/dataset.h"
#include "alcedo/dataset/list_file.h"
#include "alcedo/dataset/read_dataset.h"

namespace alcedo::internal {

Dataset ReadFlowers(const std::filesystem::path& root);
Dataset ReadVoc2007(const std::filesystem::path& root);
Dataset ReadCub2010(const std::filesystem::path& root);
Dataset ReadCub2011(const std::filesystem::path& root);
Dataset ReadPets(const std::filesystem::path& root);
Dataset ReadFolder(const std::filesystem::path& root, const FolderSplitOptions& split);

Dataset BeginDataset(DatasetKind kind, std::string title, const std::filesystem::path& root);

// FormatError naming those of the files (and folders, which end in '/') that are not in the root.
void RequireParts(const Dataset& dataset, const std::vector<std::string>& parts);

// Adds an image; FormatError if the name was added before.
class ImageAdder {
 public:
  explicit ImageAdder(Dataset& dataset) : dataset_(dataset) {}
  DatasetImage& Add(const std::string& name, const std::function<void(std::string)>& fail);
  DatasetImage* Find(const std::string& name);

 private:
  Dataset& dataset_;
  std::unordered_map<std::string, std::size_t> places_;
};

// FormatError if images are not there: how many, and the first of them. `list` is the file that
// names them.
void RequireImages(const Dataset& dataset, std::string_view list);

// A note if `folder` has images that are not part of the set.
void NoteUnlisted(Dataset& dataset, const std::string& folder);

// What holds for every set: takes classes without images out, and notes what a user should know.
// FormatError if there is one class only; unless `all`, if there is nothing to train on or nothing
// to test on.
void FinishDataset(Dataset& dataset, bool all = false);

// Whether the name ends like that of an image, and is not hidden.
bool IsImageName(std::string_view file);

// The boxes of all objects in an XML annotation of VOC, which Pets uses too; none if there is no
// such file. The file counts pixels from 1 and includes both ends. FormatError if it is not such an
// annotation.
std::vector<Box> ReadBoxesIfThere(const std::filesystem::path& path);

}  // namespace alcedo::internal
