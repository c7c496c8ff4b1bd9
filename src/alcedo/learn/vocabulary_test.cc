#include "alcedo/learn/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/base/types.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.Normal()); });
}

Vocabulary MakeVocabulary(std::string_view kind) {
  Vocabulary v;
  v.config.kind.Choose(kind);
  v.config.describe.descriptor = ExternalOptions{};
  v.config.describe.grid.step = 3;
  v.config.seed = 17;
  v.training = {10, 2, 1234, ContentHash("x"), 0.1, -3.25, 7, true, "0.0.1"};
  v.descriptor_dimension = 5;
  v.pca = Pca{Vector::LinSpaced(5, 0.1, 2), RandomRows(3, 5, 1), Vector::LinSpaced(3, 3, 1),
              7.0 / 3, true};
  if (kind == "gmm") {
    Vector weights(4);
    weights << 0.1, 0.2, 0.3, 0.4;
    v.words = GaussianMixture{weights, RandomRows(4, 3, 2), RandomRows(4, 3, 3).cwiseAbs()};
  } else if (kind == "kmeans") {
    v.words = Codebook{RandomRows(4, 3, 2), Vector::Constant(4, 0.25)};
    v.vlad_rotations = RandomRows(12, 3, 4);
  } else if (kind == "dictionary") {
    v.words = Dictionary{RandomRows(6, 3, 5)};
  } else {
    v.words = RandomFourier{RandomRows(8, 3, 6), Vector::LinSpaced(8, 0, 1), 1.0 / 7};
  }
  return v;
}

constexpr std::string_view kKinds[] = {"gmm", "kmeans", "dictionary", "fourier"};

