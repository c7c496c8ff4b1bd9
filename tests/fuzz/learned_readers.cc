// Vocabularies, models and checkpoints: read, and used on a few descriptors.
#include "alcedo/base/random.h"
#include "alcedo/encode/channel.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/learn/learn_checkpoint.h"
#include "alcedo/learn/vocabulary.h"
#include "alcedo/training/model.h"
#include "alcedo/training/predict.h"
#include "readers.h"

namespace alcedo::fuzz {
namespace {

constexpr Index kDimension = 5, kProjected = 3, kWords = 4;

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.Normal()); });
}

Vector Halves() { return Vector::Constant(kWords, 1.0 / kWords); }

GaussianMixture Mixture() {
  return {Halves(), RandomRows(kWords, kProjected, 2), Rows::Ones(kWords, kProjected)};
}

Vocabulary MakeVocabulary(std::string_view kind, bool pca = true) {
  Vocabulary v;
  v.config.describe.descriptor = ExternalOptions{};
  v.config.kind.Choose(kind);
  v.descriptor_dimension = pca ? kDimension : kProjected;
  if (pca) {
    v.pca = Pca{Vector::Zero(kDimension), RandomRows(kProjected, kDimension, 1),
                Vector::LinSpaced(kProjected, 3, 1), 7, false};
  }
  if (kind == "gmm") v.words = Mixture();
  if (kind == "kmeans") {
    v.words = Codebook{RandomRows(kWords, kProjected, 2), Halves()};
    v.vlad_rotations = RandomRows(kWords * kProjected, kProjected, 4);
  }
  if (kind == "dictionary") {
    v.words = Dictionary{RandomRows(kWords, kProjected, 2).rowwise().normalized()};
  }
  if (kind == "fourier") {
    RandomFourier fourier{.frequencies = RandomRows(8, kProjected, 2),
                          .phases = Vector::LinSpaced(8, 0, 6)};
    fourier.sigma = 1.5;
    v.words = std::move(fourier);
  }
  v.training = {3, 1, 100, "0123456789abcdef0123456789abcdef", 1.5, -2.5, 7, true, "0.1.0"};
  return v;
}

std::vector<std::string> VocabularySamples() {
  return {VocabularyBytes(MakeVocabulary("gmm")), VocabularyBytes(MakeVocabulary("kmeans")),
          VocabularyBytes(MakeVocabulary("dictionary")), VocabularyBytes(MakeVocabulary("fourier")),
          VocabularyBytes(MakeVocabulary("gmm", false))};
}

// Reads it and encodes rows by it: an error of ours, or finite numbers.
bool ReadVocabularyFile(const std::string& bytes) {
  return Succeeds([&] {
    const Vocabulary vocabulary = ReadVocabularyBytes(bytes, "file");
    Succeeds([&] {
      EncodeConfig config;
      config.describe.descriptor = ExternalOptions{};
      const Channel channel(vocabulary, config);
      Descriptors descriptors;
      descriptors.values = RandomRows(12, vocabulary.descriptor_dimension, 6);
      ExpectFiniteArray(channel.Represent(descriptors).values, "a vector");
    });
  });
}

ModelChannel MakeChannel(bool sift) {
  ModelChannel channel;
  channel.vocabulary = MakeVocabulary("gmm");
  if (sift) {
    channel.vocabulary.config.describe.descriptor = SiftOptions{};
    channel.vocabulary.config.describe.grid.patch = 16;
    channel.vocabulary.descriptor_dimension = 128;
    channel.vocabulary.pca = Pca{Vector::Zero(128), RandomRows(kProjected, 128, 1),
                                 Vector::LinSpaced(kProjected, 3, 1), 7, false};
  }
  channel.config.describe = channel.vocabulary.config.describe;
  channel.config.lambdas = {3};
  channel.config.pooling.Get<GmpOptions>().relative = true;
  channel.config.normalization.power = 0.5;
  channel.config.normalization.l2 = true;
  channel.classifier = {RandomRows(3, 2 * kWords * kProjected, 3), Vector::LinSpaced(3, -1, 1)};
  return channel;
}

std::string MakeModel(std::vector<ModelChannel> channels) {
  Model model;
  model.classes = {"a rose", "back\\slash", "not \xff UTF-8"};
  model.channels = std::move(channels);
  if (model.channels.size() > 1) model.fusion_weights = {0.75, 0.25};
  model.platt = PlattScaling{Vector::Constant(3, -2), Vector::LinSpaced(3, 0.1, 0.3)};
  model.training = {"a folder", 12, 1, true, 100, "top1-classes", 5, 87.5, 7, "0.1.0", {-5, 3}};
  return ModelBytes(model);
}

std::vector<std::string> ModelSamples() {
  return {MakeModel({MakeChannel(false)}), MakeModel({MakeChannel(true), MakeChannel(true)})};
}

bool ReadModelFile(const std::string& bytes) {
  static const std::string image = [] {
    Rng rng(8);
    Image noise = MakeImage(28, 24, 1);
    for (float& sample : noise.samples) sample = static_cast<float>(255 * rng.Uniform());
    return PnmBytes(noise);
  }();
  static const std::string rows = [] {
    const Rows values = RandomRows(12, kDimension, 6);
    return io_testing::Npy("<f4", "(12, 5)",
                           {reinterpret_cast<const char*>(values.data()), 12 * 5 * sizeof(float)});
  }();
  return Succeeds([&] {
    const Predictor predictor(ReadModelBytes(bytes, "file"));
    for (const std::string& input : {image, rows}) {
      Succeeds([&] {
        const Prediction prediction = PredictBytes(predictor, input, "input");
        ExpectFiniteArray(prediction.scores, "a score");
        ExpectFiniteArray(prediction.probabilities, "a probability");
      });
    }
  });
}

bool ReadCheckpoint(const std::string& bytes) {
  using alcedo::internal::ParseCheckpoint;
  const auto mixture = ParseCheckpoint<GaussianMixture>(bytes, "of");
  if (mixture) {
    ExpectFiniteArray(mixture->model.means, "a mean");
    ExpectFiniteArray(mixture->model.weights, "a weight");
  }
  return mixture || ParseCheckpoint<Codebook>(bytes, "of") ||
         ParseCheckpoint<Dictionary>(bytes, "of");
}

std::vector<std::string> CheckpointSamples() {
  using alcedo::internal::Checkpoint;
  using alcedo::internal::CheckpointBytes;
  return {
      CheckpointBytes(Checkpoint<GaussianMixture>{3, Mixture()}, "of"),
      CheckpointBytes(Checkpoint<Codebook>{5, {RandomRows(kWords, kProjected, 2), Halves()}}, "of"),
      CheckpointBytes(Checkpoint<Dictionary>{7, {RandomRows(kWords, kProjected, 2)}}, "of")};
}

}  // namespace

void internal::AddLearnedReaders(std::vector<Reader>& readers) {
  const auto sealed = [](bool (*read)(const std::string&)) {
    return [read](const std::string& bytes) { return read(Sealed(bytes)); };
  };
  readers.push_back({"vocabulary", VocabularySamples, ReadVocabularyFile, 64});
  readers.push_back(
      {"vocabulary-right-checksum", VocabularySamples, sealed(ReadVocabularyFile), 64, 4 << 20});
  readers.push_back({"model", ModelSamples, ReadModelFile, 64, 4 << 20});
  readers.push_back({"model-right-checksum", ModelSamples, sealed(ReadModelFile), 64, 16 << 20});
  readers.push_back({"checkpoint", CheckpointSamples, ReadCheckpoint, 64});
}

}  // namespace alcedo::fuzz
