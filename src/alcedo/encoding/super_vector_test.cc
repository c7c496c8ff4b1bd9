#include "alcedo/encoding/super_vector.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

TEST(SuperVector, FollowsItsFormula) {
  Rng rng(1);
  for (const Index size : {1, 4, 30}) {
    const Codebook codebook = RandomCodebook(rng, size, 5);
    const Rows rows = RandomRows(rng, 100, 5);
    const Encodings encodings = Encode(SuperVectorEncoder{codebook, {0.7}}, rows);
    EXPECT_TRUE(encodings.one_block_per_row());
    EXPECT_EQ(encodings.block_size(), 6);
    Matrix naive = Matrix::Zero(100, size * 6);
    for (Index n = 0; n < 100; ++n) {
      const Index k = NaiveNearest(codebook.centers, rows, n);
      const double p = codebook.weights[k];
      naive(n, 6 * k) = 0.7 / std::sqrt(p);
      for (Index j = 0; j < 5; ++j) {
        naive(n, 6 * k + 1 + j) =
            (static_cast<double>(rows(n, j)) - codebook.centers(k, j)) / std::sqrt(p);
      }
    }
    EXPECT_LT((encodings.ToDense().cast<double>() - naive).cwiseAbs().maxCoeff(), 2e-5);
  }
}

TEST(SuperVector, GivesCodewordsWithoutSamplesTheSmallestWeight) {
  Codebook codebook{Rows(2, 1), Vector(2)};
  codebook.centers << 0, 10;
  codebook.weights << 1, 0;  // counts as 1 / 200
  Rows rows(1, 1);
  rows << 11;
  const Rows dense = Encode(SuperVectorEncoder{codebook, {2}}, rows).ToDense();
  EXPECT_EQ(dense.leftCols(2), Rows::Zero(1, 2));
  EXPECT_NEAR(dense(0, 2), 2 * std::sqrt(200.0), 1e-5);
  EXPECT_NEAR(dense(0, 3), std::sqrt(200.0), 1e-5);
}

TEST(SuperVector, RefusesOptionsAndWeightsThatAreNotValid) {
  Rng rng(2);
  SuperVectorEncoder encoder{RandomCodebook(rng, 3, 2), {}};
  const auto refusal = [&] { return Refusal([&] { CheckEncoder(encoder); }); };
  EXPECT_EQ(refusal(), "(accepted)");
  encoder.options.s = -1;
  EXPECT_EQ(refusal(), "sv.s must be >= 0 and finite, got -1");
  encoder.options.s = kInfinity;
  EXPECT_EQ(refusal(), "sv.s must be >= 0 and finite, got inf");
  encoder.options.s = 0;
  EXPECT_EQ(refusal(), "(accepted)");
  encoder.codebook.weights[1] = -0.5;
  EXPECT_EQ(refusal(), "codebook weights must be in [0, 1], got -0.5 for center 1");
  encoder.codebook.weights[1] = kNan;
  EXPECT_EQ(refusal(), "codebook weights must be in [0, 1], got nan for center 1");
  encoder.codebook.weights.resize(0);
  EXPECT_EQ(refusal(), "sv: the codebook must have weights, got none");
}

}  // namespace
}  // namespace alcedo
