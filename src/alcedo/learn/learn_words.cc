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
#include "alcedo/learn/learn_draw.h"

namespace alcedo::internal {
namespace {

// Items of the seed that are no images: every stage draws from a stream of its own, and none
// disturbs another.
constexpr std::uint64_t kWordsStream = ~std::uint64_t{0};
constexpr std::uint64_t kMedianStream = ~std::uint64_t{1};

constexpr Index kMedianRows = 10000;
constexpr Index kMedianPairs = 100000;  // the median is then good to about 0.1 %

// The folder's checkpoint: from where training goes on, and what it will go on from next time.
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
            Model (*fit)(const SampleSource&, const Options&, Rng&, int, TrainingReport*,
                         const TrainingObserver<Model>&, const Model*, int),
            const SampleSource& samples, const LearnRun& run, const WorkFolder& folder,
            Vocabulary& vocabulary) {
  LearnProgress progress;
  progress.stage = stage;
  progress.total = options.max_iterations;
  progress.objective_name = objective_name;
  Checkpoints<Model> checkpoints(run, folder);
  Rng rng = Rng::ForItem(vocabulary.config.seed, kWordsStream);
  const Model* start = nullptr;
  if (checkpoints.start()) {
    start = &checkpoints.start()->model;
    progress.resumed = checkpoints.start()->iteration;
  }
  progress.done = progress.resumed;
  if (run.progress) run.progress(progress);
  const TrainingObserver<Model> observer = [&](const TrainingStep& step, const Model& model) {
    checkpoints.Add({step.iteration, model});
    progress.done = step.iteration;
    progress.objective = step.objective;
    if (run.progress) run.progress(progress);
  };
  TrainingReport report;
  Model model = fit(samples, options, rng, run.threads, &report, observer, start,
                    static_cast<int>(progress.resumed));
  vocabulary.training.objective = report.objective;
  vocabulary.training.iterations = report.iterations;
  vocabulary.training.converged = report.converged;
  return model;
}

RandomFourier DrawFourier(const SampleSource& samples, Vocabulary& vocabulary) {
  const FourierOptions& options = vocabulary.config.fourier;
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
  const LearnConfig& config = vocabulary.config;
  switch (config.kind) {
    case VocabularyKind::kGmm:
      vocabulary.words = Train("em", "log-likelihood", config.gmm, FitGaussianMixture, samples, run,
                               folder, vocabulary);
      break;
    case VocabularyKind::kKMeans:
      vocabulary.words = Train("k-means", "squared error", config.kmeans, FitKMeans, samples, run,
                               folder, vocabulary);
      break;
    case VocabularyKind::kDictionary:
      vocabulary.words = Train("dictionary", "squared error and l1 norm", config.dictionary,
                               FitDictionary, samples, run, folder, vocabulary);
      break;
    case VocabularyKind::kFourier:
      vocabulary.words = DrawFourier(samples, vocabulary);
      break;
  }
  if (!vocabulary.config.vlad_rotations) return;
  LearnProgress progress;
  progress.stage = "rotations";
  progress.total = 1;
  if (run.progress) run.progress(progress);
  vocabulary.vlad_rotations = FitVladRotations(std::get<Codebook>(vocabulary.words), samples,
                                               VladOptions{}.residual_l2, run.threads);
  progress.done = 1;
  if (run.progress) run.progress(progress);
}

}  // namespace alcedo::internal
