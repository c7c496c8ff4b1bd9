#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <thread>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/image/image_testing.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/resize.h"
#include "alcedo/image/write_image.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;
using testing::Difference;
using testing::ImageOf;
using testing::MakePixels;
using testing::MessageOf;
using testing::Variant;
using testing::Variants;

class ReadImageFile : public ::testing::Test {
 protected:
  ReadImageFile() { fs::create_directories(folder_); }
  ~ReadImageFile() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("alcedo_image_test_" + std::to_string(getpid()));
};

TEST_F(ReadImageFile, FollowsTheBytesAndNotTheName) {
  const Image image = ImageOf(MakePixels(20, 10, 3));
  for (const char* name : {"a.jpg", "b.png", "c", "d.txt", "ä e.gif"}) {
    EXPECT_EQ(Difference(ReadImage(Write(name, PngBytes(image))), image), 0);
  }
}

TEST_F(ReadImageFile, LongFilesAreReadWhole) {
  // Around the size of the first piece that is read.
  for (const int rows : {1, 327, 328, 329, 700}) {
    const Image image = ImageOf(MakePixels(200, rows, 1));
    std::string bytes = PnmBytes(image);
    EXPECT_EQ(Difference(ReadImage(Write("x", bytes), {.max_pixels = 0}), image), 0) << rows;
    bytes.pop_back();
    EXPECT_THROW(ReadImage(Write("x", bytes), {.max_pixels = 0}), FormatError);
  }
}

TEST_F(ReadImageFile, SaysWhatIsNotAnImage) {
  const auto message = [](const fs::path& path) {
    return MessageOf<Error>([&] { ReadImage(path); });
  };
  const fs::path missing = folder_ / "missing.jpg";
  EXPECT_EQ(message(missing), missing.string() + ": cannot be read: No such file or directory");
  EXPECT_THROW(ReadImage(missing), IoError);
  EXPECT_EQ(message(folder_), folder_.string() + ": is a folder, but a file is needed");
  EXPECT_THROW(ReadImage(folder_), IoError);
  EXPECT_EQ(message("/dev/null"), "/dev/null: is a device, but a file or a pipe is needed");
  const fs::path empty = Write("empty.jpg", "");
  EXPECT_EQ(message(empty), empty.string() + ": is empty");
  EXPECT_THROW(ReadImage(empty), FormatError);
  const fs::path text = Write("text.jpg", "P7 is not read");
  EXPECT_EQ(message(text),
            text.string() +
                ": is not an image: its first bytes are not those of JPEG, PNG, WebP, "
                "GIF or PNM");
  EXPECT_THROW(ReadImage(text), FormatError);
}

TEST_F(ReadImageFile, ReadsPipes) {
  const Image image = ImageOf(MakePixels(400, 250, 1));
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  {
    std::jthread writer([&] { Write("pipe", PnmBytes(image)); });
    EXPECT_EQ(Difference(ReadImage(pipe), image), 0);
  }
  std::jthread writer([&] { Write("pipe", ""); });
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImage(pipe); }), pipe.string() + ": is empty");
}

TEST_F(ReadImageFile, CountsTheFileAsMemory) {
  const std::string bytes = PnmBytes(MakeImage(1000, 1000, 3));  // 2.9 MiB
  const fs::path path = Write("x.ppm", bytes);
  const ImageOptions options = {.max_pixels = 100, .max_image_memory = 2};
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadImage(path, options); }),
            path.string() + ": has 2.86104 MiB, more than the 2 MiB of image.max_image_memory");
  EXPECT_EQ(ReadImageBytes(bytes, "x", options).width, 10);
  // Room for the file, but not also for a row of it.
  EXPECT_EQ(
      MessageOf<FormatError>(
          [&] { ReadImage(path, {.max_pixels = 100, .max_image_memory = 2.865}); }),
      path.string() + ": needs 3 MiB of memory to be read, but image.max_image_memory is 2.865");
  EXPECT_EQ(ReadImage(path, {.max_pixels = 100, .max_image_memory = 4}).width, 10);
}

