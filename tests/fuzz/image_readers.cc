// Images of every format that is read; PNG also with right checksums of its chunks.
#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

// Small limits: what reading may take is then known.
constexpr double kMaxMib = 16;

ImageOptions Options(int max_pixels) {
  ImageOptions options;
  options.max_pixels = max_pixels;
  options.max_megapixels = 1;
  options.max_image_memory = kMaxMib;
  return options;
}

Image ReadChecked(const std::string& bytes, int max_pixels) {
  Image image = ReadImageBytes(bytes, "file", Options(max_pixels));
  CheckImage(image);
  const auto outside = [](float sample) { return !(sample >= 0 && sample <= 255); };
  if (std::ranges::any_of(image.samples, outside)) throw BrokenPromise("a sample is not in 0..255");
  return image;
}

// As it is, and scaled down on the way: the same files must be refused. But the whole of a large
// image may be beyond the limit.
bool ReadBoth(const std::string& bytes) {
  constexpr int kLarge = 100'000;
  Image small;
  const bool whole = Succeeds([&] { ReadChecked(bytes, 0); });
  const bool scaled = Succeeds([&] { small = ReadChecked(bytes, 100); });
  if (whole != scaled && small.original_width * small.original_height < kLarge) {
    throw BrokenPromise("an image is read at one size and refused at another");
  }
  return whole;
}

std::vector<std::string> SamplesOf(const std::function<bool(const std::string&)>& belong) {
  std::vector<std::string> samples;
  for (const testing::Variant& variant : testing::Variants()) {
    if (belong(variant.bytes)) samples.push_back(variant.bytes);
  }
  return samples;
}

constexpr std::size_t kSignature = 8;

std::uint32_t Big32(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The checksum of every chunk, as far as the lengths lead to chunks.
std::string WithRightChecksums(std::string png) {
  for (std::size_t at = kSignature; at + 12 <= png.size();) {
    const std::size_t length = Big32(png, at);
    if (length > png.size() - at - 12) break;
    const auto* type = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    const auto crc = static_cast<std::uint32_t>(crc32(0, type, static_cast<uInt>(length + 4)));
    for (std::size_t i = 0; i < 4; ++i) {
      png[at + 8 + length + i] = static_cast<char>(crc >> (24 - 8 * i));
    }
    at += length + 12;
  }
  return png;
}

}  // namespace

void internal::AddImageReaders(std::vector<Reader>& readers) {
  const auto add = [&](const char* name, auto belong, auto read) {
    const auto fixed = static_cast<std::ptrdiff_t>((kMaxMib + 2) * (1 << 20));
    readers.push_back({name, [belong] { return SamplesOf(belong); }, read, 16, fixed});
  };
  const auto is_png = [](const std::string& f) { return f.starts_with("\x89PNG"); };
  add("jpeg", [](const std::string& f) { return f.starts_with("\xff\xd8"); }, ReadBoth);
  add("png", is_png, ReadBoth);
  add("png-right-checksum", is_png,
      [](const std::string& bytes) { return ReadBoth(WithRightChecksums(bytes)); });
  add("webp", [](const std::string& f) { return f.starts_with("RIFF"); }, ReadBoth);
  add("gif", [](const std::string& f) { return f.starts_with("GIF"); }, ReadBoth);
  add("pnm", [](const std::string& f) { return f.starts_with("P"); }, ReadBoth);
}

}  // namespace alcedo::fuzz
