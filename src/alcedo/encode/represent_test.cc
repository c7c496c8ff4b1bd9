#include "alcedo/encode/represent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/descriptors/describe.h"

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
  v.config.describe.descriptor = DescriptorKind::kExternal;
  v.descriptor_dimension = kDimension;
  v.words = GaussianMixture{Vector::Constant(kWords, 1.0 / kWords),
                            RandomRows(kWords, kDimension, 1), Rows::Ones(kWords, kDimension)};
  v.training.median_distance = 2;
  return v;
}

EncodeConfig ExternalConfig() {
  EncodeConfig config;
  config.describe.descriptor = DescriptorKind::kExternal;
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

TEST(Represent, SumOfThePyramidFollowsTheFormulas) {
  EncodeConfig config = ExternalConfig();
  config.pooling = PoolingKind::kSum;
  config.pyramid = "1,3x1";
  config.power = 0.5;
  config.l2 = true;
  const Vocabulary vocabulary = GmmVocabulary();
  const Descriptors descriptors = SomeDescriptors(60);
  const Representer representer = MakeRepresenter(vocabulary, config);
  const Representation result = Represent(representer, descriptors);

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
  EXPECT_EQ(representer.dimension(), 4 * dimension);
  EXPECT_EQ(result.patches, 60);
  for (Index c = 0; c < 4; ++c) {
    Vector v = cells.row(c);
    for (double& x : v) x = (x < 0 ? -1 : 1) * std::sqrt(std::abs(x));
    v /= v.norm() * 2;  // four cells of norm 1
    EXPECT_LT((result.values.row(0).segment(c * dimension, dimension) - v.transpose()).norm(),
              1e-5);
  }
}

TEST(Represent, SeveralLambdasGiveARowEach) {
  EncodeConfig config = ExternalConfig();
  config.lambdas = {0.1, 10, 1000};
  const Descriptors descriptors = SomeDescriptors(40);
  const Representation path = Represent(MakeRepresenter(GmmVocabulary(), config), descriptors);
  ASSERT_EQ(path.values.rows(), 3);
  for (Index l = 0; l < 3; ++l) {
    EncodeConfig one = config;
    one.lambdas = {config.lambdas[l]};
    const Representation alone = Represent(MakeRepresenter(GmmVocabulary(), one), descriptors);
    EXPECT_LT((path.values.row(l) - alone.values.row(0)).norm(), 1e-5 * alone.values.norm());
  }
}

TEST(Represent, TheDefaultLambdaIsRelativeAndStated) {
  const Representer representer = MakeRepresenter(GmmVocabulary(), ExternalConfig());
  EXPECT_EQ(representer.config.lambdas, std::vector<double>{1});
  EXPECT_TRUE(representer.config.gmp.relative);
  EXPECT_EQ(representer.config.encoder, EncoderKind::kFisher);
}

TEST(Represent, NoPatchesAreAVectorOfZeros) {
  EncodeConfig config = ExternalConfig();
  config.pyramid = "paper";
  config.l2 = true;
  const Representer representer = MakeRepresenter(GmmVocabulary(), config);
  Descriptors none;
  none.values.resize(0, kDimension);
  const Representation result = Represent(representer, none);
  EXPECT_EQ(result.values, Matrix::Zero(1, representer.dimension()));
}

TEST(Represent, EveryEncoderThatAMixtureServes) {
  const Descriptors descriptors = SomeDescriptors(30);
  for (const auto& [kind, name] : EnumNames<EncoderKind>::values) {
    EncodeConfig config = ExternalConfig();
    config.encoder = kind;
    if (kind == EncoderKind::kSparse) {
      EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }),
                  HasSubstr("encoder sparse needs a vocabulary of kind dictionary"));
      continue;
    }
    for (const auto& [pooling, pooling_name] : EnumNames<PoolingKind>::values) {
      config.pooling = pooling;
      const Representation result =
          Represent(MakeRepresenter(GmmVocabulary(), config), descriptors);
      EXPECT_TRUE(result.values.allFinite()) << name << " " << pooling_name;
      EXPECT_GT(result.values.norm(), 0) << name << " " << pooling_name;
    }
  }
}

TEST(Represent, EmkTakesItsBandwidthFromTheVocabulary) {
  EncodeConfig config = ExternalConfig();
  config.encoder = EncoderKind::kEmk;
  config.emk.outputs = 16;
  const Representer representer = MakeRepresenter(GmmVocabulary(), config);
  EXPECT_EQ(representer.config.emk.sigma, 2);
  EXPECT_EQ(representer.dimension(), 16);
}

TEST(Represent, IsTheSameForAnyNumberOfThreads) {
  EncodeConfig config = ExternalConfig();
  config.fisher.assignment = FisherAssignment::kSoft;
  const Representer representer = MakeRepresenter(GmmVocabulary(), config);
  const Descriptors descriptors = SomeDescriptors(500);
  const Matrix one = Represent(representer, descriptors, 1).values;
  EXPECT_EQ(Represent(representer, descriptors, 3).values, one);
}

