#include "alcedo/learn/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/learn/learn_check.h"
#include "alcedo/learn/learn_sampling.h"
#include "alcedo/learn/learn_words.h"
#include "alcedo/learn/learn_work_folder.h"
#include "alcedo/learn/sample_file.h"

namespace alcedo {
namespace {

using internal::WorkFolder;

// The option that says how many words there are to be learned, and its value.
std::pair<const char*, int> WordsOption(const LearnConfig& config) {
  switch (config.kind) {
    case VocabularyKind::kGmm:
      return {"gmm.gaussians", config.gmm.gaussians};
    case VocabularyKind::kKMeans:
      return {"kmeans.clusters", config.kmeans.clusters};
    case VocabularyKind::kDictionary:
      return {"dictionary.atoms", config.dictionary.atoms};
    case VocabularyKind::kFourier:  // they are drawn, not learned
      break;
  }
  return {"", 0};
}

// Why nothing can be learned from the samples; empty where something can.
std::string TooFewSamples(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                          const LearnRun& run, const LearnResult& result,
                          const internal::SamplingJournal& journal) {
  const Index read = std::min<Index>(static_cast<Index>(inputs.size()), config.samples);
  if (journal.failures == read) {
    const LearnFailure& first = result.failures.front();
    return fmt::format("none of the {} images can be used; the first is {}: {}", read, first.name,
                       first.reason);
  }
  if (journal.rows < 2) {
    return fmt::format(
        "learning needs at least 2 descriptors that are not all zero, got {} from {} images",
        journal.rows, read);
  }
  const auto [option, words] = WordsOption(config);
  if (words <= journal.rows || run.few_samples) return "";
  return fmt::format("{} must be at most the number of samples, {} from {} images, got {}", option,
                     journal.rows, read, words);
}

// The samples after PCA: in memory or in a file, the same values. They are projected in blocks of
// one size, since the rounding of a matrix product may depend on its shape.
class ProjectedSamples {
 public:
  ProjectedSamples(const SampleSource& samples, const std::optional<Pca>& pca, const LearnRun& run,
                   const WorkFolder& folder)
      : source_(memory_) {
    const Index dimension = pca ? pca->dimension() : samples.dimension();
    const double bytes = static_cast<double>(samples.rows()) * static_cast<double>(dimension) *
                         static_cast<double>(sizeof(float));
    const bool in_memory = bytes <= run.max_memory * (1 << 20) / 2;
    if (!in_memory && !pca) {
      source_ = samples;
      return;
    }
    std::optional<internal::AppendFile> file;
    if (in_memory) {
      memory_.resize(samples.rows(), dimension);
    } else {
      folder.Write([&] { file.emplace(folder.projected(), 0); });
    }
    Rows scratch;
    for (Index begin = 0; begin < samples.rows(); begin += kBlock) {
      const Index count = std::min(kBlock, samples.rows() - begin);
      const Eigen::Map<const Rows> block(samples.Chunk(begin, count, scratch), count,
                                         samples.dimension());
      if (!pca) {
        memory_.middleRows(begin, count) = block;
        continue;
      }
      const Rows projected = Project(*pca, block, run.threads);
      if (in_memory) {
        memory_.middleRows(begin, count) = projected;
      } else {
        folder.Write([&] { file->Append(projected.data(), projected.size()); });
      }
    }
    source_ = in_memory ? SampleSource(memory_)
                        : internal::OpenSampleFile(folder.projected(), samples.rows(), dimension);
  }
  ProjectedSamples(const ProjectedSamples&) = delete;
  ProjectedSamples& operator=(const ProjectedSamples&) = delete;

  const SampleSource& source() const { return source_; }

 private:
  static constexpr Index kBlock = 16384;

  Rows memory_;
  SampleSource source_;
};

}  // namespace

LearnResult Learn(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                  const LearnRun& run) {
  internal::CheckLearnArguments(inputs, config, run);
  WorkFolder folder(run, inputs, config, ALCEDO_VERSION);
  internal::SampleImages(inputs, config, run, folder);

  LearnResult result;
  result.failures = internal::ReadFailures(inputs, folder);
  const internal::SamplingJournal& journal = folder.journal();
  const std::string nothing = TooFewSamples(inputs, config, run, result, journal);
  if (!nothing.empty()) {
    // To go on from here would end here again.
    folder.Write([&] { RemoveWorkFolder(run.work_folder); });
    throw InvalidArgument(nothing);
  }

  Vocabulary& vocabulary = result.vocabulary;
  vocabulary.config = config;
  vocabulary.descriptor_dimension = journal.dimension;
  vocabulary.training.images = journal.used_images;
  vocabulary.training.bad_images = journal.failures;
  vocabulary.training.samples = journal.rows;
  vocabulary.training.inputs_hash = journal.inputs_hash;
  vocabulary.training.version = ALCEDO_VERSION;

  const SampleSource samples =
      internal::OpenSampleFile(folder.samples(), journal.rows, journal.dimension);
  LearnProgress progress;
  progress.stage = "pca";
  progress.total = 1;
  if (config.pca.dimensions > 0) {
    if (run.progress) run.progress(progress);
    vocabulary.pca = FitPca(samples, config.pca, run.threads);
    progress.done = 1;
    if (run.progress) run.progress(progress);
  }
  const ProjectedSamples projected(samples, vocabulary.pca, run, folder);
  internal::LearnWords(projected.source(), run, folder, vocabulary);
  return result;
}

}  // namespace alcedo
