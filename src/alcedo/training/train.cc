#include "alcedo/training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/training/hash_images.h"
#include "alcedo/training/held_out.h"
#include "alcedo/training/train_channel.h"
#include "alcedo/training/train_folder.h"
#include "alcedo/training/train_selection.h"

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

std::vector<DescriptorKind> DescriptorsOf(TrainDescriptor descriptor) {
  if (descriptor == TrainDescriptor::kExternal) return {DescriptorKind::kExternal};
  std::vector<DescriptorKind> kinds;
  if (descriptor != TrainDescriptor::kColor) kinds.push_back(DescriptorKind::kSift);
  if (descriptor != TrainDescriptor::kSift) kinds.push_back(DescriptorKind::kColor);
  return kinds;
}

// The images that every channel has a vector of; all others, with why, become failures.
std::vector<Index> GoodImages(const Dataset& dataset, const std::vector<Index>& images,
                              const std::deque<TrainChannel>& channels,
                              std::vector<LearnFailure>& failures) {
  std::set<std::string> seen;
  for (const TrainChannel& channel : channels) {
    for (LearnFailure& failure : channel.Failures()) {
      if (seen.insert(failure.name).second) failures.push_back(std::move(failure));
    }
  }
  std::vector<Index> good;
  std::vector<Index> left(dataset.classes.size(), 0);
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    const bool has_all = std::ranges::all_of(
        channels, [&](const TrainChannel& channel) { return channel.Has(image.name); });
    if (!has_all) continue;
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
  CheckTrainOptions(options);
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
  ClaimTrainFolder(dataset, images, options, ALCEDO_VERSION, run);

  std::deque<TrainChannel> channels;
  for (const DescriptorKind descriptor : DescriptorsOf(options.descriptor)) {
    channels.emplace_back(descriptor, dataset, images, options, run);
  }
  TrainResult result;
  const std::vector<Index> good = GoodImages(dataset, images, channels, result.failures);
  const Truth truth = TruthOf(dataset, good);
  const std::vector<Fold> folds = require_folds(good);
  std::vector<const DatasetImage*> pictures;
  std::vector<std::string> names;
  for (const Index number : good) {
    pictures.push_back(&dataset.images[static_cast<std::size_t>(number)]);
    names.push_back(pictures.back()->name);
  }

  Model& model = result.model;
  model.classes = dataset.classes;
  model.multi_label = dataset.multi_label;
  ModelTraining& training = model.training;
  training.dataset = dataset.title;
  training.images = std::ssize(good);
  training.bad_images = std::ssize(result.failures);
  training.test_images = options.all;
  training.metric = MetricOf(dataset.multi_label);
  training.folds = static_cast<int>(folds.size());
  training.seed = options.seed;
  training.version = ALCEDO_VERSION;
  training.pictures = HashImages(pictures, run.threads);
  std::ranges::sort(training.pictures);
  training.c = options.c.front();

  SvmOptions svm;
  svm.loss = options.loss;
  svm.balanced = options.balanced;
  svm.threads = run.threads;
  Progress progress{"choosing C", 0, std::ssize(channels), 0, "channels"};
  std::vector<Rows> grams;
  std::vector<std::vector<Matrix>> scores;
  std::vector<double> cs = options.c;
  std::ranges::sort(cs);
  for (const TrainChannel& channel : channels) {
    Report(run, progress);
    grams.push_back(GramMatrix(channel.Read(names), run.threads));
    if (!folds.empty()) scores.push_back(HeldOutScores(grams.back(), truth, folds, cs, svm));
    ++progress.done;
  }
  if (!folds.empty()) ChooseByHeldOut(scores, cs, HeldOutTruth(truth, folds), options, result);

  svm.c = training.c;
  progress = {"training", 0, std::ssize(channels), 0, "channels"};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Report(run, progress);
    SvmReport report;
    const KernelModel machines = TrainGramSvm(grams[i], truth.targets.transpose(), svm, &report);
    result.converged = result.converged && report.converged;
    model.channels.push_back({channels[i].vocabulary(), channels[i].config(),
                              ToLinear(machines, channels[i].Read(names), run.threads)});
    ++progress.done;
  }
  return result;
}

}  // namespace alcedo