TEST(ReadImageBytes, ScalesEveryKindLikeShrinkByArea) {
  for (const Variant& variant : Variants()) {
    const Image whole = ReadImageBytes(variant.bytes, variant.name, {.max_pixels = 0});
    EXPECT_EQ(whole.width, whole.original_width);
    EXPECT_EQ(whole.height, whole.original_height);
    EXPECT_EQ(Difference(ReadImageBytes(variant.bytes, variant.name), whole), 0) << variant.name;
    // Less than four times smaller on either side: no JPEG is decoded at a fraction.
    for (const int pixels : {1200, 800, 500, 200}) {
      const ImageSize size = FitPixels(whole.width, whole.height, pixels);
      const Image small = ReadImageBytes(variant.bytes, variant.name, {.max_pixels = pixels});
      // Turned images are turned last: their sums are added in another order.
      const double tolerance = variant.name.find("16 bit rgb") != std::string::npos ? 2e-5 : 0;
      EXPECT_LE(Difference(small, ShrinkByArea(whole, size.width, size.height)), tolerance)
          << variant.name << " to " << pixels;
    }
  }
}

TEST(ReadImageBytes, IsTheSameOnEveryThread) {
  const auto count = static_cast<Index>(Variants().size());
  std::vector<Image> images(static_cast<std::size_t>(8 * count));
  ParallelFor(8 * count, 4, [&](Index i) {
    images[i] = ReadImageBytes(Variants()[i % count].bytes, "x", {.max_pixels = 500});
  });
  for (Index i = count; i < 8 * count; ++i) {
    EXPECT_EQ(images[i].samples, images[i % count].samples);
  }
}

TEST(ReadImageBytes, ChecksItsOptions) {
  const auto message = [](const ImageOptions& options) {
    return MessageOf<InvalidArgument>([&] { ReadImageBytes("P1 1 1 1", "x", options); });
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({.max_pixels = -1}), "image.max_pixels must be >= 0, got -1");
  EXPECT_EQ(message({.max_megapixels = 0}), "image.max_megapixels must be > 0, got 0");
  EXPECT_EQ(message({.max_image_memory = std::numeric_limits<double>::quiet_NaN()}),
            "image.max_image_memory must be > 0, got nan");
  EXPECT_EQ(message({.max_megapixels = std::numeric_limits<double>::infinity(),
                     .max_image_memory = std::numeric_limits<double>::infinity()}),
            "");
  EXPECT_THROW(ReadImageBytes("", "x"), FormatError);
}

TEST(LooksLikeImage, KnowsTheFirstBytes) {
  for (const Variant& variant : Variants()) {
    EXPECT_TRUE(LooksLikeImage(variant.bytes.substr(0, 16))) << variant.name;
  }
  for (const char* text : {"", "P", "P1", "P7 1 1", "P0 1 1", "Pn 1", "GIF", "GIF88a", "BM", "RIFF",
                           "RIFF1234WAVE", "RIFF1234WEB", "\xFF\xD8", "\x89PNG\r\n", "{}"}) {
    EXPECT_FALSE(LooksLikeImage(text)) << text;
  }
}

}  // namespace

namespace {

TEST(ForeignImages, AreCountedByTheirEndings) {
  ForeignImages images;
  for (const char* other : {"a.jpg", "b.PNG", "notes.txt", "bmp", ".bmp", "archive.zip"}) {
    EXPECT_FALSE(images.Add(other)) << other;
  }
  EXPECT_TRUE(images.empty());
  for (const char* file : {"x/a.tiff", "b.BMP", "c.bmp", "d.heic"}) {
    EXPECT_TRUE(images.Add(file)) << file;
  }
  EXPECT_EQ(images.Text(), "2 .bmp, 1 .heic and 1 .tiff");
  EXPECT_EQ(images.Note(),
            "2 .bmp, 1 .heic and 1 .tiff are left out: images that can be read are JPEG, PNG, "
            "WebP, GIF and PNM");
}

}  // namespace
}  // namespace alcedo
