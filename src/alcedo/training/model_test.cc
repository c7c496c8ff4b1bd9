#include "alcedo/training/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/training/predict.h"

namespace alcedo {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// The first version's bytes. They must load for ever: never make this file anew.
const fs::path kStored = fs::path(ALCEDO_SOURCE_DIR) / "tests/data/model-version-1.safetensors";

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.Normal()); });
}

ModelChannel MakeChannel(DescriptorChoice descriptor, Index classes) {
  ModelChannel channel;
  Vocabulary& v = channel.vocabulary;
  v.config.describe.descriptor = descriptor;
  v.descriptor_dimension = descriptor.Is<SiftOptions>() ? 128 : 3;
  if (descriptor.Is<SiftOptions>()) {
    v.pca = Pca{Vector::Zero(128), RandomRows(3, 128, 1), Vector::LinSpaced(3, 3, 1), 7, false};
  }
  v.words = GaussianMixture{Vector::Constant(2, 0.5), RandomRows(2, 3, 2), Rows::Ones(2, 3)};
  channel.config.describe = v.config.describe;
  channel.config.lambdas = {3};
  channel.config.pooling.Get<GmpOptions>().relative = true;
  channel.config.normalization.power = 0.5;
  channel.config.normalization.l2 = true;
  channel.classifier = {RandomRows(classes, 12, 3), Vector::LinSpaced(classes, -0.5, 0.25)};
  return channel;
}

Model MakeModel() {
  Model model;
  model.classes = {"a rose", "back\\slash", "not \xff UTF-8"};
  model.channels = {MakeChannel(ExternalOptions{}, 3)};
  model.platt = PlattScaling{Vector::Constant(3, -2), Vector::LinSpaced(3, 0.1, 0.3)};
  model.training = {"folder \xfe", 12, 1, true, 100, "top1-classes", 5, 87.5, 7, "0.1.0", {-5, 3}};
  return model;
}

Model TwoChannels() {
  Model model = MakeModel();
  model.channels = {MakeChannel(SiftOptions{}, 3), MakeChannel(SiftOptions{}, 3)};
  model.channels[1].classifier.weights = RandomRows(3, 12, 9);
  model.fusion_weights = {0.75, 0.25};
  return model;
}

std::string MessageOf(const std::string& bytes) {
  try {
    ReadModelBytes(bytes, "m.safetensors");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(Model, IsReadBackBitForBit) {
  for (const Model& written : {MakeModel(), TwoChannels()}) {
    const std::string bytes = ModelBytes(written);
    const Model read = ReadModelBytes(bytes, "m");
    EXPECT_EQ(ModelBytes(read), bytes);
    EXPECT_EQ(read.classes, written.classes);
    EXPECT_EQ(read.fusion_weights, written.fusion_weights);
    ASSERT_EQ(read.channels.size(), written.channels.size());
    for (std::size_t i = 0; i < read.channels.size(); ++i) {
      EXPECT_EQ(read.channels[i].classifier.weights, written.channels[i].classifier.weights);
      EXPECT_EQ(read.channels[i].classifier.bias, written.channels[i].classifier.bias);
      EXPECT_EQ(ToJson(read.channels[i].config), ToJson(written.channels[i].config));
      EXPECT_EQ(VocabularyBytes(read.channels[i].vocabulary),
                VocabularyBytes(written.channels[i].vocabulary));
    }
    EXPECT_EQ(read.platt->b, written.platt->b);
    EXPECT_EQ(read.training.dataset, "folder \xfe");
    EXPECT_EQ(read.training.c, 100);
    EXPECT_EQ(read.training.validation, 87.5);
    EXPECT_TRUE(read.training.test_images);
    EXPECT_EQ(read.training.pictures, (std::vector<std::int64_t>{-5, 3}));
  }
}

TEST(Model, EveryFlippedByteAndTruncationIsSeen) {
  const std::string good = ModelBytes(MakeModel());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x04);
    EXPECT_THAT(MessageOf(bad), HasSubstr("m.safetensors")) << "byte " << i;
    EXPECT_THAT(MessageOf(good.substr(0, i)), HasSubstr("m.safetensors")) << i << " bytes";
  }
  EXPECT_THAT(MessageOf(good + "x"), HasSubstr("m.safetensors"));
}

TEST(Model, OtherFilesAreCalledByTheirName) {
  const Model model = MakeModel();
  const std::string vocabulary = VocabularyBytes(model.channels[0].vocabulary);
  EXPECT_EQ(MessageOf(vocabulary), "m.safetensors: is a vocabulary, not a model");
  EXPECT_EQ(MessageOf(SafetensorsBytes({}, {})), "m.safetensors: is not a model");
  EXPECT_THAT(MessageOf("hello"), HasSubstr("m.safetensors"));
  try {
    ReadVocabularyBytes(ModelBytes(model), "v");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("v: is a model, not a vocabulary"));
  }
  std::string newer = ModelBytes(model);
  const std::string version = "\"format_version\":\"1\"";
  newer.replace(newer.find(version), version.size(), "\"format_version\":\"2\"");
  EXPECT_THAT(MessageOf(newer), AllOf(HasSubstr("is a model of format version 2"),
                                      HasSubstr("versions up to 1 can be read")));
}

TEST(Model, ANumberOfChannelsAloneTakesNoMemory) {
  for (const std::string channels : {"1152921504606846976", "100000000", "1e300", "-1", "0"}) {
    const std::string forged = internal::Seal(SafetensorsBytes(
        {}, {{"format", "alcedo-model"},
             {"format_version", "1"},
             {"checksum", std::string(internal::kNoChecksum)},
             {"model", R"({"classes":["a"],"multi_label":false,"fusion_weights":[],)"
                       R"("probabilities":false,"channels":)" +
                           channels + "}"},
             {"training", "{}"}}));
    EXPECT_THAT(MessageOf(forged), AllOf(HasSubstr("m.safetensors"), HasSubstr("channel")))
        << channels;
  }
}