TEST(Represent, WhatDoesNotGoTogetherIsNamed) {
  EncodeConfig config = ExternalConfig();
  config.gaussians = 16;
  EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }),
              HasSubstr("gaussians is 16, but the vocabulary sift has 3"));
  config = ExternalConfig();
  config.pooling = PoolingKind::kSum;
  config.lambdas = {1};
  EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }),
              HasSubstr("lambda goes with pooling gmp, not with sum"));
  config = ExternalConfig();
  config.lambdas = {-1};
  EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }), HasSubstr("lambda"));
  config = ExternalConfig();
  config.describe.descriptor = DescriptorKind::kSift;
  EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }),
              HasSubstr("descriptor is sift"));
  config = ExternalConfig();
  config.power = 2;
  EXPECT_THAT(MessageOf([&] { MakeRepresenter(GmmVocabulary(), config); }),
              HasSubstr("power must be in [0, 1], got 2"));
  config = ExternalConfig();
  config.pyramid = "2x2";
  Descriptors unplaced = SomeDescriptors(5);
  unplaced.patches.clear();
  const Representer representer = MakeRepresenter(GmmVocabulary(), config);
  EXPECT_THAT(MessageOf([&] { Represent(representer, unplaced); }),
              HasSubstr("a pyramid needs the positions"));
  Descriptors wide = SomeDescriptors(5);
  wide.values = RandomRows(5, kDimension + 1, 3);
  EXPECT_THAT(MessageOf([&] { Represent(representer, wide); }),
              HasSubstr("descriptors have 5 dimensions, the vocabulary 4"));
}

// Descriptors from elsewhere.

std::string FloatBytes(const Rows& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float)};
}

DescribeOptions External() {
  DescribeOptions options;
  options.descriptor = DescriptorKind::kExternal;
  return options;
}

TEST(Describe, ReadsArraysWithPositions) {
  const Rows values = RandomRows(3, 2, 1);
  Rows positions(3, 3);
  positions << 1, 2, 16, 30, 20, 16, 64, 48, 32;
  const std::string v = FloatBytes(values), p = FloatBytes(positions);
  const std::int64_t size[] = {64, 48};
  const std::string s(reinterpret_cast<const char*>(size), sizeof(size));
  const std::vector<ArrayToWrite> arrays{{"descriptors", {3, 2}, ElementType::kFloat32, v},
                                         {"positions", {3, 3}, ElementType::kFloat32, p},
                                         {"image_size", {2}, ElementType::kInt64, s}};
  const Descriptors read = Describe(SafetensorsBytes(arrays, {}), "t.safetensors", External());
  EXPECT_EQ(read.values, values);
  ASSERT_EQ(read.patches.size(), 3u);
  EXPECT_EQ(read.patches[2].size, 32);
  EXPECT_EQ(read.width, 64);
  EXPECT_EQ(read.height, 48);

  const Descriptors bare =
      Describe(NpyBytes({"", {1, 3, 2}, ElementType::kFloat32, v}), "t.npy", External());
  EXPECT_EQ(bare.values, values);
  EXPECT_TRUE(bare.patches.empty());

  const std::vector<ArrayToWrite> outside{{"descriptors", {3, 2}, ElementType::kFloat32, v},
                                          {"positions", {3, 3}, ElementType::kFloat32, p}};
  EXPECT_THAT(MessageOf([&] { Describe(SafetensorsBytes(outside, {}), "t", External()); }),
              HasSubstr("t: the position of row 0 is (1, 2), outside of the image of 1 x 1"));
}

TEST(Describe, RefusesWhatItCannotRead) {
  const Rows values = RandomRows(3, 2, 1);
  const std::string v = FloatBytes(values);
  EXPECT_THAT(MessageOf([] { Describe("", "a.jpg", {}); }), HasSubstr("a.jpg is empty"));
  EXPECT_THAT(
      MessageOf([&] { Describe(NpyBytes({"", {3, 2}, ElementType::kFloat32, v}), "a.npy", {}); }),
      HasSubstr("a.npy is an array file, and sift descriptors are made from pictures"));
  EXPECT_THAT(MessageOf([] { Describe("hello, world", "a.txt", External()); }),
              HasSubstr("a.txt is not an array file"));
  EXPECT_THAT(MessageOf([&] {
                Describe(NpyBytes({"", {6}, ElementType::kFloat32, v}), "a.npy", External());
              }),
              HasSubstr("patches x dimensions"));
  const std::vector<ArrayToWrite> two{{"a", {3, 2}, ElementType::kFloat32, v},
                                      {"b", {3, 2}, ElementType::kFloat32, v}};
  EXPECT_THAT(MessageOf([&] { Describe(SafetensorsBytes(two, {}), "a", External()); }),
              HasSubstr("one of its 2 arrays must be called 'descriptors'"));
}

TEST(Describe, PicturesGiveTheDescriptorsAskedFor) {
  Image image = MakeImage(60, 40, 3);
  Rng rng(3);
  for (float& sample : image.samples) sample = static_cast<float>(255 * rng.Uniform());
  DescribeOptions options;
  options.grid.scales = 1;
  const Descriptors sift = DescribeImage(image, options);
  EXPECT_EQ(sift.values.rows(), 10 * 5);
  EXPECT_EQ(sift.values.cols(), 128);
  options.descriptor = DescriptorKind::kColor;
  const Descriptors color = DescribeImage(image, options);
  EXPECT_EQ(color.values.rows(), 10 * 5);
  EXPECT_EQ(color.values.cols(), 96);
  EXPECT_EQ(color.width, 60);
  EXPECT_THROW(DescribeImage(image, External()), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
