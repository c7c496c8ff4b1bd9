#include "alcedo/encoding/llc.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <utility>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

// The codewords nearest to row n, and the minimiser of |x - sum w_i c_i|^2 + beta trace(C) |w|^2
// with sum w_i = 1, from its KKT system [2 (C + beta trace(C) I), 1; 1', 0] [w; mu] = [0; 1].
std::vector<std::pair<Index, double>> NaiveLlc(const Rows& centers, const Rows& rows, Index n,
                                               Index nearest, double beta) {
  std::vector<std::pair<double, Index>> order;
  for (Index k = 0; k < centers.rows(); ++k) {
    order.emplace_back((centers.row(k).cast<double>() - rows.row(n).cast<double>()).squaredNorm(),
                       k);
  }
  std::sort(order.begin(), order.end());
  const Index k = std::min(nearest, centers.rows());
  Matrix z(k, centers.cols());
  for (Index i = 0; i < k; ++i) {
    z.row(i) = centers.row(order[i].second).cast<double>() - rows.row(n).cast<double>();
  }
  const Matrix covariance = z * z.transpose();
  Matrix system = Matrix::Zero(k + 1, k + 1);
  system.topLeftCorner(k, k) =
      2 * (covariance + beta * covariance.trace() * Matrix::Identity(k, k));
  system.row(k).head(k).setOnes();
  system.col(k).head(k).setOnes();
  Vector right = Vector::Zero(k + 1);
  right[k] = 1;
  const Vector solution = system.fullPivLu().solve(right);
  std::vector<std::pair<Index, double>> weights;
  for (Index i = 0; i < k; ++i) weights.emplace_back(order[i].second, solution[i]);
  return weights;
}

TEST(Llc, SolvesItsKktSystem) {
  Rng rng(1);
  for (const Index size : {1, 4, 50}) {
    for (const int nearest : {1, 2, 5, 9}) {  // 9: more than there are dimensions
      for (const double beta : {1e-8, 1e-4, 0.1}) {
        const Codebook codebook = RandomCodebook(rng, size, 6);
        const Rows rows = RandomRows(rng, 60, 6);
        const Encodings encodings = Encode(LlcEncoder{codebook, {nearest, beta}}, rows);
        EXPECT_EQ(encodings.num_entries(), 60 * std::min<Index>(size, nearest));
        const Rows dense = encodings.ToDense();
        Matrix naive = Matrix::Zero(60, size);
        for (Index n = 0; n < 60; ++n) {
          for (const auto& [k, w] : NaiveLlc(codebook.centers, rows, n, nearest, beta)) {
            naive(n, k) = w;
          }
        }
        const double largest = naive.cwiseAbs().maxCoeff();
        EXPECT_LT((dense.cast<double>() - naive).cwiseAbs().maxCoeff(), 1e-5 * largest)
            << size << " " << nearest << " " << beta;
        EXPECT_LT((naive.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-9);
      }
    }
  }
}

TEST(Llc, ReconstructsWhatLiesBetweenCodewords) {
  Codebook codebook{Rows(3, 2), Vector()};
  codebook.centers << 0, 0, 4, 0, 100, 100;
  Rows rows(1, 2);
  rows << 1, 0;
  const Rows dense = Encode(LlcEncoder{codebook, {2, 1e-9}}, rows).ToDense();
  EXPECT_NEAR(dense(0, 0), 0.75, 1e-5);
  EXPECT_NEAR(dense(0, 1), 0.25, 1e-5);
  EXPECT_EQ(dense(0, 2), 0);
}

TEST(Llc, IsDefinedForDegenerateInput) {
  Rng rng(2);
  Codebook codebook = RandomCodebook(rng, 6, 3);
  codebook.centers.row(5) = codebook.centers.row(4);  // repeated: a singular covariance
  codebook.centers.row(3) = codebook.centers.row(4);
  Rows rows = RandomRows(rng, 6, 3);
  rows.row(0).setConstant(1e15f);
  rows.row(1) = codebook.centers.row(4);
  rows.row(2).setZero();
  rows.row(3).setConstant(1e-18f);
  for (const int nearest : {1, 3, 6, 100}) {
    const Rows dense = Encode(LlcEncoder{codebook, {nearest, 1e-4}}, rows).ToDense();
    EXPECT_TRUE(dense.allFinite());
    for (Index n = 0; n < 6; ++n) {
      EXPECT_NEAR(dense.row(n).sum(), 1, 1e-4) << nearest << " " << n;
    }
  }
  // x equals three codewords: they share it.
  const Rows shared = Encode(LlcEncoder{codebook, {3, 1e-4}}, rows).ToDense();
  for (const Index k : {3, 4, 5}) EXPECT_FLOAT_EQ(shared(1, k), 1.0f / 3);
}

TEST(Llc, RefusesOptionsOutOfRange) {
  Rng rng(3);
  const Codebook codebook = RandomCodebook(rng, 3, 2);
  const auto refusal = [&](int nearest, double regularization) {
    return Refusal([&] { CheckEncoder(LlcEncoder{codebook, {nearest, regularization}}); });
  };
  EXPECT_EQ(refusal(1, 1e-10), "(accepted)");
  EXPECT_EQ(refusal(0, 1e-4), "llc.nearest must be >= 1, got 0");
  EXPECT_EQ(refusal(1, 0), "llc.regularization must be >= 1e-10 and finite, got 0");
  EXPECT_EQ(refusal(1, kInfinity), "llc.regularization must be >= 1e-10 and finite, got inf");
  EXPECT_EQ(refusal(1, kNan), "llc.regularization must be >= 1e-10 and finite, got nan");
}

}  // namespace
}  // namespace alcedo