TEST(Model, WhatDoesNotFitTogetherIsNotWritten) {
  const auto refuse = [](const Model& model, const std::string& why) {
    try {
      ModelBytes(model);
      ADD_FAILURE() << why;
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr(why));
    }
  };
  Model model = MakeModel();
  model.classes.pop_back();
  refuse(model, "does not fit the classes");
  model = MakeModel();
  model.classes[1] = model.classes[0];
  refuse(model, "one name");
  model = MakeModel();
  model.channels[0].classifier.weights = RandomRows(3, 11, 1);
  refuse(model, "does not fit its vectors");
  model = MakeModel();
  model.channels[0].config.lambdas = {1, 2};
  refuse(model, "more than one vector");
  model = MakeModel();
  model.fusion_weights = {1, 2};
  refuse(model, "one weight per channel");
  model = MakeModel();
  model.channels.clear();
  refuse(model, "a channel");
  model = MakeModel();
  model.platt->a[0] = std::nan("");
  refuse(model, "finite");
}

std::string ArrayBytes(const Rows& rows) {
  return NpyBytes({"",
                   {rows.rows(), rows.cols()},
                   ElementType::kFloat32,
                   {reinterpret_cast<const char*>(rows.data()),
                    static_cast<std::size_t>(rows.size()) * sizeof(float)}});
}

// Naively: weights times the vector, plus the bias; then the logistic function.
TEST(Predict, IsTheWeightedSumOfTheChannels) {
  Model model = TwoChannels();
  for (ModelChannel& channel : model.channels) {
    channel = MakeChannel(ExternalOptions{}, 3);
  }
  model.channels[1].classifier.weights = RandomRows(3, 12, 9);
  const Predictor predictor(model);
  const Rows descriptors = RandomRows(20, 3, 5);
  const Prediction got = PredictBytes(predictor, ArrayBytes(descriptors), "x.npy");
  Descriptors input;
  input.values = descriptors;
  const Matrix phi = predictor.encoder.channels()[0].Represent(input).values;
  for (int c = 0; c < 3; ++c) {
    double score = 0;
    for (int channel = 0; channel < 2; ++channel) {
      double sum = model.channels[channel].classifier.bias[c];
      for (Index j = 0; j < 12; ++j) {
        sum += model.channels[channel].classifier.weights(c, j) * phi(0, j);
      }
      score += model.fusion_weights[channel] * sum;
    }
    EXPECT_NEAR(got.scores[c], score, 1e-5);
    EXPECT_NEAR(got.probabilities[c],
                1 / (1 + std::exp(model.platt->a[c] * score + model.platt->b[c])), 1e-5);
  }
}

TEST(Predict, RanksByProbabilityThenScoreThenNumber) {
  Prediction prediction;
  prediction.scores = Vector::Zero(4);
  prediction.scores << 1, 3, 3, 2;
  EXPECT_EQ(RankedClasses(prediction), (std::vector<int>{1, 2, 3, 0}));
  prediction.probabilities = Vector::Zero(4);
  prediction.probabilities << 1, 0.5, 0.25, 1;
  EXPECT_EQ(RankedClasses(prediction), (std::vector<int>{3, 0, 1, 2}));
}

TEST(Predict, BadImagesAreFailuresAndTheOrderIsKept) {
  const fs::path folder = fs::path(::testing::TempDir()) / "predict";
  fs::create_directories(folder);
  std::vector<Input> inputs;
  for (int i = 0; i < 9; ++i) {
    const fs::path file = folder / (std::to_string(i) + ".npy");
    WriteWholeFile(file, i == 4 ? "text" : ArrayBytes(RandomRows(5, 3, i)));
    inputs.push_back({file.string(), std::to_string(i)});
  }
  const Predictor predictor(MakeModel());
  std::vector<Vector> first;
  for (const int threads : {1, 3}) {
    alcedo::Run run;
    run.threads = threads;
    std::vector<Vector> scores;
    Progress progress;
    PredictImages(predictor, inputs, run, progress,
                  [&](Index number, const Prediction& prediction) {
                    EXPECT_EQ(number, static_cast<Index>(scores.size()));
                    EXPECT_EQ(prediction.failure.empty(), number != 4);
                    scores.push_back(prediction.scores);
                  });
    EXPECT_EQ(scores.size(), inputs.size());
    if (threads == 1) first = scores;
    EXPECT_EQ(scores, first);
  }
}

TEST(StoredModel, LoadsForEver) {
  const Model model = ReadModel(kStored);
  EXPECT_EQ(model.classes, (std::vector<std::string>{"a rose", "back\\slash", "not \xff UTF-8"}));
  EXPECT_EQ(model.training.c, 100);
  EXPECT_TRUE(model.training.pictures.empty());  // it is of before they were noted
  EXPECT_EQ(model.channels[0].config.lambdas, std::vector<double>{3});
  Rows descriptors(2, 3);
  descriptors << 1, 0, -1, 0.5, 2, 0;
  const Prediction prediction = PredictBytes(Predictor(model), ArrayBytes(descriptors), "x.npy");
  // As the first version computed them.
  const std::vector<double> expected = {1.331910, 0.183565, 0.793496};
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(prediction.scores[c], expected[c], 1e-4);
}

}  // namespace
}  // namespace alcedo
