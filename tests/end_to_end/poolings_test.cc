// Every pooling and normalisation, against naive formulas.
#include <algorithm>
#include <cmath>

#include "fixture.h"

namespace end_to_end {
namespace {

class Poolings : public EndToEnd {
 protected:
  Poolings() { WriteFile("bag.npy", Npy(bag_)); }

  Array PoolBag(Args options) {
    options.insert(options.begin(), {"pool", "bag.npy", "-o", "out.npy"});
    Succeed(options);
    return ParseNpy(ReadFile("out.npy"));
  }

  const Table bag_ = RandomRows(25, 6, 7);
};

TEST_F(Poolings, Elementary) {
  Row sum = Sum(bag_), mean = sum, max = bag_[0], lp(6), signed_lp(6), softmax(6), lse(6);
  for (double& value : mean) value /= 25;
  for (std::size_t d = 0; d < 6; ++d) {
    double numerator = 0, denominator = 0;
    for (const Row& row : bag_) {
      max[d] = std::max(max[d], row[d]);
      lp[d] += std::pow(std::abs(row[d]), 3) / 25;
      signed_lp[d] += std::copysign(std::pow(std::abs(row[d]), 3), row[d]) / 25;
      numerator += row[d] * std::exp(4 * row[d]);
      denominator += std::exp(4 * row[d]);
    }
    lp[d] = std::cbrt(lp[d]);
    signed_lp[d] = std::cbrt(signed_lp[d]);
    softmax[d] = numerator / denominator;
    lse[d] = std::log(denominator / 25) / 4;
  }
  ExpectArray(PoolBag({"--pooling", "sum"}), {6}, sum);
  ExpectArray(PoolBag({"--pooling", "mean"}), {6}, mean);
  ExpectArray(PoolBag({"--pooling", "max"}), {6}, max);
  ExpectArray(PoolBag({"--pooling", "lp", "--lp-p", "3"}), {6}, lp);
  ExpectArray(PoolBag({"--pooling", "lp", "--lp-p", "3", "--lp-keep-sign"}), {6}, signed_lp);
  ExpectArray(PoolBag({"--pooling", "softmax", "--softmax-beta", "4"}), {6}, softmax);
  ExpectArray(PoolBag({"--pooling", "softmax", "--softmax-beta", "4", "--softmax-log-sum-exp"}),
              {6}, lse);
}

TEST_F(Poolings, SeveralLambdasInTheOrderGiven) {
  Row expected;
  for (const double lambda : {10.0, 0.1, 1.0}) {
    const Row phi = Gmp(bag_, lambda);
    expected.insert(expected.end(), phi.begin(), phi.end());
  }
  ExpectArray(PoolBag({"--lambda", "10,0.1,1"}), {3, 6}, expected);
}

TEST_F(Poolings, RelativeLambda) {
  ExpectArray(PoolBag({"--lambda", "0.2", "--lambda-relative"}), {6},
              Gmp(bag_, 0.2 * MeanSquaredNorm(bag_)));
}

TEST_F(Poolings, EverySolver) {
  for (const char* solver : {"auto", "cg", "direct", "primal", "dual"}) {
    ExpectArray(PoolBag({"--lambda", "0.5", "--solver", solver}), {6}, Gmp(bag_, 0.5));
  }
}

TEST_F(Poolings, GmpWeightsGiveTheVectorBack) {
  const Array phi = PoolBag({"--lambda", "2", "--weights", "alpha.npy", "--dtype", "f8"});
  const Array alpha = ParseNpy(ReadFile("alpha.npy"));
  EXPECT_EQ(alpha.type, "<f8");
  ExpectArray(alpha, {25}, Alpha(bag_, 2));
  ExpectArray(phi, {6}, WeightedSum(bag_, alpha.values));

  PoolBag({"--lambda", "2,5", "--weights", "alphas.npy"});
  Row expected = Alpha(bag_, 2);
  for (const double value : Alpha(bag_, 5)) expected.push_back(value);
  ExpectArray(ParseNpy(ReadFile("alphas.npy")), {2, 25}, expected);
}

TEST_F(Poolings, AskingForWeightsChangesNothingElse) {
  PoolBag({"--lambda", "2"});
  const std::string without = ReadFile("out.npy");
  PoolBag({"--lambda", "2", "--weights", "alpha.npy"});
  EXPECT_EQ(ReadFile("out.npy"), without);
}

TEST_F(Poolings, NonNegativeWeights) {
  // Coordinate descent, far beyond convergence.
  Row alpha(25);
  Row phi(6);
  for (int sweep = 0; sweep < 5000; ++sweep) {
    for (std::size_t n = 0; n < 25; ++n) {
      double similarity = 0, norm = 0;
      for (std::size_t d = 0; d < 6; ++d) {
        similarity += phi[d] * bag_[n][d];
        norm += bag_[n][d] * bag_[n][d];
      }
      const double gradient = similarity + 0.1 * alpha[n] - 1;
      const double next = std::max(0.0, alpha[n] - gradient / (norm + 0.1));
      for (std::size_t d = 0; d < 6; ++d) phi[d] += (next - alpha[n]) * bag_[n][d];
      alpha[n] = next;
    }
  }
  ASSERT_EQ(*std::min_element(alpha.begin(), alpha.end()), 0);  // the constraint is at work
  const Array pooled = PoolBag({"--lambda", "0.1", "--nonnegative", "--weights", "alpha.npy"});
  ExpectArray(pooled, {6}, phi, 1e-5);
  ExpectArray(ParseNpy(ReadFile("alpha.npy")), {25}, alpha, 1e-5);
}

TEST_F(Poolings, DemocraticWeightsContributeEqually) {
  const Array pooled = PoolBag({"--pooling", "democratic", "--democratic-tolerance", "1e-6",
                                "--democratic-max-iterations", "10000", "--weights", "alpha.npy"});
  const Row alpha = ParseNpy(ReadFile("alpha.npy")).values;
  ASSERT_EQ(alpha.size(), 25u);
  for (std::size_t n = 0; n < 25; ++n) {
    double contribution = 0;
    for (std::size_t m = 0; m < 25; ++m) {
      double kernel = 0;
      for (std::size_t d = 0; d < 6; ++d) kernel += bag_[n][d] * bag_[m][d];
      contribution += alpha[n] * std::max(kernel, 0.0) * alpha[m];
    }
    EXPECT_NEAR(contribution, 1, 1e-5);
  }
  ExpectArray(pooled, {6}, WeightedSum(bag_, alpha));
  // gamma = 1 is sum pooling.
  ExpectArray(PoolBag({"--pooling", "democratic", "--democratic-gamma", "1"}), {6}, Sum(bag_),
              1e-3);
}

TEST_F(Poolings, PowerThenL2) {
  Row expected = Sum(bag_);
  double norm = 0;
  for (double& value : expected) {
    value = std::copysign(std::pow(std::abs(value), 0.3), value);
    norm += value * value;
  }
  for (double& value : expected) value /= std::sqrt(norm);
  ExpectArray(PoolBag({"--pooling", "sum", "--power", "0.3", "--l2"}), {6}, expected);
}

TEST_F(Poolings, DoubleOutput) {
  const Array pooled = PoolBag({"--pooling", "sum", "--dtype", "f8"});
  EXPECT_EQ(pooled.type, "<f8");
  ExpectArray(pooled, {6}, Sum(bag_), 1e-14);
}

}  // namespace
}  // namespace end_to_end
