#include "alcedo/reproduce/ready_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "alcedo/base/error.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/training/learn_in.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr int kGaussiansForEmk = 16;

// EMK only needs the PCA and the median distance, which every vocabulary has.
int CodebookSize(const Coding& coding) {
  return coding.words > 0 ? coding.words : kGaussiansForEmk;
}

LearnConfig ConfigOf(const Coding& coding, const ReproduceOptions& options, std::uint64_t seed) {
  LearnConfig config;
  config.describe = DescribeWith(coding.descriptor, options);
  config.samples = options.samples;
  config.seed = seed;
  config.kind = coding.vocabulary;
  config.kind.Get<GmmOptions>().gaussians = CodebookSize(coding);
  config.kind.Get<KMeansOptions>().clusters = CodebookSize(coding);
  return config;
}

// What distinguishes two vocabularies, as long as options and seed are the same.
std::string VocabularyName(const Coding& coding) {
  return fmt::format("{}-{}{}", coding.descriptor.name(), coding.vocabulary.name(),
                     CodebookSize(coding));
}

// Those of all codings by name; what is not there yet is learned in one reading of the images.
std::map<std::string, NamedVocabulary> LearnOrRead(const Plan& plan, const Dataset& dataset,
                                                   const ReproduceOptions& options,
                                                   std::uint64_t seed, const Run& run) {
  const fs::path folder = run.work / "vocabularies";
  fs::create_directories(folder);
  const auto file_of = [&](const std::string& name) { return folder / (name + ".safetensors"); };
  std::map<std::string, LearnConfig> configs;
  for (const Coding& coding : plan.codings) {
    configs.emplace(VocabularyName(coding), ConfigOf(coding, options, seed));
  }
  std::vector<LearnTask> tasks;
  std::vector<std::string> missing;
  for (const auto& [name, config] : configs) {
    if (fs::exists(file_of(name))) continue;
    tasks.push_back({config, folder / (name + ".work"), "vocabulary " + name, false});
    missing.push_back(name);
  }
  if (!tasks.empty()) {
    const std::vector<LearnResult> learned =
        LearnIn(dataset, ImagesNotForTesting(dataset), tasks, run);
    for (std::size_t i = 0; i < learned.size(); ++i) {
      Write(run, [&] {
        WriteWholeFile(file_of(missing[i]), VocabularyBytes(learned[i].vocabulary));
        RemoveWorkFolder(tasks[i].work);
      });
    }
  }
  std::map<std::string, NamedVocabulary> vocabularies;
  for (const auto& [name, config] : configs) {
    vocabularies.emplace(name, OpenVocabulary(file_of(name).string()));
  }
  return vocabularies;
}

EncodeConfig EncodeConfigOf(const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.seed = seed;
  return config;
}

Channel ChannelOf(const Coding& coding, const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config = EncodeConfigOf(vocabulary, seed);
  config.encoder = coding.encoder;
  config.encoder.Get<EmkOptions>().sigma = coding.sigma * vocabulary.training.median_distance;
  config.pyramid = coding.pyramid;
  std::vector<PoolingOptions> poolings;
  for (const PoolChoice& choice : coding.choices) poolings.push_back(choice.pooling);
  return Channel(vocabulary, config, std::move(poolings));
}

Channel BovChannel(const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config = EncodeConfigOf(vocabulary, seed);
  config.encoder.Choose<BovOptions>();
  GmpOptions gmp;
  gmp.lambda = 0;
  return Channel(vocabulary, config, {gmp, MaxOptions{}});
}

}  // namespace

ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run) {
  const auto vocabularies = LearnOrRead(plan, dataset, options, seed, run);
  std::vector<ReadyCoding> codings;
  std::vector<Channel> channels, bov;
  std::map<std::string_view, const Pca*> projections;  // by descriptor
  for (const Coding& coding : plan.codings) {
    const NamedVocabulary& named = vocabularies.at(VocabularyName(coding));
    const Vocabulary& vocabulary = named.vocabulary;
    const Channel& channel = channels.emplace_back(ChannelOf(coding, vocabulary, seed));
    codings.push_back({coding, named.checksum, channel.dimension(),
                       static_cast<Index>(channel.pyramid().cells.size())});
    const Pca* pca = vocabulary.pca ? &*vocabulary.pca : nullptr;
    const auto [known, is_new] = projections.emplace(coding.descriptor.name(), pca);
    if (is_new) bov.push_back(BovChannel(vocabulary, seed));
    if (pca != nullptr && known->second != nullptr &&
        known->second->components != pca->components) {
      throw FormatError((run.work / "vocabularies").string(),
                        "its vocabularies were not learned from the same images",
                        {.text = "remove the folder"});
    }
  }
  return {std::move(codings), ImageEncoder(std::move(channels)), ImageEncoder(std::move(bov)),
          options.accuracy};
}

}  // namespace alcedo
