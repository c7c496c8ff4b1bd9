#include "alcedo/encoding/bov.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

TEST(Bov, IsOneForTheNearestCodeword) {
  Rng rng(1);
  for (const Index size : {1, 2, 7, 100}) {
    const Codebook codebook = RandomCodebook(rng, size, 6);
    const Rows rows = RandomRows(rng, 300, 6);
    const Encodings encodings = Encode(BovEncoder{codebook}, rows);
    EXPECT_TRUE(encodings.one_block_per_row());
    EXPECT_EQ(encodings.num_blocks(), size);
    Rows naive = Rows::Zero(300, size);
    for (Index n = 0; n < 300; ++n) naive(n, NaiveNearest(codebook.centers, rows, n)) = 1;
    EXPECT_EQ(encodings.ToDense(), naive);
  }
}

// The formula in double over the nearest codewords, found by sorting all.
Matrix NaiveSoftBov(const Rows& centers, const Rows& rows, double sigma, Index nearest) {
  Matrix result = Matrix::Zero(rows.rows(), centers.rows());
  for (Index n = 0; n < rows.rows(); ++n) {
    std::vector<std::pair<double, Index>> distances;
    for (Index k = 0; k < centers.rows(); ++k) {
      distances.emplace_back(
          (centers.row(k).cast<double>() - rows.row(n).cast<double>()).squaredNorm(), k);
    }
    std::sort(distances.begin(), distances.end());
    for (Index i = 0; i < std::min(nearest, centers.rows()); ++i) {
      const auto& [distance, k] = distances[static_cast<std::size_t>(i)];
      result(n, k) = std::exp(-(distance - distances[0].first) / (2 * sigma * sigma));
    }
    result.row(n) /= result.row(n).sum();
  }
  return result;
}

TEST(SoftBov, FollowsItsFormula) {
  Rng rng(2);
  for (const Index size : {1, 3, 40}) {
    for (const int nearest : {1, 2, 5, 60}) {
      const Codebook codebook = RandomCodebook(rng, size, 6);
      const Rows rows = RandomRows(rng, 200, 6);
      const Encodings encodings = Encode(SoftBovEncoder{codebook, {0.8, nearest}}, rows);
      EXPECT_EQ(encodings.num_entries(), 200 * std::min<Index>(size, nearest));
      const Matrix dense = encodings.ToDense().cast<double>();
      const Matrix naive = NaiveSoftBov(codebook.centers, rows, 0.8, nearest);
      EXPECT_LT((dense - naive).cwiseAbs().maxCoeff(), 1e-6) << size << " " << nearest;
      EXPECT_LT((dense.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-6);
    }
  }
}

TEST(SoftBov, IsExactForDescriptorsFarFromTheOrigin) {
  // Near codewords at 1000: distances from |x|^2 - 2 x.c + |c|^2 in float would be noise.
  Rng rng(3);
  Codebook codebook = RandomCodebook(rng, 3, 4);
  codebook.centers.array() += 1000;
  Rows rows = RandomRows(rng, 50, 4);
  rows.array() += 1000;
  const Matrix dense = Encode(SoftBovEncoder{codebook, {1, 3}}, rows).ToDense().cast<double>();
  EXPECT_LT((dense - NaiveSoftBov(codebook.centers, rows, 1, 3)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SoftBov, IsDefinedFarAwayAndForEveryWidth) {
  Rng rng(4);
  const Codebook codebook = RandomCodebook(rng, 6, 3);
  Rows rows = RandomRows(rng, 8, 3);
  rows.row(0).setConstant(1e15f);
  rows.row(1).setConstant(-1e15f);
  rows.row(2) = codebook.centers.row(4);
  rows.row(3).setZero();
  for (const double sigma : {0.0, 1e-300, 1e-20, 1.0, 1e20, 1e300}) {
    const Matrix dense =
        Encode(SoftBovEncoder{codebook, {sigma, 4}}, rows).ToDense().cast<double>();
    EXPECT_TRUE(dense.allFinite());
    EXPECT_GE(dense.minCoeff(), 0);
    for (Index n = 0; n < 8; ++n) {
      EXPECT_NEAR(dense.row(n).sum(), 1, 1e-6) << sigma;
      EXPECT_GE(dense.row(n).maxCoeff(), 0.25 - 1e-6) << sigma;
    }
    EXPECT_EQ(dense(2, 4), dense.row(2).maxCoeff());
  }
}

double NaiveSigma(const Rows& centers) {
  double sum = 0;
  for (Index i = 0; i < centers.rows(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < centers.rows(); ++j) {
      const double d = (centers.row(i).cast<double>() - centers.row(j).cast<double>()).norm();
      if (d > 0) least = std::min(least, d);
    }
    sum += least * least;
  }
  return std::sqrt(sum / static_cast<double>(centers.rows())) / 2;
}

TEST(SoftBov, SigmaZeroIsHalfTheDistanceBetweenNeighbours) {
  Rng rng(5);
  Codebook codebook = RandomCodebook(rng, 30, 5, 3);
  EXPECT_NEAR(SoftBovSigma(codebook), NaiveSigma(codebook.centers), 1e-9);
  // Also where many repeat each other.
  for (Index k = 4; k < 30; ++k) codebook.centers.row(k) = codebook.centers.row(k % 3);
  EXPECT_NEAR(SoftBovSigma(codebook), NaiveSigma(codebook.centers), 1e-9);

  const Rows rows = RandomRows(rng, 20, 5);
  EXPECT_EQ(Encode(SoftBovEncoder{codebook, {0, 3}}, rows).ToDense(),
            Encode(SoftBovEncoder{codebook, {SoftBovSigma(codebook), 3}}, rows).ToDense());

  // Two codewords at distance 4: sigma 2.
  codebook = {Rows(2, 1), Vector()};
  codebook.centers << -2, 2;
  EXPECT_DOUBLE_EQ(SoftBovSigma(codebook), 2);
  // Equal codewords share everything equally, whatever the width.
  codebook.centers << 2, 2;
  EXPECT_EQ(SoftBovSigma(codebook), 1);
  const Rows halves = Encode(SoftBovEncoder{codebook, {}}, Rows::Ones(1, 1)).ToDense();
  EXPECT_EQ(halves, Rows::Constant(1, 2, 0.5f));
  codebook = {Rows::Ones(1, 3), Vector::Ones(1)};
  EXPECT_EQ(SoftBovSigma(codebook), 1);
}

TEST(SoftBov, RefusesOptionsOutOfRange) {
  Rng rng(6);
  const Codebook codebook = RandomCodebook(rng, 3, 2);
  const auto refusal = [&](double sigma, int nearest) {
    return Refusal([&] { CheckEncoder(SoftBovEncoder{codebook, {sigma, nearest}}); });
  };
  EXPECT_EQ(refusal(0, 1), "(accepted)");
  EXPECT_EQ(refusal(-1, 1), "soft_bov.sigma must be >= 0 and finite, got -1");
  EXPECT_EQ(refusal(kInfinity, 1), "soft_bov.sigma must be >= 0 and finite, got inf");
  EXPECT_EQ(refusal(kNan, 1), "soft_bov.sigma must be >= 0 and finite, got nan");
  EXPECT_EQ(refusal(1, 0), "soft_bov.nearest must be >= 1, got 0");
}

}  // namespace
}  // namespace alcedo
