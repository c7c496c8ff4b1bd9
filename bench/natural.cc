#include "natural.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/dense_sift.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::bench {
namespace {

namespace fs = std::filesystem;

constexpr Index kTrainingRows = 100000, kImageRows = 10000;

// JPEG files in the order of their names; none where the samples are not there.
std::vector<fs::path> FindPhotographs() {
  const fs::path samples = fs::path(ALCEDO_SOURCE_DIR) / ".." / "shared" / "data" / "samples";
  std::vector<fs::path> found;
  for (const char* folder : {"VOCdevkit/VOC2007/JPEGImages", "CUB_200_2010/images"}) {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(samples / folder, none)) {
      if (entry.path().extension() == ".jpg") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    if (!found.empty()) break;
  }
  return found;
}

const std::vector<fs::path>& Photographs() {
  static const std::vector<fs::path> photographs = FindPhotographs();
  return photographs;
}

constexpr int kWidth = 500, kHeight = 375;

// The first photograph of the usual size, or the first of any.
fs::path UsualPhotograph() {
  for (const fs::path& path : Photographs()) {
    const Image image = ReadImage(path, {.max_pixels = 0});
    if (image.width == kWidth && image.height == kHeight && image.channels == 3) return path;
  }
  return Photographs().front();
}

// Dead leaves (Lee, Mumford and Huang 2001): discs that cover each other, their radii falling off
// with the third power. It has the 1/f spectrum, edges and flat areas of photographs.
Image DeadLeaves(int width, int height, std::uint64_t seed) {
  Rng rng(seed);
  Image image = MakeImage(width, height, 3);
  for (int leaf = 0; leaf < 6000; ++leaf) {
    const double radius = std::min(3 / std::sqrt(1 - rng.Uniform()), 0.4 * height);
    const double x = rng.Uniform() * width, y = rng.Uniform() * height, grey = rng.Uniform() * 200;
    const double color[3] = {grey + 55 * rng.Uniform(), grey + 55 * rng.Uniform(),
                             grey + 55 * rng.Uniform()};
    const int top = std::max(0, static_cast<int>(y - radius));
    const int bottom = std::min(height - 1, static_cast<int>(y + radius));
    for (int row = top; row <= bottom; ++row) {
      const double half = std::sqrt(std::max(0.0, radius * radius - (row - y) * (row - y)));
      const int left = std::max(0, static_cast<int>(x - half));
      const int right = std::min(width - 1, static_cast<int>(x + half));
      for (int channel = 0; channel < 3; ++channel) {
        for (int column = left; column <= right; ++column) {
          image.Plane(channel)[row * width + column] =
              static_cast<float>(color[channel] + 2 * rng.Normal());
        }
      }
    }
  }
  return image;
}

NaturalDescriptors MakeDescriptors() {
  const std::vector<fs::path>& photographs = Photographs();
  std::vector<Rows> parts;
  Index rows = 0;
  for (std::size_t i = 0; rows < kTrainingRows; ++i) {
    // In circles, should there be few of them.
    const Image image = photographs.empty() ? DeadLeaves(387, 258, i)
                                            : ReadImage(photographs[i % photographs.size()]);
    parts.push_back(ExtractDenseSift(image).values);
    rows += parts.back().rows();
  }
  Rows sift(rows, 128);
  rows = 0;
  for (const Rows& part : parts) {
    sift.middleRows(rows, part.rows()) = part;
    rows += part.rows();
  }
  sift.conservativeResize(kTrainingRows, 128);
  NaturalDescriptors data;
  data.pca = FitPca(SampleSource(sift), {.dimensions = 64});
  data.training = Project(data.pca, sift);
  // From one image in its full size, evenly spread over its scales.
  const Rows one = Project(data.pca, ExtractDenseSift(NaturalImage()).values);
  data.image.resize(kImageRows, one.cols());
  for (Index n = 0; n < kImageRows; ++n) data.image.row(n) = one.row(n * one.rows() / kImageRows);
  Rng rng(1);
  data.mixture =
      FitGaussianMixture(SampleSource(data.training),
                         {.gaussians = 256, .kmeans_iterations = 3, .max_iterations = 3}, rng);
  return data;
}

}  // namespace

Image NaturalImage() {
  if (Photographs().empty()) return DeadLeaves(kWidth, kHeight, 0);
  return ReadImage(UsualPhotograph(), {.max_pixels = 0});
}

std::string NaturalFileBytes() {
  if (Photographs().empty()) return PngBytes(NaturalImage());
  return ReadFileBytes(UsualPhotograph(), 1 << 26);
}

std::string NaturalSource() {
  if (Photographs().empty()) return "an image made on the spot";
  return UsualPhotograph().filename().string();
}

const NaturalDescriptors& Natural() {
  static const NaturalDescriptors data = MakeDescriptors();
  return data;
}

Codebook NaturalWords() {
  Codebook words;
  words.centers = Natural().mixture.means;
  words.weights = Vector::Constant(words.size(), 1.0 / static_cast<double>(words.size()));
  return words;
}

}  // namespace alcedo::bench
