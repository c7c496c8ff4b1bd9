// What a file holds, for people and for programs.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/learn/vocabulary.h"
#include "alcedo/training/model.h"

namespace alcedo::info {

struct FileInfo {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string appendix;           // more lines, such as a config as TOML
  std::string json;               // all of it
  bool values_unchecked = false;  // there are checksums that were not looked at
};

// The title, the facts below each other, the appendix.
std::string FileInfoText(const FileInfo& info);

FileInfo DescribeVocabulary(const std::string& file, const NamedVocabulary& vocabulary);
FileInfo DescribeModel(const std::string& file, const Model& model);
FileInfo DescribeStore(const std::filesystem::path& folder);
FileInfo DescribeArrays(const std::filesystem::path& file);
FileInfo DescribeImageFile(const std::filesystem::path& file);

// A vocabulary (also a bundled one, by its name), a model, a feature store, arrays or an image,
// told by its bytes. Throws what is wrong with it.
FileInfo DescribeFile(const std::string& file);

}  // namespace alcedo::info
