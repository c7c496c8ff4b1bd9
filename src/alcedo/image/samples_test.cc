// Photographs as they are found, if the shared data are there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/image/read_image.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Samples(const std::string& folder) {
  const fs::path root = fs::path(ALCEDO_SOURCE_DIR) / ".." / "shared" / "data" / "samples" / folder;
  std::vector<fs::path> files;
  if (!fs::is_directory(root)) return files;
  const auto follow = fs::directory_options::follow_directory_symlink;
  for (const auto& entry : fs::recursive_directory_iterator(root, follow)) {
    if (entry.path().extension() == ".jpg") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string BytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Samples, PhotographsAreRead) {
  const std::vector<fs::path> files = Samples("");
  if (files.empty()) GTEST_SKIP() << "no sample photographs";
  for (std::size_t i = 0; i < files.size(); i += 5) {
    const Image image = ReadImage(files[i]);
    CheckImage(image);
    EXPECT_LE(image.width * image.height, 100000);
    EXPECT_GE(image.original_width, image.width);
    // A photograph is neither flat nor out of range.
    const auto [low, high] = std::minmax_element(image.samples.begin(), image.samples.end());
    EXPECT_GE(*low, 0);
    EXPECT_LE(*high, 255);
    EXPECT_GT(*high - *low, 50) << files[i];
  }
}

TEST(Samples, PngsNamedJpgAreRead) {
  const std::vector<fs::path> files = Samples("odd");
  if (files.empty()) GTEST_SKIP() << "no sample photographs";
  for (const fs::path& file : files) {
    EXPECT_EQ(BytesOf(file).substr(1, 3), "PNG");
    EXPECT_GT(ReadImage(file).width, 100);
  }
}

TEST(Samples, PhotographsCutShortAreRefused) {
  std::vector<fs::path> files = Samples("");
  if (files.empty()) GTEST_SKIP() << "no sample photographs";
  for (std::size_t i = 0; i < files.size(); i += 100) {
    const std::string bytes = BytesOf(files[i]);
    for (std::size_t cut = 1; cut < bytes.size(); cut = cut * 3 / 2 + 1) {
      EXPECT_THROW(ReadImageBytes(bytes.substr(0, bytes.size() - cut), "x"), FormatError)
          << files[i] << " without the last " << cut;
    }
  }
}

}  // namespace
}  // namespace alcedo
