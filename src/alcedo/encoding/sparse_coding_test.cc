#include "alcedo/encoding/sparse_coding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

TEST(SparseCoding, SatisfiesTheKktConditions) {
  Rng rng(1);
  for (const double l1 : {0.05, 0.3, 1.0}) {
    const Dictionary dictionary = RandomDictionary(rng, 40, 8);
    const Rows rows = RandomRows(rng, 150, 8);
    const Encodings encodings = Encode(SparseCodingEncoder{dictionary, {l1, 1e-6, 10000}}, rows);
    EXPECT_EQ(encodings.num_blocks(), 40);
    EXPECT_EQ(encodings.block_size(), 1);
    EXPECT_LT(encodings.num_entries(), 150 * 20) << "codes must be sparse";
    const Matrix codes = encodings.ToDense().cast<double>();
    EXPECT_EQ((codes.array() != 0).count(), encodings.num_entries());
    // a_k . (x - sum c a) = l1 sign(c_k) where c_k is not 0, and within [-l1, l1] elsewhere.
    for (Index n = 0; n < rows.rows(); ++n) {
      for (Index k = 0; k < 40; ++k) {
        double correlation = 0;
        for (Index j = 0; j < 8; ++j) {
          double rest = rows(n, j);
          for (Index i = 0; i < 40; ++i) rest -= codes(n, i) * dictionary.atoms(i, j);
          correlation += dictionary.atoms(k, j) * rest;
        }
        if (codes(n, k) == 0) {
          EXPECT_LT(std::abs(correlation), l1 + 1e-3);
        } else {
          EXPECT_NEAR(correlation, std::copysign(l1, codes(n, k)), 1e-3);
        }
      }
    }
  }
}

TEST(SparseCoding, IsAThresholdForOrthogonalAtoms) {
  const Dictionary dictionary{Rows::Identity(3, 3)};
  Rows rows(3, 3);
  rows << 2, -0.1f, -3, 0, 0, 0, 0.2f, 0.2f, -0.2f;
  const Encodings encodings = Encode(SparseCodingEncoder{dictionary, {0.5, 1e-6, 100}}, rows);
  Rows expected(3, 3);
  expected << 1.5f, 0, -2.5f, 0, 0, 0, 0, 0, 0;
  EXPECT_LT((encodings.ToDense() - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(encodings.num_entries(), 2) << "rows without a code are empty";
}

TEST(SparseCoding, RefusesOptionsAndDictionariesThatAreNotValid) {
  Rng rng(2);
  SparseCodingEncoder encoder{RandomDictionary(rng, 3, 2), {}};
  const auto refusal = [&] { return Refusal([&] { CheckEncoder(encoder); }); };
  EXPECT_EQ(refusal(), "(accepted)");
  encoder.options.l1 = 0;
  EXPECT_EQ(refusal(), "sparse.l1 must be > 0 and finite, got 0");
  encoder.options = {.tolerance = kNan};
  EXPECT_EQ(refusal(), "sparse.tolerance must be > 0 and finite, got nan");
  encoder.options = {.max_sweeps = 0};
  EXPECT_EQ(refusal(), "sparse.max_sweeps must be >= 1, got 0");
  encoder.options = {};
  encoder.dictionary.atoms << 1, 0, 0, 2, 0, 1;
  EXPECT_EQ(refusal(), "dictionary atoms must have norm 1, got 2 for atom 1");
  encoder.dictionary.atoms(2, 1) = kNan;
  EXPECT_EQ(refusal(), "dictionary atoms: row 2, column 1 is NaN");
  encoder.dictionary.atoms.resize(0, 2);
  EXPECT_EQ(refusal(), "dictionary must have at least one atom of one dimension, got 0 x 2");
}

}  // namespace
}  // namespace alcedo
