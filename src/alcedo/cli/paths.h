// What a run reads and what it writes must not meet.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alcedo::cli {

// A file or folder, and the option that leads to it.
struct NamedPath {
  std::string option;
  std::filesystem::path path;
};

// Throws InvalidArgument where something written is also read, UsageError where two outputs are the
// same, both whatever links and spellings lead there. Hard links of one file are different: an
// output replaces its own name and leaves the others as they are.
void CheckPaths(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written);

}  // namespace alcedo::cli
