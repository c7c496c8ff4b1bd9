#include "alcedo/encode/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;

constexpr Index kDimension = 4;
constexpr Index kWords = 3;

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.Normal()); });
}

Vocabulary GmmVocabulary() {
  Vocabulary v;
  v.config.describe.descriptor = ExternalOptions{};
  v.descriptor_dimension = kDimension;
  v.words = GaussianMixture{Vector::Constant(kWords, 1.0 / kWords),
                            RandomRows(kWords, kDimension, 1), Rows::Ones(kWords, kDimension)};
  v.training.median_distance = 2;
  return v;
}

EncodeConfig ExternalConfig() {
  EncodeConfig config;
  config.describe.descriptor = ExternalOptions{};
  return config;
}

Descriptors SomeDescriptors(Index n) {
  Descriptors d;
  d.values = RandomRows(n, kDimension, 7);
  d.width = 100;
  d.height = 90;
  Rng rng(8);
  for (Index i = 0; i < n; ++i) {
    d.patches.push_back(
        {static_cast<float>(100 * rng.Uniform()), static_cast<float>(90 * rng.Uniform()), 10});
  }
  return d;
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Hard Fisher vector of one descriptor, from the formula.
Vector NaiveFisher(const GaussianMixture& m, const float* x) {
  Index best = 0;
  double best_distance = 1e300;
  for (Index k = 0; k < m.size(); ++k) {
    double distance = 0;
    for (Index j = 0; j < m.dimension(); ++j) distance += std::pow(x[j] - m.means(k, j), 2);
    if (distance < best_distance) best_distance = distance, best = k;
  }
  const Index d = m.dimension();
  Vector phi = Vector::Zero(2 * d * m.size());
  for (Index j = 0; j < d; ++j) {
    const double z = (x[j] - m.means(best, j)) / std::sqrt(m.variances(best, j));
    phi[2 * d * best + j] = z / std::sqrt(m.weights[best]);
    phi[2 * d * best + d + j] = (z * z - 1) / std::sqrt(2 * m.weights[best]);
  }
  return phi;
}

TEST(Channel, SumOfThePyramidFollowsTheFormulas) {
  EncodeConfig config = ExternalConfig();
  config.pooling.Choose<SumOptions>();
  config.pyramid = "1,3x1";
  config.normalization.power = 0.5;
  config.normalization.l2 = true;
  const Vocabulary vocabulary = GmmVocabulary();
  const Descriptors descriptors = SomeDescriptors(60);
  const Channel channel(vocabulary, config);
  const ChannelVectors result = channel.Represent(descriptors);

  const auto& mixture = std::get<GaussianMixture>(vocabulary.words);
  const Index dimension = 2 * kDimension * kWords;
  Matrix cells = Matrix::Zero(4, dimension);
  for (Index n = 0; n < 60; ++n) {
    const Vector phi = NaiveFisher(mixture, descriptors.values.row(n).data());
    cells.row(0) += phi;
    cells.row(1 + static_cast<Index>(descriptors.patches[n].y / 30.0)) += phi;
  }
  ASSERT_EQ(result.values.rows(), 1);
  ASSERT_EQ(result.values.cols(), 4 * dimension);
  EXPECT_EQ(channel.dimension(), 4 * dimension);
  EXPECT_EQ(result.patches, 60);
  for (Index c = 0; c < 4; ++c) {
    Vector v = cells.row(c);
    for (double& x : v) x = (x < 0 ? -1 : 1) * std::sqrt(std::abs(x));
    v /= v.norm() * 2;  // four cells of norm 1
    EXPECT_LT((result.values.row(0).segment(c * dimension, dimension) - v.transpose()).norm(),
              1e-5);
  }
}

TEST(Channel, SeveralLambdasGiveARowEach) {
  EncodeConfig config = ExternalConfig();
  config.lambdas = {0.1, 10, 1000};
  const Descriptors descriptors = SomeDescriptors(40);
  const ChannelVectors path = Channel(GmmVocabulary(), config).Represent(descriptors);
  ASSERT_EQ(path.values.rows(), 3);
  for (Index l = 0; l < 3; ++l) {
    EncodeConfig one = config;
    one.lambdas = {config.lambdas[l]};
    const ChannelVectors alone = Channel(GmmVocabulary(), one).Represent(descriptors);
    EXPECT_LT((path.values.row(l) - alone.values.row(0)).norm(), 1e-5 * alone.values.norm());
  }
}

TEST(Channel, TheDefaultLambdaIsRelativeAndStated) {
  const Channel channel(GmmVocabulary(), ExternalConfig());
  EXPECT_EQ(channel.config().lambdas, std::vector<double>{1});
  EXPECT_TRUE(channel.config().pooling.Get<GmpOptions>().relative);
  EXPECT_EQ(channel.config().encoder.name(), "fv");
}

TEST(Channel, NoPatchesAreAVectorOfZeros) {
  EncodeConfig config = ExternalConfig();
  config.pyramid = "paper";
  config.normalization.l2 = true;
  const Channel channel(GmmVocabulary(), config);
  Descriptors none;
  none.values.resize(0, kDimension);
  const ChannelVectors result = channel.Represent(none);
  EXPECT_EQ(result.values, Matrix::Zero(1, channel.dimension()));
}

TEST(Channel, EveryEncoderThatAMixtureServes) {
  const Descriptors descriptors = SomeDescriptors(30);
  for (const Label& encoder : EncoderOptions::kLabels) {
    const std::string_view name = encoder.name;
    EncodeConfig config = ExternalConfig();
    config.encoder.Choose(name);
    if (name == "sparse") {
      EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
                  HasSubstr("encoder sparse needs a vocabulary of kind dictionary"));
      continue;
    }
    for (const Label& pooling : PoolingChoice::kLabels) {
      const std::string_view pooling_name = pooling.name;
      config.pooling.Choose(pooling_name);
      const ChannelVectors result = Channel(GmmVocabulary(), config).Represent(descriptors);
      EXPECT_TRUE(result.values.allFinite()) << name << " " << pooling_name;
      EXPECT_GT(result.values.norm(), 0) << name << " " << pooling_name;
    }
  }
}

