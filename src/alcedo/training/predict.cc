#include "alcedo/training/predict.h"

#include <algorithm>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/input_file.h"

namespace alcedo {
namespace {

constexpr Index kImagesPerThread = 4;

// The limit on what reading a picture may take holds for its file too.
std::int64_t MaxBytes(const Predictor& predictor) {
  constexpr double kMib = 1 << 20;
  double most = 0;
  for (const Representer& representer : predictor.representers) {
    most = std::max(most, representer.config.describe.image.max_image_memory);
  }
  return static_cast<std::int64_t>(most * kMib);
}

Prediction PredictFile(const Predictor& predictor, const EncodeInput& input, int threads) {
  try {
    return PredictBytes(predictor, ReadFileBytes(input.path, MaxBytes(predictor)), input.name,
                        threads);
  } catch (const Error& error) {
    Prediction bad;
    bad.failure = WithoutName(error.what(), input.name);
    return bad;
  }
}

}  // namespace

Predictor MakePredictor(Model model) {
  Predictor predictor;
  for (const ModelChannel& channel : model.channels) {
    predictor.representers.push_back(MakeRepresenter(channel.vocabulary, channel.config));
  }
  predictor.model = std::move(model);
  return predictor;
}

Prediction PredictBytes(const Predictor& predictor, const std::string& bytes,
                        const std::string& name, int threads) {
  const Model& model = predictor.model;
  std::vector<Matrix> channels;
  for (std::size_t i = 0; i < model.channels.size(); ++i) {
    const Representer& representer = predictor.representers[i];
    const Descriptors descriptors = Describe(bytes, name, representer.config.describe, threads);
    // In float, as the vectors were that it was trained on.
    const Rows vector = Represent(representer, descriptors, threads).values.cast<float>();
    if (!vector.allFinite()) throw InvalidArgument("its vector leaves the range of float");
    channels.push_back(Scores(model.channels[i].classifier, vector, threads));
  }
  const Matrix fused = FuseScores(channels, model.fusion_weights);
  Prediction prediction;
  prediction.scores = fused.row(0);
  if (model.platt) prediction.probabilities = Probabilities(*model.platt, fused).row(0);
  return prediction;
}

std::vector<int> RankedClasses(const Prediction& prediction) {
  const Vector& values = prediction.values();
  std::vector<int> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    // Probabilities that are 0 or 1 up to rounding are told apart by their scores.
    return values[a] != values[b] ? values[a] > values[b]
                                  : prediction.scores[a] > prediction.scores[b];
  });
  return order;
}

void PredictImages(const Predictor& predictor, std::span<const EncodeInput> inputs,
                   const EncodeRun& run, const PredictionReceiver& receive) {
  const auto total = static_cast<Index>(inputs.size());
  const Index batch = kImagesPerThread * run.threads;
  for (Index begin = 0; begin < total; begin += batch) {
    const Index count = std::min(batch, total - begin);
    std::vector<Prediction> predictions(static_cast<std::size_t>(count));
    const int inner_threads = count == 1 ? run.threads : 1;
    ParallelFor(count, run.threads, [&](Index i) {
      predictions[i] = PredictFile(predictor, inputs[begin + i], inner_threads);
      if (run.progress) run.progress();
    });
    for (Index i = 0; i < count; ++i) receive(begin + i, predictions[i]);
  }
}

}  // namespace alcedo
