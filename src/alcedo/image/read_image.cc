#include "alcedo/image/read_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/image/decoders.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {
namespace {

using namespace std::string_view_literals;
using internal::ImageSource;

using Decoder = Image (*)(const ImageSource&);

bool IsPnm(std::string_view bytes) {
  return bytes.size() >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
         " \t\n\v\f\r#"sv.find(bytes[2]) != std::string_view::npos;
}

// By the first bytes; nullptr if they are of no known format.
Decoder FindDecoder(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xD8\xFF"sv)) return &internal::ReadJpeg;
  if (bytes.starts_with("\x89PNG\r\n\x1A\n"sv)) return &internal::ReadPng;
  if (bytes.starts_with("RIFF"sv) && bytes.substr(4).size() >= 8 &&
      bytes.substr(8, 4) == "WEBP"sv) {
    return &internal::ReadWebp;
  }
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return &internal::ReadGif;
  if (IsPnm(bytes)) return &internal::ReadPnm;
  return nullptr;
}

Decoder FindDecoderOrThrow(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw FormatError(name, "is empty");
  const Decoder decoder = FindDecoder(bytes);
  if (decoder == nullptr) {
    throw FormatError(name,
                      "is not an image: its first bytes are not those of JPEG, PNG, WebP, GIF or "
                      "PNM");
  }
  return decoder;
}

}  // namespace

void Check(const ImageOptions& options) {
  Require(options.max_pixels >= 0, "image.max_pixels", ">= 0", options.max_pixels);
  Require(options.max_megapixels > 0, "image.max_megapixels", "> 0", options.max_megapixels);
  Require(options.max_image_memory > 0, "image.max_image_memory", "> 0", options.max_image_memory);
}

Image ReadImage(const std::filesystem::path& path, const ImageOptions& options) {
  Check(options);
  const std::string name = path.string();
  Decoder decoder = nullptr;
  ReadLimit limit;
  limit.max_bytes = static_cast<std::int64_t>(std::min(options.max_image_memory * 0x1p20, 0x1p62));
  limit.option = "image.max_image_memory";
  limit.check = [&](std::string_view first) { decoder = FindDecoderOrThrow(first, name); };
  const std::string bytes = ReadFileBytes(path, limit);
  return decoder({bytes, name, options, static_cast<double>(bytes.size())});
}

Image ReadImageBytes(std::string_view bytes, const std::string& name, const ImageOptions& options) {
  Check(options);
  return FindDecoderOrThrow(bytes, name)({bytes, name, options});
}

bool LooksLikeImage(std::string_view first_bytes) { return FindDecoder(first_bytes) != nullptr; }

bool HasImageExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::count(kImageExtensions, extension) > 0;
}

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
