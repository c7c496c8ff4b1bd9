#include "alcedo/learn/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/base/version.h"
#include "alcedo/learn/learn_sampling.h"
#include "alcedo/learn/learn_words.h"
#include "alcedo/learn/learn_work_folder.h"
#include "alcedo/learn/sample_file.h"

namespace alcedo {
namespace {

using internal::WorkFolder;

// The option that says how large a vocabulary is to be learned, and its value.
struct SizeOption {
  std::string option;
  int value = 0;
};
SizeOption SizeOf(const GmmOptions& o) { return {"gmm.gaussians", o.gaussians}; }
SizeOption SizeOf(const KMeansOptions& o) { return {"kmeans.clusters", o.clusters}; }
SizeOption SizeOf(const DictionaryOptions& o) { return {"dictionary.atoms", o.atoms}; }
SizeOption SizeOf(const FourierOptions&) { return {}; }  // drawn, not learned

// Throws InvalidArgument if nothing can be learned from the samples.
void CheckSamples(const std::vector<Input>& inputs, const LearnConfig& config,
                  const LearnResult& result, const internal::SamplingJournal& journal) {
  const Index read = std::min<Index>(static_cast<Index>(inputs.size()), config.samples);
  if (journal.failures == read) {
    const Failure& first = result.failures.front();
    throw InvalidArgument(fmt::format("none of the {} images can be used; the first is {}: {}",
                                      read, first.name, first.reason));
  }
  if (journal.rows < 2) {
    throw InvalidArgument(fmt::format(
        "learning needs at least 2 descriptors that are not all zero, got {} from {} images",
        journal.rows, read));
  }
  const auto [option, size] = config.kind.Visit([](const auto& o) { return SizeOf(o); });
  if (size <= journal.rows) return;
  throw InvalidArgument(
      option,
      fmt::format("must be at most the number of samples, {} from {} images", journal.rows, read),
      std::to_string(size));
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
      const Eigen::Map<const EigenRows> block(samples.Chunk(begin, count, scratch), count,
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

void Check(const LearnConfig& config) {
  Require(config.samples >= 2, "samples", ">= 2", config.samples);
  Check(config.describe);
  Require(config.pca.dimensions >= 0, "pca.dimensions", ">= 0", config.pca.dimensions);
  CheckMember(config.pca);
  config.kind.Visit([](const auto& options) { CheckMember(options); });
  if (config.vlad_rotations && !config.kind.Is<KMeansOptions>()) {
    throw InvalidArgument("vlad_rotations", "goes with kind kmeans",
                          std::string(config.kind.name()));
  }
}

int AutomaticGaussians(std::int64_t samples) {
  constexpr int kMost = 256;
  int gaussians = 1;
  while (gaussians < kMost && 2 * gaussians <= samples / kSamplesPerGaussian) gaussians *= 2;
  return gaussians;
}

namespace {

// One vocabulary of several: its work folder, open, and how it is run.
struct Job {
  LearnTask task;
  LearnRun run;
  std::unique_ptr<WorkFolder> folder;
};

LearnResult LearnFromSamples(const std::vector<Input>& inputs, const Job& job) {
  LearnConfig config = job.task.config;
  const LearnRun& run = job.run;
  const WorkFolder& folder = *job.folder;
  const internal::SamplingJournal& journal = folder.journal();
  LearnResult result;
  result.failures = internal::ReadFailures(inputs, folder);
  if (job.task.fewer_gaussians) {
    int& gaussians = config.kind.Get<GmmOptions>().gaussians;
    gaussians = std::min(gaussians, AutomaticGaussians(journal.rows));
  }
  try {
    CheckSamples(inputs, config, result, journal);
  } catch (const InvalidArgument&) {
    // To resume from here would end here again.
    folder.Write([&] { RemoveWorkFolder(run.work); });
    throw;
  }

  Vocabulary& vocabulary = result.vocabulary;
  vocabulary.config = config;
  vocabulary.descriptor_dimension = journal.dimension;
  vocabulary.training.images = journal.used_images;
  vocabulary.training.bad_images = journal.failures;
  vocabulary.training.samples = journal.rows;
  vocabulary.training.inputs_hash = journal.inputs_hash;
  vocabulary.training.version = Version();

  const SampleSource samples =
      internal::OpenSampleFile(folder.samples(), journal.rows, journal.dimension);
  if (config.pca.dimensions > 0) {
    Progress progress{"pca", 0, 1, 0, "iterations"};
    Report(run, progress);
    vocabulary.pca = FitPca(samples, config.pca, run.threads);
    progress.done = 1;
    Report(run, progress);
  }
  const ProjectedSamples projected(samples, vocabulary.pca, run, folder);
  internal::LearnWords(projected.source(), run, folder, vocabulary);
  return result;
}

}  // namespace

std::vector<LearnResult> LearnMany(const std::vector<Input>& inputs,
                                   const std::vector<LearnTask>& tasks, const LearnRun& run) {
  Require(run.threads >= 1, "threads", ">= 1", run.threads);
  Require(run.max_memory >= 0, "max_memory", ">= 0", run.max_memory);
  if (inputs.empty()) {
    throw InvalidArgument("there must be at least one image to learn from, got none");
  }
  for (const LearnTask& task : tasks) Check(task.config);
  std::vector<Job> jobs;
  std::vector<internal::SamplingTask> sampling;
  for (const LearnTask& task : tasks) {
    Job& job = jobs.emplace_back(Job{task, run, nullptr});
    job.run.work = task.work;
    if (run.progress && !task.name.empty()) {
      job.run.progress = [&run, name = task.name](Progress progress) {
        progress.stage = fmt::format("{}, {}", name, progress.stage);
        run.progress(progress);
      };
    }
    job.folder = std::make_unique<WorkFolder>(job.run, inputs, task.config, Version());
    sampling.push_back({task.config, *job.folder});
  }
  // What several tasks share is not the progress of one of them.
  internal::SampleImages(inputs, sampling, jobs.size() == 1 ? jobs[0].run : run);
  std::vector<LearnResult> results;
  for (const Job& job : jobs) results.push_back(LearnFromSamples(inputs, job));
  return results;
}

LearnResult Learn(const std::vector<Input>& inputs, const LearnConfig& config,
                  const LearnRun& run) {
  return std::move(LearnMany(inputs, {{config, run.work, "", false}}, run).front());
}

}  // namespace alcedo
