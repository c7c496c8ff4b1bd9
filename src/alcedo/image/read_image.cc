#include "alcedo/image/read_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/image/decoders.h"
#include "alcedo/image/file_bytes.h"
#include "alcedo/image/picture_source.h"

namespace alcedo {
namespace {

using namespace std::string_view_literals;
using internal::PictureSource;

using Decoder = Image (*)(const PictureSource&);

bool IsPnm(std::string_view bytes) {
  return bytes.size() >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
         " \t\n\v\f\r#"sv.find(bytes[2]) != std::string_view::npos;
}

// By the first bytes; nullptr where they are of no known format.
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
  if (bytes.empty()) throw FormatError(fmt::format("{}: is empty", name));
  const Decoder decoder = FindDecoder(bytes);
  if (decoder == nullptr) {
    throw FormatError(
        fmt::format("{}: is no picture: its first bytes are not those of JPEG, PNG, WebP, GIF or "
                    "PNM",
                    name));
  }
  return decoder;
}

void CheckOptions(const ImageOptions& options) {
  Require(options.max_pixels >= 0, "max_pixels", ">= 0", options.max_pixels);
  Require(options.max_megapixels > 0, "max_megapixels", "> 0", options.max_megapixels);
  Require(options.max_image_memory > 0, "max_image_memory", "> 0", options.max_image_memory);
}

}  // namespace

Image ReadImage(const std::filesystem::path& path, const ImageOptions& options) {
  CheckOptions(options);
  const std::string name = path.string();
  Decoder decoder = nullptr;
  const std::string bytes = internal::ReadFileBytes(
      path, options.max_image_memory * (1 << 20),
      [&](std::string_view first) { decoder = FindDecoderOrThrow(first, name); });
  return decoder({bytes, name, options, static_cast<double>(bytes.size())});
}

Image ReadImageBytes(std::string_view bytes, const std::string& name, const ImageOptions& options) {
  CheckOptions(options);
  return FindDecoderOrThrow(bytes, name)({bytes, name, options});
}

bool LooksLikeImage(std::string_view first_bytes) { return FindDecoder(first_bytes) != nullptr; }

bool HasPictureExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::count(kPictureExtensions, extension) > 0;
}

}  // namespace alcedo
