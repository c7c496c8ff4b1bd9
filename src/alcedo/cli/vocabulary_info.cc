// What `alcedo info` says of a vocabulary.
#include <fmt/format.h>

#include "alcedo/cli/file_info.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/vocabulary_text.h"

namespace alcedo::cli {
namespace {

// The encoders that take it, the default one first.
std::string Encoders(const Vocabulary& vocabulary) {
  switch (vocabulary.kind()) {
    case VocabularyKind::kGmm:
      return "fv, bov, soft-bov, llc, vlad, sv, emk";
    case VocabularyKind::kKMeans:
      return "vlad, bov, soft-bov, llc, sv, emk";
    case VocabularyKind::kDictionary:
      return "sparse, emk";
    case VocabularyKind::kFourier:
      return "emk";
  }
  return "";
}

Json PcaJson(const Vocabulary& vocabulary) {
  if (!vocabulary.pca) return nullptr;
  return {{"dimensions", vocabulary.pca->dimension()},
          {"whiten", vocabulary.pca->whiten},
          {"variance_kept", VarianceKept(*vocabulary.pca)}};
}

}  // namespace

FileInfo DescribeVocabulary(const std::string& file, const NamedVocabulary& named) {
  const Vocabulary& vocabulary = named.vocabulary;
  const TrainingRecord& training = vocabulary.training;
  FileInfo info;
  info.title = fmt::format("vocabulary {}", file);
  info.facts = {{"kind", fmt::format("{}: {}", Name(vocabulary.kind()), WordsText(vocabulary))},
                {"descriptors", DescriptorText(vocabulary)},
                {"for encoders", Encoders(vocabulary)},
                {"trained on",
                 fmt::format("{} samples of {} images, {} bad images", Thousands(training.samples),
                             Thousands(training.images), Thousands(training.bad_images))}};
  if (const std::string text = TrainingText(vocabulary); !text.empty()) {
    info.facts.emplace_back("training", text);
  }
  if (vocabulary.vlad_rotations.size() > 0) info.facts.emplace_back("rotations", "for vlad");
  info.facts.emplace_back("seed", fmt::format("{}", vocabulary.config.seed));
  info.facts.emplace_back("inputs", training.inputs_hash);
  info.facts.emplace_back("checksum", named.checksum);
  info.facts.emplace_back("made by", "alcedo " + training.version);
  info.appendix = ToToml(vocabulary.config);
  const Index size = std::visit([](const auto& words) { return words.size(); }, vocabulary.words);
  info.json = {{"kind", "vocabulary"},
               {"words", Name(vocabulary.kind())},
               {"size", size},
               {"dimension", vocabulary.dimension()},
               {"descriptor", Name(vocabulary.config.describe.descriptor)},
               {"descriptor_dimension", vocabulary.descriptor_dimension},
               {"pca", PcaJson(vocabulary)},
               {"vlad_rotations", vocabulary.vlad_rotations.size() > 0},
               {"training",
                {{"images", training.images},
                 {"bad_images", training.bad_images},
                 {"samples", training.samples},
                 {"inputs_hash", training.inputs_hash},
                 {"median_distance", JsonNumber(training.median_distance)},
                 {"objective", JsonNumber(training.objective)},
                 {"iterations", training.iterations},
                 {"converged", training.converged},
                 {"version", training.version}}},
               {"checksum", named.checksum},
               {"config", ToJson(vocabulary.config)}};
  return info;
}

}  // namespace alcedo::cli
