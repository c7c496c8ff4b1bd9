#include "alcedo/linalg/gram.h"

#include <gtest/gtest.h>

#include "alcedo/base/random.h"

namespace alcedo {
namespace {

TEST(Gram, BothMatricesEqualNaiveSumsAcrossTiles) {
  Rng rng(5);
  GramScratch scratch;
  // The last two span several tiles of rows and of columns.
  const std::pair<Index, Index> shapes[] = {{0, 3},  {1, 1},     {3, 1},    {1, 5},
                                            {17, 9}, {40000, 7}, {7, 40001}};
  for (const auto& [count, width] : shapes) {
    std::vector<float> rows(count * width);
    for (float& v : rows) v = static_cast<float>(rng.Normal());
    if (width < 100) {
      std::vector<double> gram(width * width, 0.0);
      AddGram(rows.data(), count, width, gram.data(), scratch);
      for (Index i = 0; i < width; ++i) {
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index n = 0; n < count; ++n)
            sum += double(rows[n * width + i]) * rows[n * width + j];
          EXPECT_NEAR(gram[i * width + j], sum, 1e-12 * (1 + count));
        }
      }
    }
    if (count < 100) {
      std::vector<double> kernel(count * count, 7.0);
      KernelMatrix(rows.data(), count, width, kernel.data(), scratch);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index d = 0; d < width; ++d)
            sum += double(rows[i * width + d]) * rows[j * width + d];
          EXPECT_NEAR(kernel[i * count + j], sum, 1e-12 * (1 + width));
        }
      }
    }
  }
}

TEST(Gram, KeepsWhatFloatWouldLose) {
  // A float Gram matrix cannot hold 1 + 1e-8; the second eigenvalue would vanish.
  const std::vector<float> rows = {1, 0, 0, 1e-4f};
  std::vector<double> gram(4, 0.0);
  GramScratch scratch;
  AddGram(rows.data(), 2, 2, gram.data(), scratch);
  EXPECT_DOUBLE_EQ(gram[3], double(1e-4f) * 1e-4f);
}

}  // namespace
}  // namespace alcedo
