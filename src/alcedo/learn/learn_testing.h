// For tests of learning: small collections and configs.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/learn/learn.h"

namespace alcedo::learn_testing {

using io_testing::TemporaryFolder;

// Every run flushes its files many times, which takes no time in memory.
inline const bool kFoldersInMemory = [] {
  return access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 0) == 0;
}();

// Waves and noise on the left, and a flat stripe on the right that gives zero descriptors.
inline Image SyntheticImage(int number) {
  Rng rng = Rng::ForItem(77, static_cast<std::uint64_t>(number));
  Image image = MakeImage(44 + 4 * (number % 3), 40, 1);
  const double fx = 0.2 + rng.Uniform(), fy = 0.2 + rng.Uniform();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width - 20; ++x) {
      const double wave = 60 * std::sin(fx * x) * std::cos(fy * y) + 20 * rng.Uniform();
      image.samples[y * image.width + x] = static_cast<float>(100 + wave);
    }
    for (int x = image.width - 20; x < image.width; ++x) image.samples[y * image.width + x] = 100;
  }
  return image;
}

struct Collection {
  TemporaryFolder folder;
  std::vector<Input> inputs;

  explicit Collection(int images = 0) {
    for (int i = 0; i < images; ++i) Add(PnmBytes(SyntheticImage(i)), ".pgm");
  }
  void Add(const std::string& bytes, const std::string& ending) {
    const std::string name = "image" + std::to_string(inputs.size()) + ending;
    io_testing::WriteFile(folder / name, bytes);
    inputs.push_back({(folder / name).string(), name});
  }
};

inline LearnConfig SmallConfig(std::string_view kind) {
  LearnConfig config;
  config.kind.Choose(kind);
  config.describe.grid.patch = 16;
  config.describe.grid.step = 4;
  config.describe.grid.scales = 1;
  config.pca.dimensions = 6;
  config.kind.Get<GmmOptions>().gaussians = 4;
  config.kind.Get<GmmOptions>().kmeans_iterations = 2;
  config.kind.Get<GmmOptions>().max_iterations = 6;
  config.kind.Get<GmmOptions>().tolerance = 0;
  config.kind.Get<KMeansOptions>().clusters = 5;
  config.kind.Get<KMeansOptions>().max_iterations = 6;
  config.kind.Get<KMeansOptions>().tolerance = 0;
  config.kind.Get<DictionaryOptions>().atoms = 8;
  config.kind.Get<DictionaryOptions>().max_iterations = 6;
  config.kind.Get<DictionaryOptions>().tolerance = 0;
  config.kind.Get<FourierOptions>().outputs = 16;
  config.samples = 300;
  config.seed = 5;
  return config;
}

inline LearnRun RunIn(const std::filesystem::path& folder) {
  LearnRun run;
  run.work = folder;
  run.checkpoint_seconds = 0;  // every iteration
  return run;
}

// The bytes of what an undisturbed run learns, in a folder of its own.
inline std::string Undisturbed(const Collection& collection, const LearnConfig& config) {
  const TemporaryFolder folder;
  return VocabularyBytes(Learn(collection.inputs, config, RunIn(folder / "work")).vocabulary);
}

inline constexpr std::string_view kAllKinds[] = {"gmm", "kmeans", "dictionary", "fourier"};

}  // namespace alcedo::learn_testing
