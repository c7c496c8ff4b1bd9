#include "alcedo/encoding/fisher.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"
#include "alcedo/pooling/gmp.h"
extern "C" {
#include <vl/fisher.h>
}

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

FisherOptions Hard() { return {FisherAssignment::kHard, 1e-4}; }
FisherOptions Soft(double threshold) { return {FisherAssignment::kSoft, threshold}; }

// The posteriors of a row by Bayes' rule.
Vector NaivePosteriors(const GaussianMixture& mixture, const Rows& rows, Index n) {
  Vector logs(mixture.size());
  for (Index k = 0; k < mixture.size(); ++k) {
    logs[k] = std::log(mixture.weights[k]);
    for (Index j = 0; j < rows.cols(); ++j) {
      const double t = static_cast<double>(rows(n, j)) - mixture.means(k, j);
      const double variance = mixture.variances(k, j);
      logs[k] -= 0.5 * (t * t / variance + std::log(2 * std::numbers::pi * variance));
    }
  }
  Vector posteriors = (logs.array() - logs.maxCoeff()).exp();
  return posteriors / posteriors.sum();
}

// The header's formula with posteriors made hard, or cut at the threshold.
Matrix NaiveFisher(const FisherEncoder& encoder, const Rows& rows, double* dropped = nullptr) {
  const GaussianMixture& m = encoder.mixture;
  const Index d = rows.cols();
  Matrix dense = Matrix::Zero(rows.rows(), 2 * m.size() * d);
  double cut = 0;
  for (Index n = 0; n < rows.rows(); ++n) {
    Vector q = NaivePosteriors(m, rows, n);
    Index best = 0;
    q.maxCoeff(&best);
    const bool hard = encoder.options.assignment == FisherAssignment::kHard;
    for (Index k = 0; k < m.size(); ++k) {
      if (k != best && (hard || q[k] < encoder.options.posterior_threshold)) {
        cut += q[k];
        q[k] = 0;
      }
    }
    q /= q.sum();
    for (Index k = 0; k < m.size(); ++k) {
      for (Index j = 0; j < d; ++j) {
        const double z =
            (static_cast<double>(rows(n, j)) - m.means(k, j)) / std::sqrt(m.variances(k, j));
        dense(n, 2 * k * d + j) = q[k] * z / std::sqrt(m.weights[k]);
        dense(n, 2 * k * d + d + j) = q[k] * (z * z - 1) / std::sqrt(2 * m.weights[k]);
      }
    }
  }
  if (dropped != nullptr) *dropped = cut / static_cast<double>(rows.rows());
  return dense;
}

TEST(Fisher, HardFollowsItsFormula) {
  Rng rng(1);
  for (const Index size : {1, 3, 20}) {
    for (const Index dimension : {1, 6, 33}) {
      const FisherEncoder encoder{RandomMixture(rng, size, dimension), Hard()};
      const Rows rows = RandomRows(rng, 150, dimension);
      EncodeReport report{7};
      const Encodings encodings = Encode(encoder, rows, 1, &report);
      EXPECT_TRUE(encodings.one_block_per_row());
      EXPECT_EQ(encodings.num_blocks(), size);
      EXPECT_EQ(encodings.block_size(), 2 * dimension);
      EXPECT_EQ(report.dropped_posterior, 0);
      const Matrix naive = NaiveFisher(encoder, rows);
      EXPECT_LT((encodings.ToDense().cast<double>() - naive).cwiseAbs().maxCoeff(),
                1e-5 * naive.cwiseAbs().maxCoeff());
    }
  }
}