std::string MessageOf(const std::string& bytes) {
  try {
    ReadVocabularyBytes(bytes, "v.safetensors");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(Vocabulary, IsReadBackBitForBit) {
  for (const std::string_view kind : kKinds) {
    const Vocabulary written = MakeVocabulary(kind);
    const std::string bytes = VocabularyBytes(written);
    const Vocabulary read = ReadVocabularyBytes(bytes, "v");
    EXPECT_EQ(read.kind().name, kind);
    EXPECT_EQ(VocabularyBytes(read), bytes);
    EXPECT_EQ(ToJson(read.config), ToJson(written.config));
    EXPECT_EQ(read.pca->components, written.pca->components);
    EXPECT_EQ(read.pca->mean, written.pca->mean);
    EXPECT_EQ(read.pca->total_variance, written.pca->total_variance);
    EXPECT_TRUE(read.pca->whiten);
    EXPECT_EQ(read.training.objective, -3.25);
    EXPECT_EQ(read.training.samples, 1234);
    EXPECT_EQ(read.training.inputs_hash, written.training.inputs_hash);
    EXPECT_EQ(read.descriptor_dimension, 5);
    EXPECT_EQ(read.dimension(), 3);
  }
}

TEST(Vocabulary, WordsAreReadBackBitForBit) {
  const auto gmm = std::get<GaussianMixture>(
      ReadVocabularyBytes(VocabularyBytes(MakeVocabulary("gmm")), "v").words);
  EXPECT_EQ(gmm.means, RandomRows(4, 3, 2));
  EXPECT_EQ(gmm.variances, Rows(RandomRows(4, 3, 3).cwiseAbs()));
  EXPECT_EQ(gmm.weights[2], 0.3);
  const Vocabulary kmeans = ReadVocabularyBytes(VocabularyBytes(MakeVocabulary("kmeans")), "v");
  EXPECT_EQ(kmeans.vlad_rotations, RandomRows(12, 3, 4));
  const auto fourier = std::get<RandomFourier>(
      ReadVocabularyBytes(VocabularyBytes(MakeVocabulary("fourier")), "v").words);
  EXPECT_EQ(fourier.sigma, 1.0 / 7);
}

TEST(Vocabulary, WorksWithoutPca) {
  Vocabulary v = MakeVocabulary("gmm");
  v.pca.reset();
  v.descriptor_dimension = 3;
  EXPECT_FALSE(ReadVocabularyBytes(VocabularyBytes(v), "v").pca.has_value());
}

TEST(Vocabulary, EveryFlippedByteIsSeen) {
  const std::string good = VocabularyBytes(MakeVocabulary("gmm"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x04);
    EXPECT_THAT(MessageOf(bad), HasSubstr("v.safetensors")) << "byte " << i;
  }
}

TEST(Vocabulary, EveryTruncationIsSeen) {
  const std::string good = VocabularyBytes(MakeVocabulary("gmm"));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(MessageOf(good.substr(0, size)), HasSubstr("v.safetensors")) << size << " bytes";
  }
  EXPECT_THAT(MessageOf(good + "x"), HasSubstr("v.safetensors"));
}

TEST(Vocabulary, ADamagedValueIsToldByTheChecksum) {
  std::string bad = VocabularyBytes(MakeVocabulary("gmm"));
  bad[bad.size() - 3] ^= 1;
  EXPECT_THAT(MessageOf(bad), HasSubstr("v.safetensors: is damaged: its checksum is wrong"));
}

TEST(Vocabulary, WhatDoesNotFitTogetherIsRefused) {
  Vocabulary v = MakeVocabulary("gmm");
  v.descriptor_dimension = 6;
  EXPECT_THAT(MessageOf(VocabularyBytes(v)), HasSubstr("descriptors do not fit"));
  v = MakeVocabulary("gmm");
  v.pca->components = RandomRows(2, 5, 1);
  v.pca->variances = Vector::Ones(2);
  EXPECT_THAT(MessageOf(VocabularyBytes(v)), HasSubstr("PCA does not fit"));
  v = MakeVocabulary("gmm");
  std::get<GaussianMixture>(v.words).variances(1, 1) = 0;
  EXPECT_THAT(MessageOf(VocabularyBytes(v)), HasSubstr("v.safetensors: "));
  v = MakeVocabulary("kmeans");
  v.vlad_rotations = RandomRows(5, 3, 1);
  EXPECT_THAT(MessageOf(VocabularyBytes(v)), HasSubstr("rotations do not fit"));
}

TEST(Vocabulary, ADimensionIsAnInteger) {
  Vocabulary v = MakeVocabulary("dictionary");
  v.pca.reset();
  v.words = Dictionary{RandomRows(2, 100, 5)};
  v.descriptor_dimension = 100;
  std::string forged = VocabularyBytes(v);
  const auto replace = [&](const std::string& key, std::string_view value) {
    forged.replace(forged.find(key) + key.size(), value.size(), value);
  };
  // As long as it was, so that all lengths hold; 1e308 would not fit into an integer.
  replace(R"(descriptor_dimension\":)", "1e2");
  replace(R"("checksum":")", internal::kNoChecksum);
  EXPECT_THAT(MessageOf(internal::Seal(forged)),
              HasSubstr("v.safetensors: descriptor_dimension must be an integer >= 0"));
}

TEST(Vocabulary, OtherFilesAreNamed) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "text.txt";
  WriteWholeFile(path, "hello");
  EXPECT_THROW(OpenVocabulary(path.string()), FormatError);
  try {
    OpenVocabulary("sfit");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no vocabulary 'sfit'"));
  }
  EXPECT_THROW(OpenVocabulary(::testing::TempDir()), IoError);
}

TEST(BuiltinVocabulary, IsSmallAndWhatItSays) {
  std::size_t total = 0;
  for (const std::string& name : BuiltinVocabularyNames()) {
    const NamedVocabulary v = OpenVocabulary(name);
    total += BuiltinVocabularyBytes(name).size();
    EXPECT_EQ(v.vocabulary.config.describe.descriptor.name(), name);
    EXPECT_EQ(v.vocabulary.descriptor_dimension, name == "sift" ? 128 : 96);
    EXPECT_EQ(v.vocabulary.dimension(), 64);
    EXPECT_EQ(std::get<GaussianMixture>(v.vocabulary.words).size(), 256);
    EXPECT_EQ(v.checksum.size(), 32u);
  }
  EXPECT_LT(total, 1000000u);
}

}  // namespace
}  // namespace alcedo
