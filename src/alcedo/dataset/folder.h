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
};

// `arrays`: those are what is looked for. IoError where it cannot be listed; FormatError where a
// picture is a link that leads nowhere.
FolderEntries ListEntries(const std::filesystem::path& folder, bool arrays = false);

// Whether there are class folders with pictures, or train/ and test/ with such inside.
bool LooksLikeClassFolders(const std::filesystem::path& root);

}  // namespace alcedo::internal