TEST(Fisher, SoftFollowsItsFormula) {
  Rng rng(2);
  for (const Index size : {1, 3, 20}) {
    for (const double threshold : {0.0, 1e-4, 0.05, 0.9}) {
      const FisherEncoder encoder{RandomMixture(rng, size, 6), Soft(threshold)};
      const Rows rows = RandomRows(rng, 150, 6);
      EncodeReport report;
      double dropped = 0;
      const Encodings encodings = Encode(encoder, rows, 1, &report);
      const Matrix naive = NaiveFisher(encoder, rows, &dropped);
      EXPECT_EQ(encodings.block_size(), 12) << "never dense";
      EXPECT_LT((encodings.ToDense().cast<double>() - naive).cwiseAbs().maxCoeff(),
                2e-5 * naive.cwiseAbs().maxCoeff())
          << size << " " << threshold;
      EXPECT_NEAR(report.dropped_posterior, dropped, 1e-5);
    }
  }
}

TEST(Fisher, SumIsThatOfAllEncodings) {
  Rng rng(3);
  for (const Index size : {1, 5, 16}) {
    for (const FisherOptions& options : {Hard(), Soft(1e-4)}) {
      const FisherEncoder encoder{RandomMixture(rng, size, 17), options};
      const Rows rows = RandomRows(rng, 3000, 17);
      EncodeReport report;
      const Vector sum = SumFisher(encoder, rows, 1, &report);
      const Vector naive = NaiveFisher(encoder, rows).colwise().sum().transpose();
      const double scale = naive.cwiseAbs().maxCoeff();
      EXPECT_LT((sum - naive).cwiseAbs().maxCoeff(), 1e-5 * scale);
      EncodeReport encode_report;
      const Encodings encodings = Encode(encoder, rows, 1, &encode_report);
      const Vector pooled = WeightedSum(encodings, Vector::Ones(3000));
      EXPECT_LT((sum - pooled).cwiseAbs().maxCoeff(), 1e-6 * scale);
      EXPECT_EQ(report.dropped_posterior, encode_report.dropped_posterior);
      for (const int threads : {2, 3, 8}) EXPECT_EQ(SumFisher(encoder, rows, threads), sum);
    }
  }
}

TEST(Fisher, SumIsExactForMixturesFarFromTheOrigin) {
  // From raw moments, s2 - 2 mu s1 + mu^2 s0, nothing would be left of the variance.
  Rng rng(4);
  FisherEncoder encoder{RandomMixture(rng, 3, 5), Hard()};
  encoder.mixture.means.array() += 5000;
  Rows rows = RandomRows(rng, 500, 5);
  rows.array() += 5000;
  const Vector naive = NaiveFisher(encoder, rows).colwise().sum().transpose();
  EXPECT_LT((SumFisher(encoder, rows) - naive).cwiseAbs().maxCoeff(),
            1e-5 * naive.cwiseAbs().maxCoeff());
}

