#include "alcedo/training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/base/version.h"
#include "alcedo/training/cross_validation.h"
#include "alcedo/training/train_folder.h"
#include "alcedo/training/train_vectors.h"

namespace alcedo {
namespace {

std::vector<Index> TrainingImages(const Dataset& dataset, bool all) {
  std::vector<Index> images = ImagesNotForTesting(dataset);
  if (all) {
    images.resize(dataset.images.size());
    std::iota(images.begin(), images.end(), Index{0});
  }
  if (images.empty()) {
    throw InvalidArgument(fmt::format("{} has no image to train on", dataset.root.string()));
  }
  return images;
}

// The images that every channel has a vector of.
std::vector<Index> GoodImages(const Dataset& dataset, const std::vector<Index>& images,
                              const TrainVectors& vectors) {
  std::vector<Index> good;
  std::vector<Index> left(dataset.classes.size(), 0);
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    if (!vectors.Has(image.name)) continue;
    good.push_back(number);
    if (!dataset.multi_label) ++left[static_cast<std::size_t>(image.label)];
  }
  if (good.empty()) throw InvalidArgument("no image could be read");
  for (const Index number : images) {
    const int label = dataset.images[static_cast<std::size_t>(number)].label;
    if (dataset.multi_label || left[static_cast<std::size_t>(label)] > 0) continue;
    throw InvalidArgument(fmt::format("class '{}' has no image that could be read",
                                      dataset.classes[static_cast<std::size_t>(label)]));
  }
  return good;
}

}  // namespace

TrainResult Train(const Dataset& dataset, const TrainOptions& options, const Run& run) {
  Check(options);
  const std::vector<Index> images = TrainingImages(dataset, options.all);
  // Said before the work begins, as far as it can be known then.
  const auto require_folds = [&](const std::vector<Index>& some) {
    std::vector<Fold> folds = TrainFolds(dataset, some, options);
    const bool needed = options.probabilities || options.fusion_weights != FusionWeights::kEqual;
    if (folds.empty() && needed) {
      throw InvalidArgument(fmt::format(
          "{} must have two images of every class to hold some back: {} needs scores of such",
          dataset.root.string(),
          options.probabilities ? "probabilities" : "fusion_weights validation"));
    }
    return folds;
  };
  require_folds(images);
  ClaimTrainFolder(dataset, images, options, Version(), run);

  const TrainVectors vectors(dataset, images, options, run);
  TrainResult result;
  result.failures = vectors.Failures();
  const std::vector<Index> good = GoodImages(dataset, images, vectors);
  const Truth truth = TruthOf(dataset, good);
  const std::vector<Fold> folds = require_folds(good);
  std::vector<std::string> names;
  for (const Index number : good) {
    names.push_back(dataset.images[static_cast<std::size_t>(number)].name);
  }

  Model& model = result.model;
  model.classes = dataset.classes;
  model.multi_label = dataset.multi_label;
  ModelTraining& training = model.training;
  training.dataset = dataset.title;
  training.images = std::ssize(good);
  training.bad_images = std::ssize(result.failures);
  result.failures.insert(result.failures.begin(), dataset.failures.begin(), dataset.failures.end());
  training.test_images = options.all;
  training.metric = MetricOf(dataset.multi_label);
  training.folds = static_cast<int>(folds.size());
  training.seed = options.seed;
  training.version = Version();
  training.pictures = vectors.Hashes(names);
  std::ranges::sort(training.pictures);
  training.c = options.c.front();

  SvmOptions svm;
  svm.loss = options.loss;
  svm.balanced = options.balanced;
  svm.threads = run.threads;
  const auto channels = static_cast<Index>(vectors.channels());
  Progress progress{"choosing C", 0, channels, 0, "channels"};
  std::vector<Rows> grams;
  std::vector<std::vector<Matrix>> scores;
  std::vector<double> cs = options.c;
  std::ranges::sort(cs);
  for (std::size_t i = 0; i < vectors.channels(); ++i) {
    Report(run, progress);
    grams.push_back(GramMatrix(vectors.Read(i, names), run.threads));
    if (!folds.empty())
      scores.push_back(HeldOutScores(grams.back(), truth, folds, ForPenalties(cs, svm)));
    ++progress.done;
  }
  if (!folds.empty()) ChooseByHeldOut(scores, cs, HeldOutTruth(truth, folds), options, result);

  svm.c = training.c;
  progress = {"training", 0, channels, 0, "channels"};
  for (std::size_t i = 0; i < vectors.channels(); ++i) {
    Report(run, progress);
    SvmReport report;
    const KernelModel classifier = TrainGramSvm(grams[i], truth.targets.transpose(), svm, &report);
    result.converged = result.converged && report.converged;
    model.channels.push_back({vectors.vocabulary(i), vectors.config(i),
                              ToLinear(classifier, vectors.Read(i, names), run.threads)});
    ++progress.done;
  }
  return result;
}

}  // namespace alcedo
