// Whether files are still what was written: all of their bytes are read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alcedo::info {

enum class FileState {
  kWhole,       // its checksum is right, or it was decoded to its end
  kUnverified,  // it can be read, but has no checksum
  kDamaged
};

struct FileCheck {
  std::string file;
  FileState state = FileState::kWhole;
  std::string text;  // what it is, or what is wrong with it
};

// Of a file that DescribeFile() knows; of a folder that is a feature store, or a work folder with
// everything in it. IoError if the file is not there.
std::vector<FileCheck> CheckFiles(const std::filesystem::path& path, int threads);

// One line each, and how many there are of each kind.
std::string FileChecksText(const std::vector<FileCheck>& checks);
std::string FileChecksJson(const std::vector<FileCheck>& checks);

}  // namespace alcedo::info
