#include "alcedo/image/foreign_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace alcedo {
namespace {

constexpr std::array<std::string_view, 24> kEndings = {
    ".arw", ".avif", ".bmp", ".cr2", ".cr3", ".dng", ".heic", ".heif",
    ".ico", ".j2k",  ".jp2", ".jxl", ".nef", ".orf", ".pef",  ".psd",
    ".raf", ".raw",  ".rw2", ".srw", ".svg", ".tga", ".tif",  ".tiff"};

}  // namespace

bool ForeignImages::Add(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::ranges::count(kEndings, ending) == 0) return false;
  ++counts_[ending];
  return true;
}

std::string ForeignImages::Text() const {
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts_.begin(), counts_.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           &std::pair<std::string, std::int64_t>::second);
  std::string text;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string_view before = i == 0 ? "" : i + 1 == sorted.size() ? " and " : ", ";
    text += fmt::format("{}{} {}", before, sorted[i].second, sorted[i].first);
  }
  return text;
}

std::string ForeignImages::Note() const {
  std::int64_t total = 0;
  for (const auto& [ending, count] : counts_) total += count;
  return fmt::format("{} {} left out: images that can be read are {}", Text(),
                     total == 1 ? "is" : "are", kImageFormats);
}

}  // namespace alcedo
