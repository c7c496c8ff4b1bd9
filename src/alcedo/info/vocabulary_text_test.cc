#include "alcedo/info/vocabulary_text.h"

#include <gtest/gtest.h>

#include "alcedo/base/types.h"

namespace alcedo {
namespace {

TEST(VocabularyText, WordsAndDescriptors) {
  Vocabulary vocabulary;
  vocabulary.descriptor_dimension = 4;
  vocabulary.words = Codebook{Rows::Zero(3, 2), Vector::Constant(3, 1.0 / 3)};
  EXPECT_EQ(WordsText(vocabulary), "3 clusters of 2 dimensions");
  EXPECT_EQ(DescriptorText(vocabulary), "sift descriptors of 4 dimensions");
  Pca pca;
  pca.components = Rows::Identity(2, 4);
  pca.variances = Vector::Constant(2, 3.0);
  pca.total_variance = 8;
  vocabulary.pca = pca;
  EXPECT_EQ(DescriptorText(vocabulary),
            "sift descriptors of 4 dimensions, PCA to 2 (75.0% of the variance)");
  vocabulary.training.iterations = 12;
  vocabulary.training.objective = 0.5;
  EXPECT_EQ(TrainingText(vocabulary), "12 iterations, squared error 0.5, not converged");
  vocabulary.words = RandomFourier{};
  EXPECT_EQ(TrainingText(vocabulary), "");
}

}  // namespace
}  // namespace alcedo
