// Files that are not whole or not right: a FormatError, never a crash.
#include <gtest/gtest.h>

#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/peak_memory_testing.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

using testing::kSanitized;
using testing::PeakOf;
using testing::PngChunk;
using testing::Variant;
using testing::Variants;

TEST(Damage, NoImageIsTruncatedUnnoticed) {
  for (const Variant& variant : Variants()) {
    if (variant.plain) continue;
    // Every place in one file of each kind, and many in the others.
    const bool every = variant.name.size() <= 4 || variant.name == "jpeg progressive" ||
                       variant.name == "webp lossless" || variant.name == "png 8 bit rgb";
    for (std::size_t size = 0; size < variant.bytes.size(); size += every ? 1 : 13) {
      EXPECT_THROW(ReadImageBytes(variant.bytes.substr(0, size), "x"), FormatError)
          << variant.name << " at " << size << " of " << variant.bytes.size();
    }
    EXPECT_THROW(ReadImageBytes(variant.bytes.substr(0, variant.bytes.size() - 1), "x"),
                 FormatError)
        << variant.name;
  }
}

std::string Mutate(std::string bytes, Rng& rng) {
  const Index changes = 1 + rng.UniformIndex(4);
  for (Index i = 0; i < changes && !bytes.empty(); ++i) {
    const auto at = static_cast<std::size_t>(rng.UniformIndex(static_cast<Index>(bytes.size())));
    switch (rng.UniformIndex(5)) {
      case 0:
        bytes[at] = static_cast<char>(rng.UniformIndex(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << rng.UniformIndex(8));
        break;
      case 2:
        bytes[at] = rng.UniformIndex(2) == 0 ? '\0' : '\xFF';
        break;
      case 3:
        bytes.erase(at, static_cast<std::size_t>(1 + rng.UniformIndex(8)));
        break;
      default:
        bytes.insert(at, bytes.substr(bytes.size() - at, 8));
    }
  }
  return bytes;
}

TEST(Damage, MutantsAreReadOrRefused) {
  const ImageOptions options = {.max_pixels = 500, .max_megapixels = 4, .max_image_memory = 16};
  const int rounds = kSanitized ? 60 : 250;
  int refused = 0, total = 0;
  const double peak = PeakOf([&] {
    for (std::size_t v = 0; v < Variants().size(); ++v) {
      const Variant& variant = Variants()[v];
      for (int round = 0; round < rounds; ++round) {
        Rng rng = Rng::ForItem(v, static_cast<std::uint64_t>(round));
        ++total;
        try {
          const Image image = ReadImageBytes(Mutate(variant.bytes, rng), "x", options);
          CheckImage(image);
          ASSERT_LE(image.width * image.height, 500);
        } catch (const FormatError&) {
          ++refused;
        }
      }
    }
  });
  EXPECT_GT(refused, total / 4);
  EXPECT_LT(refused, total);
  EXPECT_LT(peak, 16 + 8);
}

// PNG checksums hide most of its decoder from mutants: here they are made right again.
TEST(Damage, MutantsOfPngWithRightChecksums) {
  const ImageOptions options = {.max_pixels = 500, .max_megapixels = 4, .max_image_memory = 16};
  for (std::size_t v = 0; v < Variants().size(); ++v) {
    const std::string& whole = Variants()[v].bytes;
    if (!Variants()[v].name.starts_with("png")) continue;
    for (int round = 0; round < (kSanitized ? 20 : 100); ++round) {
      Rng rng = Rng::ForItem(1000 + v, static_cast<std::uint64_t>(round));
      std::string bytes = whole.substr(0, 8);
      for (std::size_t at = 8; at < whole.size();) {
        const auto byte = [&](std::size_t i) {
          return static_cast<std::size_t>(static_cast<unsigned char>(whole[at + i]));
        };
        const std::size_t size = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
        std::string data = whole.substr(at + 8, size);
        if (rng.UniformIndex(3) == 0) data = Mutate(data, rng);
        bytes += PngChunk(whole.substr(at + 4, 4), data);
        at += size + 12;
      }
      try {
        CheckImage(ReadImageBytes(bytes, "x", options));
      } catch (const FormatError&) {
      }
    }
  }
}

}  // namespace
}  // namespace alcedo
