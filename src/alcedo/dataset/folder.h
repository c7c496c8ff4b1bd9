// Folders as they are: what is in one, in the order of names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alcedo::internal {

// Names, sorted by their bytes; hidden ones are left out. Links are followed.
struct FolderEntries {
  std::vector<std::string> folders;
  std::vector<std::string> pictures;  // files named like pictures, or like arrays
  std::vector<std::string> foreign;   // files named like pictures in formats that are not read
};

// `arrays`: those are what is looked for. IoError where it cannot be listed; FormatError where a
// picture is a link that leads nowhere.
FolderEntries ListEntries(const std::filesystem::path& folder, bool arrays = false);

// Why there are no class folders with pictures, as far as `root` tells: pictures that cannot be
// read, or that lie one folder too deep. "" where it does not.
std::string WhyNoPictures(const std::filesystem::path& root);

// Whether there are class folders with pictures, or train/ and test/ with such inside.
bool LooksLikeClassFolders(const std::filesystem::path& root);

}  // namespace alcedo::internal
