// Images that are nearly all background, pooled by sum and by GMP.
//
// Every image has its own texture and, in one small place, one of two objects. The example counts
// the images whose nearest neighbour has the same object. usage: rare_object FOLDER
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encode/channel.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/atomic_file.h"

namespace {

constexpr int kWidth = 320, kHeight = 240, kObject = 32, kImages = 40;

// A texture: waves of random direction and length, the longer the stronger, as in nature.
void PaintBackground(alcedo::Rng& rng, alcedo::Image& image) {
  std::fill(image.samples.begin(), image.samples.end(), 128.0f);
  for (int wave = 0; wave < 40; ++wave) {
    const double length = 6 * std::pow(20, rng.Uniform());
    const double angle = 2 * M_PI * rng.Uniform(), phase = 2 * M_PI * rng.Uniform();
    const double kx = 2 * M_PI * std::cos(angle) / length, ky = 2 * M_PI * std::sin(angle) / length;
    for (int c = 0; c < 3; ++c) {
      const double strength = 0.15 * length * (0.5 + rng.Uniform());
      for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
          image.Plane(c)[y * kWidth + x] +=
              static_cast<float>(strength * std::sin(kx * x + ky * y + phase));
        }
      }
    }
  }
}

// Rings, or a checkerboard, at a random place.
void PaintObject(int kind, alcedo::Rng& rng, alcedo::Image& image) {
  const int left = static_cast<int>(rng.UniformIndex(kWidth - kObject));
  const int top = static_cast<int>(rng.UniformIndex(kHeight - kObject));
  for (int y = 0; y < kObject; ++y) {
    for (int x = 0; x < kObject; ++x) {
      const double r = std::hypot(x - kObject / 2, y - kObject / 2);
      if (r > kObject / 2) continue;
      const bool white = kind == 0 ? std::fmod(r, 10) < 5 : (x / 7 + y / 7) % 2 == 0;
      for (int c = 0; c < 3; ++c) {
        image.Plane(c)[(top + y) * kWidth + left + x] = white ? 230.0f : 30.0f;
      }
    }
  }
}

// The number of vectors whose nearest neighbour has the same object.
int SameObject(const std::vector<alcedo::Vector>& vectors) {
  int good = 0;
  for (int i = 0; i < kImages; ++i) {
    int nearest = -1;
    for (int j = 0; j < kImages; ++j) {
      if (j == i) continue;
      if (nearest < 0 || vectors[i].dot(vectors[j]) > vectors[i].dot(vectors[nearest])) nearest = j;
    }
    good += nearest % 2 == i % 2;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  std::filesystem::create_directories(folder);
  std::vector<alcedo::Descriptors> images;
  for (int i = 0; i < kImages; ++i) {
    alcedo::Rng rng = alcedo::Rng::ForItem(1, i);
    alcedo::Image image = alcedo::MakeImage(kWidth, kHeight, 3);
    PaintBackground(rng, image);
    PaintObject(i % 2, rng, image);
    char name[32];
    std::snprintf(name, sizeof(name), "%s-%02d.png", i % 2 == 0 ? "rings" : "checks", i / 2);
    alcedo::WriteWholeFile(folder / name, alcedo::PngBytes(image));
    images.push_back(alcedo::Describer().FromImage(image));
  }
  std::printf("%d images, one small object in each; nearest neighbours with the same object:\n",
              kImages);
  const alcedo::Vocabulary vocabulary = alcedo::OpenVocabulary("sift").vocabulary;
  for (const char* pooling : {"sum", "gmp"}) {
    alcedo::EncodeConfig config;
    config.pooling.Choose(pooling);
    config.normalization.l2 = true;
    if (config.pooling.Is<alcedo::GmpOptions>()) {
      config.lambdas = {0.1};
      // Relative to the mean squared norm of the encodings.
      config.pooling.Get<alcedo::GmpOptions>().relative = true;
    }
    const alcedo::Channel channel(vocabulary, config);
    std::vector<alcedo::Vector> vectors;
    for (const alcedo::Descriptors& image : images) {
      vectors.push_back(channel.Represent(image).values.row(0));
    }
    std::printf("  %-4s %2d of %d\n", pooling, SameObject(vectors), kImages);
  }
}
