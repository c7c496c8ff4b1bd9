#include "alcedo/learn/learn_words.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "alcedo/base/random.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/learn/learn_checkpoint.h"
#include "alcedo/learn/learn_sampling.h"

namespace alcedo::internal {
namespace {

// Items of the seed that are no images: every stage draws from a stream of its own, and none
// disturbs another.
constexpr std::uint64_t kWordsStream = ~std::uint64_t{0};
constexpr std::uint64_t kMedianStream = ~std::uint64_t{1};

constexpr Index kMedianRows = 10000;
constexpr Index kMedianPairs = 100000;  // the median is then good to about 0.1 %

// The folder's checkpoint: what training resumes from, now and next time.
//
// What is stored is not the iteration just seen but the one before: only this is known not to be
// the last. Training that went on from a model that had converged would go beyond it; from the one
// before, it comes to the same iteration and stops there.
template <class Model>
class Checkpoints {
 public:
  Checkpoints(const LearnRun& run, const WorkFolder& folder)
      : folder_(folder), identity_(folder.Identity()), seconds_(run.checkpoint_seconds) {
    std::error_code error;
    if (std::filesystem::exists(folder.state(), error)) {
      constexpr auto kAnySize = std::numeric_limits<std::int64_t>::max();
      start_ = ParseCheckpoint<Model>(ReadFileBytes(folder.state(), kAnySize), identity_);
    }
  }

  const std::optional<Checkpoint<Model>>& start() const { return start_; }

  void Add(Checkpoint<Model> checkpoint) {
    if (before_ && Clock::now() - written_ >= seconds_) {
      folder_.Write([&] { WriteWholeFile(folder_.state(), CheckpointBytes(*before_, identity_)); });
      written_ = Clock::now();
    }
    before_ = std::move(checkpoint);
  }

 private:
  using Clock = std::chrono::steady_clock;

  const WorkFolder& folder_;
  std::string identity_;
  std::chrono::duration<double> seconds_;
  std::optional<Checkpoint<Model>> start_;
  std::optional<Checkpoint<Model>> before_;
  Clock::time_point written_ = Clock::now();
};

// All trainings iterate, take and give the same: `fit` is one of the Fit functions of vocabulary/.
template <class Model, class Options>
Model Train(const char* stage, const char* objective_name, const Options& options,
            Model (*fit)(const SampleSource&, const Options&, Rng&, const FitContext<Model>&),
            const SampleSource& samples, const LearnRun& run, const WorkFolder& folder,
            Vocabulary& vocabulary) {
  Progress progress{stage, 0, options.max_iterations, 0, "iterations"};
  progress.objective_name = objective_name;
  Checkpoints<Model> checkpoints(run, folder);
  Rng rng = Rng::ForItem(vocabulary.config.seed, kWordsStream);
  FitContext<Model> context{.threads = run.threads};
  if (checkpoints.start()) {
    context.start = &checkpoints.start()->model;
    progress.resumed = context.start_iteration = checkpoints.start()->iteration;
  }
  progress.done = progress.resumed;
  Report(run, progress);
  context.observer = [&](const TrainingStep& step, const Model& model) {
    checkpoints.Add({step.iteration, model});
    progress.done = step.iteration;
    progress.objective = step.objective;
    Report(run, progress);
  };
  TrainingReport report;
  context.report = &report;
  Model model = fit(samples, options, rng, context);
  vocabulary.training.objective = report.objective;
  vocabulary.training.iterations = report.iterations;
  vocabulary.training.converged = report.converged;
  return model;
}

GaussianMixture LearnModel(const GmmOptions& options, const SampleSource& samples,
                           const LearnRun& run, const WorkFolder& folder, Vocabulary& vocabulary) {
  return Train("em", "log-likelihood", options, FitGaussianMixture, samples, run, folder,
               vocabulary);
}
Codebook LearnModel(const KMeansOptions& options, const SampleSource& samples, const LearnRun& run,
                    const WorkFolder& folder, Vocabulary& vocabulary) {
  return Train("k-means", "squared error", options, FitKMeans, samples, run, folder, vocabulary);
}
Dictionary LearnModel(const DictionaryOptions& options, const SampleSource& samples,
                      const LearnRun& run, const WorkFolder& folder, Vocabulary& vocabulary) {
  return Train("dictionary", "squared error and l1 norm", options, FitDictionary, samples, run,
               folder, vocabulary);
}
RandomFourier LearnModel(const FourierOptions& options, const SampleSource& samples,
                         const LearnRun&, const WorkFolder&, Vocabulary& vocabulary) {
  const double sigma = options.sigma > 0 ? options.sigma : vocabulary.training.median_distance;
  Rng rng = Rng::ForItem(vocabulary.config.seed, kWordsStream);
  vocabulary.training.converged = true;  // there is nothing to iterate
  return DrawRandomFourier(options.outputs, samples.dimension(), sigma, rng);
}

}  // namespace

void LearnWords(const SampleSource& samples, const LearnRun& run, const WorkFolder& folder,
                Vocabulary& vocabulary) {
  Rng rng = Rng::ForItem(vocabulary.config.seed, kMedianStream);
  vocabulary.training.median_distance =
      MedianDistance(Subsample(samples, kMedianRows), kMedianPairs, rng);
  const VocabularyOptions kind = vocabulary.config.kind;
  kind.Visit([&](const auto& options) {
    vocabulary.words = LearnModel(options, samples, run, folder, vocabulary);
  });
  if (!vocabulary.config.vlad_rotations) return;
  Progress progress{"rotations", 0, 1, 0, "iterations"};
  Report(run, progress);
  vocabulary.vlad_rotations = FitVladRotations(std::get<Codebook>(vocabulary.words), samples,
                                               VladOptions{}.residual_l2, run.threads);
  progress.done = 1;
  Report(run, progress);
}

}  // namespace alcedo::internal