TEST(Fisher, SumIsVlfeats) {
  Rng rng(5);
  const Index size = 7, d = 10, count = 2000;
  const GaussianMixture mixture = RandomMixture(rng, size, d);
  const Rows rows = RandomRows(rng, count, d);
  const std::vector<float> priors(mixture.weights.begin(), mixture.weights.end());
  std::vector<float> theirs(2 * size * d);
  const auto vlfeat = [&](int flags) -> Vector {
    vl_fisher_encode(theirs.data(), VL_TYPE_FLOAT, mixture.means.data(), d, size,
                     mixture.variances.data(), priors.data(), rows.data(), count, flags);
    return Eigen::Map<const Eigen::VectorXf>(theirs.data(), 2 * size * d).cast<double>();
  };
  const auto ours = [&](const FisherOptions& options) -> Vector {
    return FisherToVlfeatOrder(SumFisher({mixture, options}, rows), size) /
           static_cast<double>(count);
  };
  EXPECT_LT((ours(Hard()) - vlfeat(VL_FISHER_FLAG_FAST)).cwiseAbs().maxCoeff(), 1e-5);
  // VLFeat leaves out posteriors below 1e-6, and does not renormalise.
  EXPECT_LT((ours(Soft(1e-6)) - vlfeat(0)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Fisher, GmpOfSoftEncodingsIsThatOfTheirDenseForm) {
  Rng rng(6);
  const FisherEncoder encoder{RandomMixture(rng, 4, 3), Soft(1e-3)};
  const Rows rows = RandomRows(rng, 60, 3);
  const Encodings encodings = Encode(encoder, rows);
  ASSERT_FALSE(encodings.one_block_per_row());
  for (const double lambda : {1.0, 100.0}) {
    const Vector sparse = PoolGmp(encodings, {.lambda = lambda}).phi;
    const Vector dense = PoolGmp(Encodings::Dense(encodings.ToDense()), {.lambda = lambda}).phi;
    EXPECT_LT((sparse - dense).norm(), 1e-5 * dense.norm());
  }
}

TEST(Fisher, IsDefinedForDegenerateInput) {
  Rng rng(7);
  const GaussianMixture mixture = RandomMixture(rng, 3, 4);
  Rows rows = RandomRows(rng, 5, 4);
  rows.row(0) = mixture.means.row(1);
  rows.row(1).setConstant(1e15f);
  rows.row(2).setZero();
  for (const FisherOptions& options : {Hard(), Soft(0)}) {
    const FisherEncoder encoder{mixture, options};
    const Encodings encodings = Encode(encoder, rows);
    EXPECT_TRUE(encodings.ToDense().allFinite());
    EXPECT_TRUE(SumFisher(encoder, rows).allFinite());
    EXPECT_EQ(SumFisher(encoder, Rows(0, 4)), Vector::Zero(24));
    EXPECT_EQ(SumFisher(encoder, Rows()), Vector::Zero(24));
  }
  // Its square leaves the range of float.
  rows.row(1).setConstant(1e25f);
  EXPECT_EQ(Refusal([&] { SumFisher({mixture, Hard()}, rows); }),
            "descriptors must be near enough for their Fisher Vectors to be finite");
  EXPECT_EQ(Refusal([&] { Encode(FisherEncoder{mixture, Hard()}, rows); }).substr(0, 17),
            "encodings: row 1,");
}

TEST(Fisher, OrdersOfOtherLibraries) {
  Vector ours(8), theirs(8);  // two Gaussians of two dimensions
  ours << 1, 2, 5, 6, 3, 4, 7, 8;
  theirs << 1, 2, 3, 4, 5, 6, 7, 8;
  EXPECT_EQ(FisherToVlfeatOrder(ours, 2), theirs);
  EXPECT_EQ(FisherFromVlfeatOrder(theirs, 2), ours);
  EXPECT_EQ(Refusal([&] { FisherToVlfeatOrder(ours, 3); }),
            "a Fisher Vector of 3 Gaussians must have a multiple of 6 values, got 8");
  EXPECT_EQ(Refusal([&] { FisherFromVlfeatOrder(ours, 0); }),
            "a Fisher Vector of 0 Gaussians must have a multiple of 0 values, got 8");
}

TEST(Fisher, RefusesOptionsOutOfRange) {
  Rng rng(8);
  FisherEncoder encoder{RandomMixture(rng, 3, 2), Soft(0)};
  const auto refusal = [&](double threshold) {
    encoder.options.posterior_threshold = threshold;
    return Refusal([&] { CheckEncoder(encoder); });
  };
  EXPECT_EQ(refusal(0), "(accepted)");
  EXPECT_EQ(refusal(1), "fv.posterior_threshold must be in [0, 1), got 1");
  EXPECT_EQ(refusal(-0.1), "fv.posterior_threshold must be in [0, 1), got -0.1");
  EXPECT_EQ(refusal(kNan), "fv.posterior_threshold must be in [0, 1), got nan");
  EXPECT_EQ(Refusal([&] { SumFisher(encoder, Rows::Zero(1, 2)); }),
            "fv.posterior_threshold must be in [0, 1), got nan");
  refusal(0);
  encoder.mixture.weights[0] = 0;
  EXPECT_THROW(CheckEncoder(encoder), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
