#include "alcedo/reproduce/vocabularies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "alcedo/base/error.h"
#include "alcedo/training/learn_in.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

LearnConfig ConfigOf(const Coding& coding, const ReproduceOptions& options, std::uint64_t seed) {
  LearnConfig config;
  config.describe = DescribeWith(coding.descriptor, options);
  config.samples = options.samples;
  config.seed = seed;
  config.kind = coding.vocabulary;
  // EMK only needs the PCA and the median distance, which every vocabulary has.
  config.gmm.gaussians = coding.words > 0 ? coding.words : 16;
  config.kmeans.clusters = std::max(1, coding.words);
  return config;
}

NamedVocabulary LearnOrRead(const LearnConfig& config, const Dataset& dataset,
                            const Run& run) {
  const int words =
      config.kind == VocabularyKind::kGmm ? config.gmm.gaussians : config.kmeans.clusters;
  const std::string name =
      fmt::format("{}-{}{}", Name(config.describe.descriptor), Name(config.kind), words);
  const fs::path file = run.work / "vocabularies" / (name + ".safetensors");
  fs::create_directories(file.parent_path());
  if (!fs::exists(file)) {
    const fs::path folder = run.work / "vocabularies" / (name + ".work");
    const Vocabulary vocabulary =
        LearnIn(folder, "vocabulary " + name, dataset, ImagesNotForTesting(dataset), config, run);
    Write(run, [&] {
      WriteWholeFile(file, VocabularyBytes(vocabulary));
      RemoveWorkFolder(folder);
    });
  }
  return OpenVocabulary(file.string());
}

// What tells two vocabularies apart, as long as options and seed are the same.
using Key = std::tuple<DescriptorKind, VocabularyKind, int>;

}  // namespace

ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run) {
  std::map<Key, NamedVocabulary> vocabularies;
  ReadyPlan ready;
  ready.accuracy = options.accuracy;
  std::map<DescriptorKind, std::size_t> number_of;
  for (const Coding& coding : plan.codings) {
    const LearnConfig config = ConfigOf(coding, options, seed);
    const Key key{coding.descriptor, coding.vocabulary, coding.words > 0 ? coding.words : 16};
    auto found = vocabularies.find(key);
    if (found == vocabularies.end()) {
      found = vocabularies.emplace(key, LearnOrRead(config, dataset, run)).first;
    }
    const Vocabulary& vocabulary = found->second.vocabulary;

    EncodeConfig encode;
    encode.describe = vocabulary.config.describe;
    encode.encoder = coding.encoder;
    encode.pyramid = coding.pyramid;
    encode.seed = seed;
    encode.emk.sigma = coding.sigma * vocabulary.training.median_distance;
    const Representer representer = MakeRepresenter(vocabulary, encode);
    const auto [entry, is_new] = number_of.emplace(coding.descriptor, ready.descriptors.size());
    if (is_new) {
      encode.encoder = EncoderKind::kBov;
      ready.descriptors.push_back(
          {encode.describe, vocabulary.pca, {}, MakeRepresenter(vocabulary, encode).encoder});
    }
    ReadyDescriptor& descriptor = ready.descriptors[entry->second];
    if (descriptor.pca && vocabulary.pca &&
        descriptor.pca->components != vocabulary.pca->components) {
      throw FormatError(fmt::format(
          "{}: its vocabularies were not learned from the same images; remove the folder",
          (run.work / "vocabularies").string()));
    }
    descriptor.codings.push_back(static_cast<int>(ready.codings.size()));
    ready.codings.push_back(
        {coding, representer.encoder, representer.pyramid, found->second.checksum});
  }
  return ready;
}

}  // namespace alcedo
