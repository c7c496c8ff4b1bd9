// Images in formats that are not read, recognised by their names, so that a user hears of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace alcedo {

// The formats that are read, for messages.
inline constexpr std::string_view kImageFormats = "JPEG, PNG, WebP, GIF and PNM";

// How many of which endings there are.
class ForeignImages {
 public:
  // Counts a file whose name is that of an image of another format (.bmp, .tif, .heic, raw formats
  // of cameras ...), in small or capital letters; others are not counted. Whether it was.
  bool Add(const std::filesystem::path& file);

  bool empty() const { return counts_.empty(); }
  // "2 .bmp and 1 .tif": the most frequent first.
  std::string Text() const;
  // "2 .bmp and 1 .tif are left out: images that are read are JPEG, ...".
  std::string Note() const;

 private:
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace alcedo
