#include "alcedo/learn/learn_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/describe.h"

namespace alcedo::internal {
namespace {

void CheckWordOptions(const LearnConfig& config) {
  if (config.vlad_rotations && config.kind != VocabularyKind::kKMeans) {
    throw InvalidArgument(fmt::format(
        "vlad_rotations must be false unless kind is kmeans, got true with {}", Name(config.kind)));
  }
  // The stages check their options themselves: they are asked to learn next to nothing. A few words
  // are as good as many for that.
  constexpr int kFew = 2;
  Rng rng(0);
  Rows rows(2, 1);
  rows << 1, 2;
  const SampleSource samples(rows);
  const auto once = [](auto options) {
    options.max_iterations = std::min(options.max_iterations, 1);
    return options;
  };
  switch (config.kind) {
    case VocabularyKind::kGmm: {
      GmmOptions options = once(config.gmm);
      options.kmeans_iterations = std::min(options.kmeans_iterations, 1);
      options.gaussians = std::min(options.gaussians, kFew);
      FitGaussianMixture(samples, options, rng);
      break;
    }
    case VocabularyKind::kKMeans: {
      KMeansOptions options = once(config.kmeans);
      options.clusters = std::min(options.clusters, kFew);
      FitKMeans(samples, options, rng);
      break;
    }
    case VocabularyKind::kDictionary: {
      DictionaryOptions options = once(config.dictionary);
      options.atoms = std::min(options.atoms, kFew);
      FitDictionary(samples, options, rng);
      break;
    }
    case VocabularyKind::kFourier:
      Require(config.fourier.sigma >= 0, "fourier.sigma", ">= 0", config.fourier.sigma);
      DrawRandomFourier(config.fourier.outputs, 1, 1, rng);
      break;
  }
}

}  // namespace

void CheckLearnArguments(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                         const LearnRun& run) {
  Require(run.threads >= 1, "threads", ">= 1", run.threads);
  Require(run.max_memory >= 0, "max_memory", ">= 0", run.max_memory);
  Require(config.samples >= 2, "samples", ">= 2", config.samples);
  Require(config.pca.dimensions >= 0, "pca.dimensions", ">= 0", config.pca.dimensions);
  if (inputs.empty())
    throw InvalidArgument("there must be at least one image to learn from, got 0");
  if (config.describe.descriptor != DescriptorKind::kExternal) {
    DescribeImage(MakeImage(1, 1, 1), config.describe);
  }
  CheckWordOptions(config);
}

}  // namespace alcedo::internal