TEST(Channel, EmkTakesItsBandwidthFromTheVocabulary) {
  EncodeConfig config = ExternalConfig();
  config.encoder.Choose<EmkOptions>();
  config.encoder.Get<EmkOptions>().outputs = 16;
  const Channel channel(GmmVocabulary(), config);
  EXPECT_EQ(channel.config().encoder.Get<EmkOptions>().sigma, 2);
  EXPECT_EQ(channel.dimension(), 16);
}

TEST(Channel, IsTheSameForAnyNumberOfThreads) {
  EncodeConfig config = ExternalConfig();
  config.encoder.Get<FisherOptions>().assignment = FisherAssignment::kSoft;
  const Channel channel(GmmVocabulary(), config);
  const Descriptors descriptors = SomeDescriptors(500);
  const Matrix one = channel.Represent(descriptors, 1).values;
  EXPECT_EQ(channel.Represent(descriptors, 3).values, one);
}

TEST(Channel, WhatDoesNotGoTogetherIsNamed) {
  EncodeConfig config = ExternalConfig();
  config.gaussians = 16;
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
              HasSubstr("gaussians must be 3, as many as the vocabulary sift has, got 16"));
  config = ExternalConfig();
  config.pooling.Choose<SumOptions>();
  config.lambdas = {1};
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
              HasSubstr("lambda goes with pooling gmp, not with sum"));
  config = ExternalConfig();
  config.pooling.Get<GmpOptions>().lambda = 5;
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
              HasSubstr("gmp.lambda must be given as lambda"));
  config = ExternalConfig();
  config.lambdas = {-1};
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }), HasSubstr("lambda"));
  config = ExternalConfig();
  config.describe.descriptor = SiftOptions{};
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
              HasSubstr("descriptor must be external"));
  config = ExternalConfig();
  config.normalization.power = 2;
  EXPECT_THAT(MessageOf([&] { Channel(GmmVocabulary(), config); }),
              HasSubstr("power must be in [0, 1], got 2"));
  config = ExternalConfig();
  config.pyramid = "2x2";
  Descriptors unplaced = SomeDescriptors(5);
  unplaced.patches.clear();
  const Channel channel(GmmVocabulary(), config);
  EXPECT_THAT(MessageOf([&] { channel.Represent(unplaced); }),
              HasSubstr("pyramid needs the positions of the descriptors"));
  Descriptors wide = SomeDescriptors(5);
  wide.values = RandomRows(5, kDimension + 1, 3);
  EXPECT_THAT(MessageOf([&] { channel.Represent(wide); }),
              HasSubstr("descriptors have 5 dimensions, the vocabulary 4"));
}

}  // namespace
}  // namespace alcedo
