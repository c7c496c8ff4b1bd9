#include "alcedo/learn/learn_checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/vocabulary/dictionary.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo::internal {
namespace {

Checkpoint<GaussianMixture> SomeMixture() {
  Checkpoint<GaussianMixture> checkpoint;
  checkpoint.iteration = 17;
  checkpoint.model.weights = (Vector(2) << 1.0 / 3, 2.0 / 3).finished();
  checkpoint.model.means = (Rows(2, 3) << 1e-30f, -2, 3, 4, 5.1f, -0.0f).finished();
  checkpoint.model.variances = Rows::Constant(2, 3, 0.1f);
  return checkpoint;
}

TEST(Checkpoint, ComesBackBitForBit) {
  const Checkpoint<GaussianMixture> stored = SomeMixture();
  const auto loaded = ParseCheckpoint<GaussianMixture>(CheckpointBytes(stored, "me"), "me");
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->iteration, 17);
  EXPECT_EQ(loaded->model.weights, stored.model.weights);
  EXPECT_EQ(loaded->model.means, stored.model.means);
  EXPECT_TRUE(std::signbit(loaded->model.means(1, 2)));
  EXPECT_EQ(loaded->model.variances, stored.model.variances);

  Checkpoint<Codebook> codebook;
  codebook.model.centers = Rows::Random(4, 5);
  codebook.model.weights = Vector::Random(4);
  const auto centers = ParseCheckpoint<Codebook>(CheckpointBytes(codebook, ""), "");
  ASSERT_TRUE(centers.has_value());
  EXPECT_EQ(centers->model.centers, codebook.model.centers);
  EXPECT_EQ(centers->model.weights, codebook.model.weights);

  Checkpoint<Dictionary> dictionary;
  dictionary.model.atoms = Rows::Random(3, 1);
  const auto atoms = ParseCheckpoint<Dictionary>(CheckpointBytes(dictionary, ""), "");
  ASSERT_TRUE(atoms.has_value());
  EXPECT_EQ(atoms->model.atoms, dictionary.model.atoms);
}

TEST(Checkpoint, OfSomethingElseIsNone) {
  const std::string bytes = CheckpointBytes(SomeMixture(), "me");
  EXPECT_FALSE(ParseCheckpoint<GaussianMixture>(bytes, "you").has_value());
  EXPECT_FALSE(ParseCheckpoint<Codebook>(bytes, "me").has_value());
  EXPECT_FALSE(ParseCheckpoint<GaussianMixture>("", "me").has_value());
}

TEST(Checkpoint, ThatIsDamagedIsNone) {
  const std::string bytes = CheckpointBytes(SomeMixture(), "me");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(ParseCheckpoint<GaussianMixture>(bytes.substr(0, i), "me").has_value()) << i;
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(ParseCheckpoint<GaussianMixture>(damaged, "me").has_value()) << i;
  }
}

}  // namespace
}  // namespace alcedo::internal
