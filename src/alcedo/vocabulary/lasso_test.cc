#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/lasso.h"

namespace alcedo {
namespace {

Rows RandomRows(Index count, Index dimension, std::uint64_t seed) {
  Rng rng(seed);
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

// Unit atoms that lean on a common direction by `lean`, as those of real descriptors do.
Dictionary RandomDictionary(Index atoms, Index dimension, std::uint64_t seed, float lean = 0) {
  Dictionary dictionary{RandomRows(atoms, dimension, seed)};
  dictionary.atoms.array() += lean;
  dictionary.atoms.rowwise().normalize();
  return dictionary;
}

Rows NaiveGram(const Dictionary& dictionary) {
  return dictionary.atoms * dictionary.atoms.transpose();
}

std::vector<float> Code(const Dictionary& dictionary, const float* row, double l1,
                        double tolerance = 1e-6, int max_sweeps = 10000) {
  LassoWork work;
  std::vector<float> code(dictionary.size(), 0.0f);
  LassoCode(dictionary, NaiveGram(dictionary), row, l1, tolerance, max_sweeps, work, code.data());
  return code;
}

Index NonZeros(const std::vector<float>& code) {
  return static_cast<Index>(code.size()) - std::count(code.begin(), code.end(), 0.0f);
}

// By how much the code breaks the conditions of optimality, which for a convex problem are all
// there is to know: a_k . r = l1 sign(c_k) where c_k is not zero, |a_k . r| <= l1 where it is.
double Violation(const Dictionary& dictionary, const float* row, double l1,
                 const std::vector<float>& code) {
  const Index d = dictionary.dimension();
  std::vector<double> rest(row, row + d);
  for (Index k = 0; k < dictionary.size(); ++k) {
    for (Index j = 0; j < d; ++j) {
      rest[j] -= static_cast<double>(code[k]) * dictionary.atoms(k, j);
    }
  }
  double worst = 0;
  for (Index k = 0; k < dictionary.size(); ++k) {
    double dot = 0;
    for (Index j = 0; j < d; ++j) dot += rest[j] * dictionary.atoms(k, j);
    const double bad = code[k] > 0   ? std::abs(dot - l1)
                       : code[k] < 0 ? std::abs(dot + l1)
                                     : std::max(0.0, std::abs(dot) - l1);
    worst = std::max(worst, bad);
  }
  return worst;
}

TEST(LassoCode, IsOptimal) {
  // Sizes around the width of vectors; more and fewer atoms than dimensions; easy and hard.
  for (Index atoms : {1, 7, 16, 33, 100, 256}) {
    for (float lean : {0.0f, 1.0f}) {
      const Dictionary dictionary = RandomDictionary(atoms, 24, 1, lean);
      Rows rows = RandomRows(30, 24, 2);
      rows.rowwise().normalize();
      for (double l1 : {0.02, 0.15, 0.5}) {
        for (Index n = 0; n < rows.rows(); ++n) {
          const auto code = Code(dictionary, rows.row(n).data(), l1);
          EXPECT_LT(Violation(dictionary, rows.row(n).data(), l1, code), l1 < 0.1 ? 1e-4 : 1e-5)
              << atoms << " atoms, lean " << lean << ", l1 " << l1 << ", row " << n;
        }
      }
    }
  }
}

TEST(LassoCode, SweepsOnEndDoNotDrift) {
  // Without a tolerance it sweeps to the limit; rounding must not carry it away meanwhile.
  const Dictionary dictionary = RandomDictionary(100, 24, 1, 1);
  Rows rows = RandomRows(30, 24, 2);
  rows.rowwise().normalize();
  for (Index n = 0; n < rows.rows(); ++n) {
    const auto code = Code(dictionary, rows.row(n).data(), 0.5, 0, 30000);
    EXPECT_LT(Violation(dictionary, rows.row(n).data(), 0.5, code), 2e-6) << n;
  }
}

TEST(LassoCode, OneAtomIsSoftThresholding) {
  const Dictionary dictionary{Rows::Identity(1, 3)};
  for (float x : {-2.0f, -0.5f, -0.25f, 0.0f, 0.25f, 0.5f, 2.0f}) {
    const float row[3] = {x, 7, -7};
    const float expected = std::copysign(std::max(std::abs(x) - 0.5f, 0.0f), x);
    EXPECT_EQ(Code(dictionary, row, 0.5)[0], expected) << x;
  }
}

TEST(LassoCode, AnOrthonormalDictionaryIsSoftThresholdingOfEveryEntry) {
  const Dictionary dictionary{Rows::Identity(5, 5)};
  const float row[5] = {3, -2, 0.5f, -0.25f, 1};
  const std::vector<float> expected = {2, -1, 0, 0, 0};
  EXPECT_EQ(Code(dictionary, row, 1), expected);
}

TEST(LassoCode, WithoutPenaltyItIsLeastSquares) {
  const Dictionary dictionary = RandomDictionary(6, 20, 3);
  const Rows row = RandomRows(1, 20, 4);
  const auto code = Code(dictionary, row.data(), 0, 1e-7);
  const Eigen::MatrixXd a = dictionary.atoms.cast<double>();
  const Vector expected =
      (a * a.transpose()).inverse() * (a * row.row(0).transpose().cast<double>());
  for (Index k = 0; k < 6; ++k) EXPECT_NEAR(code[k], expected[k], 1e-5);
}

TEST(LassoCode, ScalesWithRowAndPenalty) {
  const Dictionary dictionary = RandomDictionary(40, 16, 5, 0.5f);
  const Rows row = RandomRows(1, 16, 6);
  const auto code = Code(dictionary, row.data(), 0.8);
  ASSERT_GE(NonZeros(code), 3);
  // Powers of two change nothing but the exponents, also near the borders of float's range.
  for (double scale : {0x1p-110, 0x1p-60, 0x1p-1, 0x1p60, 0x1p120}) {
    const Rows scaled = static_cast<float>(scale) * row;
    const auto other = Code(dictionary, scaled.data(), 0.8 * scale);
    for (Index k = 0; k < 40; ++k) EXPECT_EQ(other[k], static_cast<float>(code[k] * scale));
  }
  for (double scale : {1e-18, 1e18}) {
    const Rows scaled = static_cast<float>(scale) * row;
    EXPECT_LT(Violation(dictionary, scaled.data(), 0.8 * scale,
                        Code(dictionary, scaled.data(), 0.8 * scale)),
              1e-5 * scale * row.norm());
  }
}

TEST(LassoCode, AStartChangesTheWayAndNotTheEnd) {
  const Dictionary dictionary = RandomDictionary(30, 40, 7);  // fewer atoms: the optimum is unique
  const Rows gram = NaiveGram(dictionary), rows = RandomRows(2, 40, 8);
  const auto cold = Code(dictionary, rows.row(0).data(), 0.5);
  auto warm = Code(dictionary, rows.row(1).data(), 0.1);  // the code of another row
  LassoWork work;
  LassoCode(dictionary, gram, rows.row(0).data(), 0.5, 1e-6, 10000, work, warm.data());
  for (Index k = 0; k < 30; ++k) EXPECT_NEAR(warm[k], cold[k], 1e-4);
  EXPECT_LT(Violation(dictionary, rows.row(0).data(), 0.5, warm), 1e-5 * rows.row(0).norm());
  // From the optimum one sweep is enough to see that it is one, and none leaves it as it is.
  auto again = cold;
  LassoCode(dictionary, gram, rows.row(0).data(), 0.5, 1e-4, 1, work, again.data());
  for (Index k = 0; k < 30; ++k) EXPECT_NEAR(again[k], cold[k], 1e-5);
  auto still = cold;
  LassoCode(dictionary, gram, rows.row(0).data(), 0.5, 1e-4, 0, work, still.data());
  EXPECT_EQ(still, cold);
}

TEST(LassoCode, ZeroRowsAndLargePenaltiesHaveZeroCodes) {
  const Dictionary dictionary = RandomDictionary(20, 8, 9);
  const Rows gram = NaiveGram(dictionary), row = RandomRows(1, 8, 10);
  const std::vector<float> zero(20, 0.0f), zero_row(8, 0.0f);
  EXPECT_EQ(Code(dictionary, zero_row.data(), 0.1), zero);
  EXPECT_EQ(Code(dictionary, zero_row.data(), 0), zero);
  EXPECT_EQ(Code(dictionary, row.data(), row.norm()), zero);
  EXPECT_EQ(Code(dictionary, row.data(), 1e300), zero);
  std::vector<float> old(20, 1.0f);  // a start does not stay either
  LassoWork work;
  LassoCode(dictionary, gram, zero_row.data(), 0.1, 1e-6, 100, work, old.data());
  EXPECT_EQ(old, zero);
  old.assign(20, 1.0f);
  LassoCode(dictionary, gram, row.data(), 2 * row.norm(), 1e-6, 100, work, old.data());
  EXPECT_EQ(old, zero);
}

TEST(LassoCode, EqualAtomsAreAsGoodAsOne) {
  Dictionary dictionary = RandomDictionary(12, 8, 11);
  dictionary.atoms.bottomRows(6) = dictionary.atoms.topRows(6);
  const Rows rows = RandomRows(20, 8, 12);
  for (Index n = 0; n < rows.rows(); ++n) {
    const auto code = Code(dictionary, rows.row(n).data(), 0.3);
    EXPECT_LT(Violation(dictionary, rows.row(n).data(), 0.3, code), 1e-5 * rows.row(n).norm());
    const auto half = Code({dictionary.atoms.topRows(6)}, rows.row(n).data(), 0.3);
    for (Index k = 0; k < 6; ++k) EXPECT_NEAR(code[k] + code[k + 6], half[k], 1e-4);
  }
}

TEST(LassoCode, AtomsOfOtherNormsAreTakenAsTheyAre) {
  Dictionary dictionary = RandomDictionary(15, 10, 13);
  for (Index k = 0; k < 15; ++k) dictionary.atoms.row(k) *= 0.25f * static_cast<float>(k % 5);
  const Rows rows = RandomRows(20, 10, 14);
  for (Index n = 0; n < rows.rows(); ++n) {
    const auto code = Code(dictionary, rows.row(n).data(), 0.2);
    EXPECT_LT(Violation(dictionary, rows.row(n).data(), 0.2, code), 1e-5 * rows.row(n).norm());
    for (Index k = 0; k < 15; k += 5) EXPECT_EQ(code[k], 0) << "an atom that is zero";
  }
}

TEST(LassoCode, ASweepLimitIsKept) {
  const Dictionary dictionary = RandomDictionary(200, 20, 15, 1);
  const Rows row = RandomRows(1, 20, 16);
  EXPECT_EQ(NonZeros(Code(dictionary, row.data(), 0.01, 0, 0)), 0);
  EXPECT_EQ(NonZeros(Code(dictionary, row.data(), 0.01, 0, 1)), 1);
  Code(dictionary, row.data(), 0, 0, 50);  // no penalty, no tolerance: it still ends
}

TEST(LassoCode, RefusesWhatIsOutOfRange) {
  const Dictionary dictionary = RandomDictionary(4, 3, 17);
  const float row[3] = {1, 2, 3};
  LassoWork work;
  std::vector<float> code(4, 0.0f);
  const auto message = [&](const Rows& gram, double l1, double tolerance) -> std::string {
    try {
      LassoCode(dictionary, gram, row, l1, tolerance, 10, work, code.data());
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const Rows gram = NaiveGram(dictionary);
  EXPECT_EQ(message(gram, -1, 1e-4), "l1 must be >= 0, got -1");
  EXPECT_EQ(message(gram, std::nan(""), 1e-4), "l1 must be >= 0, got nan");
  EXPECT_EQ(message(gram, 1, -1), "LassoCode tolerance must be >= 0, got -1");
  EXPECT_EQ(message(Rows::Zero(4, 3), 1, 1e-4),
            "LassoCode gram must have one row and one column per atom");
}

TEST(AtomGram, IsTheNaiveProduct) {
  const Dictionary dictionary = RandomDictionary(9, 5, 18);
  const Rows gram = AtomGram(dictionary);
  for (Index i = 0; i < 9; ++i) {
    for (Index k = 0; k < 9; ++k) {
      double dot = 0;
      for (Index j = 0; j < 5; ++j) {
        dot += static_cast<double>(dictionary.atoms(i, j)) * dictionary.atoms(k, j);
      }
      EXPECT_NEAR(gram(i, k), dot, 1e-7);
    }
  }
}

}  // namespace
}  // namespace alcedo
