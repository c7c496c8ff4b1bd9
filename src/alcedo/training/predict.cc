#include "alcedo/training/predict.h"

#include <algorithm>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/for_each_input.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {
namespace {

std::vector<Channel> ChannelsOf(const Model& model) {
  std::vector<Channel> channels;
  for (const ModelChannel& channel : model.channels) {
    channels.emplace_back(channel.vocabulary, channel.config);
  }
  return channels;
}

Prediction PredictFile(const Predictor& predictor, const Input& input, int threads) {
  Prediction prediction;
  std::string hash;
  try {
    const std::string bytes = ReadInputFile(input.path, predictor.encoder.max_file_mib());
    hash = ContentHash(bytes);
    prediction = PredictBytes(predictor, bytes, input.name, threads);
  } catch (const Error& error) {
    prediction.failure = ReasonOf(error);
  }
  prediction.hash = std::move(hash);
  return prediction;
}

}  // namespace

Predictor::Predictor(Model m) : model(std::move(m)), encoder(ChannelsOf(model)) {}

Prediction PredictBytes(const Predictor& predictor, std::string_view bytes, const std::string& name,
                        int threads) {
  return PredictVectors(predictor, predictor.encoder.FromBytes(bytes, name, threads), threads);
}

Prediction PredictVectors(const Predictor& predictor, const ImageVectors& vectors, int threads) {
  const Model& model = predictor.model;
  Prediction prediction;
  std::vector<Matrix> channels;
  for (std::size_t i = 0; i < model.channels.size(); ++i) {
    // In float, as the vectors were that it was trained on.
    const Rows vector = vectors.channels[i].values.cast<float>();
    if (!vector.allFinite()) throw InvalidArgument("its vector leaves the range of float");
    prediction.patches += vectors.channels[i].patches;
    channels.push_back(Scores(model.channels[i].classifier, vector, threads));
  }
  const Matrix fused = FuseScores(channels, model.fusion_weights);
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

void PredictImages(const Predictor& predictor, std::span<const Input> inputs, const Run& run,
                   Progress& progress, const PredictionReceiver& receive) {
  ForEachInput<Prediction>(
      AllNumbers(static_cast<Index>(inputs.size())), 1, run, progress,
      [&](Index number, int threads) {
        return PredictFile(predictor, inputs[static_cast<std::size_t>(number)], threads);
      },
      [&](std::span<const Index> number, std::span<Prediction> prediction) {
        receive(number[0], prediction[0]);
      });
}

}  // namespace alcedo
