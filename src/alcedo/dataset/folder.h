// A folder for each class: what is in it, and how it is split by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/dataset/read_dataset.h"

namespace alcedo::internal {

// Names, sorted by their bytes; hidden ones are left out. Links are followed.
struct FolderEntries {
  std::vector<std::string> folders;
  std::vector<std::string> images;   // files named like images, or like arrays
  std::vector<std::string> foreign;  // files named like images in formats that are not read
};

// `arrays`: looks for those instead of images. IoError if it cannot be listed; FormatError if an
// image is a link that leads nowhere.
FolderEntries ListEntries(const std::filesystem::path& folder, bool arrays = false);
// The same for a folder inside of what the user gave: if it cannot be listed, it has no entries and
// `why` says so.
FolderEntries ListInside(const std::filesystem::path& folder, bool arrays, std::string& why);

// Why there are no class folders with images, as far as `root` tells: images that cannot be read,
// or that lie one folder too deep. "" if it does not.
std::string WhyNoImages(const std::filesystem::path& root);

// Whether there are class folders with images, or train/ and test/ with such inside.
bool LooksLikeClassFolders(const std::filesystem::path& root);

// The names' order by chance: from the seed and each name alone, so that a file more or less moves
// no other file, and neither the order of a directory nor the platform matters.
std::vector<std::string> ShuffleNames(std::vector<std::string> names, std::uint64_t seed);

// How many of a class's images to test on and to train on. One of each at least, if there are
// two; a single image is trained on. The rest is left out.
struct SplitCounts {
  std::size_t test, train;
};
SplitCounts CountSplit(std::size_t images, const FolderSplitOptions& options);

}  // namespace alcedo::internal
