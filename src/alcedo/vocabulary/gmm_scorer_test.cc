#include "alcedo/vocabulary/gmm_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture_testing.h"

namespace alcedo {
namespace {

using mixture_testing::Draw;
using mixture_testing::Message;
using mixture_testing::Naive;
using mixture_testing::NaiveJoint;
using mixture_testing::RandomMixture;
using mixture_testing::RandomRows;
using ::testing::HasSubstr;

void ExpectJoint(const GaussianMixture& mixture, const Rows& rows, double tolerance) {
  const Index size = mixture.size();
  std::vector<float> joint(rows.rows() * size);
  GmmScorer(mixture).LogJoint(rows.data(), rows.rows(), joint.data());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < size; ++k) {
      const double expected = NaiveJoint(mixture, k, rows, i);
      ASSERT_NEAR(joint[i * size + k], expected, tolerance + 1e-6 * std::abs(expected))
          << "row " << i << " Gaussian " << k;
    }
  }
}

void ExpectMostLikely(const GaussianMixture& mixture, const Rows& rows) {
  std::vector<std::int32_t> most(rows.rows());
  GmmScorer(mixture).MostLikely(rows.data(), rows.rows(), most.data());
  for (Index i = 0; i < rows.rows(); ++i) {
    Index expected = 0;
    for (Index k = 1; k < mixture.size(); ++k) {
      if (NaiveJoint(mixture, k, rows, i) > NaiveJoint(mixture, expected, rows, i)) expected = k;
    }
    ASSERT_EQ(most[i], expected) << i;
  }
}

// Returns the largest error of a posterior.
double ExpectPosteriors(const GaussianMixture& mixture, const Rows& rows, double threshold,
                        double tolerance) {
  const auto got = GmmScorer(mixture).Compute(rows.data(), rows.rows(), threshold, 2);
  EXPECT_EQ(static_cast<Index>(got.offsets.size()), rows.rows() + 1);
  EXPECT_EQ(got.offsets.front(), 0);
  EXPECT_EQ(got.offsets.back(), static_cast<Index>(got.gaussian.size()));
  EXPECT_EQ(got.gaussian.size(), got.posterior.size());
  double largest = 0, dropped = 0, log_likelihood = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto [posterior, likelihood] = Naive(mixture, rows, i);
    log_likelihood += likelihood / static_cast<double>(rows.rows());
    const Index begin = got.offsets[i], end = got.offsets[i + 1];
    double kept = 0, sum = 0;
    for (Index e = begin; e < end; ++e) kept += posterior[got.gaussian[e]];
    dropped += (1 - kept) / static_cast<double>(rows.rows());
    Index e = begin;
    for (Index k = 0; k < mixture.size(); ++k) {
      const bool is_there = e < end && got.gaussian[e] == k;
      if (is_there) {
        largest = std::max(largest, std::abs(got.posterior[e] - posterior[k] / kept));
        EXPECT_GE(posterior[k], std::min(threshold * (1 - tolerance), posterior.maxCoeff()));
        sum += got.posterior[e++];
      } else {
        EXPECT_LT(posterior[k], threshold * (1 + tolerance));
        EXPECT_LT(posterior[k], posterior.maxCoeff() * (1 + tolerance));
      }
    }
    EXPECT_EQ(e, end) << "Gaussians not in order";
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_NEAR(got.dropped, dropped, 1e-6 + tolerance * dropped);
  EXPECT_NEAR(got.mean_log_likelihood, log_likelihood, tolerance + 1e-6 * std::abs(log_likelihood));
  EXPECT_LE(largest, tolerance);
  return largest;
}

TEST(GmmScorer, EveryShapeEqualsTheFormula) {
  for (const Index dimension : {1, 3, 16, 17, 64, 150}) {
    for (const Index gaussians : {1, 2, 16, 17, 70}) {
      Rng rng(1000 * dimension + gaussians);
      const GaussianMixture mixture = RandomMixture(gaussians, dimension, rng);
      const Rows rows = Draw(mixture, 60, rng);
      ExpectJoint(mixture, rows, 1e-3);
      ExpectMostLikely(mixture, rows);
      ExpectPosteriors(mixture, rows, 1e-4, 1e-3);
    }
  }
}

TEST(GmmScorer, ThresholdsDropAndRenormalise) {
  Rng rng(1);
  // Wide Gaussians, so that many posteriors matter.
  GaussianMixture mixture = RandomMixture(40, 8, rng);
  mixture.variances *= 4;
  const Rows rows = Draw(mixture, 1000, rng);
  for (const double threshold : {0.0, 1e-12, 1e-6, 1e-4, 0.01, 0.3, 0.999}) {
    ExpectPosteriors(mixture, rows, threshold, 1e-4);
  }
  const auto all = GmmScorer(mixture).Compute(rows.data(), 1000, 0);
  EXPECT_EQ(all.gaussian.size(), 40000U);
  EXPECT_LE(all.dropped, 1e-6);
  const auto one = GmmScorer(mixture).Compute(rows.data(), 1000, 0.999);
  for (Index i = 0; i < 1000; ++i) EXPECT_EQ(one.offsets[i + 1] - one.offsets[i], 1);
}

TEST(GmmScorer, EqualGaussiansShareAndTheFirstWins) {
  Rng rng(2);
  GaussianMixture mixture = RandomMixture(20, 5, rng);
  for (const Index k : {7, 19}) {
    mixture.means.row(k) = mixture.means.row(3);
    mixture.variances.row(k) = mixture.variances.row(3);
    mixture.weights[k] = mixture.weights[3];
  }
  mixture.weights /= mixture.weights.sum();
  const Rows rows = mixture.means;
  ExpectMostLikely(mixture, rows);
  ExpectPosteriors(mixture, rows, 0.001, 1e-4);
  std::vector<std::int32_t> most(20);
  GmmScorer(mixture).MostLikely(rows.data(), 20, most.data());
  EXPECT_EQ(most[19], 3);
}

TEST(GmmScorer, DecidesNearTiesLikeDouble) {
  Rng rng(3);
  GaussianMixture mixture = RandomMixture(30, 24, rng);
  for (Index k = 1; k < 30; ++k) {
    mixture.means.row(k) = mixture.means.row(0) + 1e-6F * RandomRows(1, 24, rng);
    mixture.variances.row(k) = mixture.variances.row(0);
  }
  mixture.weights.setConstant(1.0 / 30);
  ExpectMostLikely(mixture, Draw(mixture, 100, rng));
}

// Rows and mixtures moved and stretched by powers of two: the same posteriors.
TEST(GmmScorer, AnyScaleAndOffset) {
  Rng rng(4);
  const GaussianMixture plain = RandomMixture(25, 12, rng);
  const Rows plain_rows = Draw(plain, 50, rng);
  for (const int exponent : {-50, -20, 20, 50}) {
    GaussianMixture mixture = plain;
    Rows rows = plain_rows;
    for (Index j = 0; j < 12; ++j) {
      const float scale = std::ldexp(1.0F, j % 2 == 0 ? exponent : exponent / 2);
      mixture.means.col(j) *= scale;
      mixture.variances.col(j) *= scale * scale;
      rows.col(j) *= scale;
    }
    ExpectJoint(mixture, rows, 1e-3);
    ExpectMostLikely(mixture, rows);
    ExpectPosteriors(mixture, rows, 1e-4, 1e-3);
  }
  GaussianMixture mixture = plain;
  Rows rows = plain_rows;
  mixture.means.array() += 1000;
  rows.array() += 1000;
  ExpectPosteriors(mixture, rows, 1e-4, 1e-3);
}

// Variances of very different size, and tight Gaussians far apart: where float alone would be lost.
TEST(GmmScorer, HardMixtures) {
  Rng rng(5);
  GaussianMixture mixture = RandomMixture(20, 10, rng);
  for (Index k = 0; k < 20; ++k) {
    mixture.variances.row(k) *= std::pow(10.0F, static_cast<float>(k % 9) - 4);
  }
  ExpectJoint(mixture, Draw(mixture, 100, rng), 0.01);
  ExpectMostLikely(mixture, Draw(mixture, 100, rng));
  ExpectPosteriors(mixture, Draw(mixture, 100, rng), 1e-4, 0.01);

  mixture = RandomMixture(20, 10, rng);
  for (Index k = 0; k < 20; ++k) mixture.means.row(k).array() += k / 4 * 1e4F;
  ExpectMostLikely(mixture, Draw(mixture, 100, rng));
  ExpectPosteriors(mixture, Draw(mixture, 100, rng), 1e-4, 0.01);
}

TEST(GmmScorer, FarRowsAndFarGaussiansAreDefined) {
  Rng rng(6);
  GaussianMixture mixture = RandomMixture(12, 6, rng);
  mixture.means.row(4) *= 1e9F;
  mixture.means.row(5) *= 1e20F;
  mixture.means.row(6) *= 1e37F;
  Rows rows = Draw(mixture, 60, rng);
  rows.row(0) = mixture.means.row(4);
  rows.row(1) = mixture.means.row(5);
  rows.row(2) = mixture.means.row(6);
  rows.row(3) *= 1e6F;
  rows.row(4) *= 1e15F;
  rows.row(5) *= 1e30F;
  ExpectMostLikely(mixture, rows);
  ExpectPosteriors(mixture, rows, 1e-4, 0.01);
  std::vector<float> joint(60 * 12);
  GmmScorer(mixture).LogJoint(rows.data(), 60, joint.data());
  for (const float v : joint) EXPECT_TRUE(std::isfinite(v));
}

TEST(GmmScorer, ARowDoesNotDependOnItsNeighbours) {
  Rng rng(7);
  const GaussianMixture mixture = RandomMixture(30, 9, rng);
  const Rows rows = Draw(mixture, 1500, rng);
  const GmmScorer scorer(mixture);
  const auto all = scorer.Compute(rows.data(), 1500, 1e-5, 1);
  for (const int threads : {2, 3, 8}) {
    const auto many = scorer.Compute(rows.data(), 1500, 1e-5, threads);
    EXPECT_EQ(many.offsets, all.offsets);
    EXPECT_EQ(many.gaussian, all.gaussian);
    EXPECT_EQ(many.posterior, all.posterior);
    EXPECT_EQ(many.dropped, all.dropped);
    EXPECT_EQ(many.mean_log_likelihood, all.mean_log_likelihood);
  }
  for (const Index i : {0, 77, 1499}) {
    const auto one = scorer.Compute(rows.row(i).data(), 1, 1e-5);
    ASSERT_EQ(one.offsets[1], all.offsets[i + 1] - all.offsets[i]);
    for (Index e = 0; e < one.offsets[1]; ++e) {
      EXPECT_EQ(one.gaussian[e], all.gaussian[all.offsets[i] + e]);
      EXPECT_EQ(one.posterior[e], all.posterior[all.offsets[i] + e]);
    }
  }
}

TEST(GmmScorer, NoRowsAndBadRows) {
  Rng rng(8);
  const GaussianMixture mixture = RandomMixture(3, 4, rng);
  const GmmScorer scorer(mixture);
  EXPECT_EQ(scorer.size(), 3);
  EXPECT_EQ(scorer.dimension(), 4);
  const auto none = scorer.Compute(nullptr, 0, 0.1);
  EXPECT_EQ(none.offsets, std::vector<Index>{0});
  EXPECT_EQ(none.dropped, 0);
  Rows rows = Draw(mixture, 600, rng);
  std::vector<std::int32_t> most(600);
  std::vector<float> joint(600 * 3);
  rows(555, 2) = std::numeric_limits<float>::quiet_NaN();
  const std::string nan = "rows: row 555, column 2 is NaN";
  EXPECT_EQ(Message([&] { scorer.MostLikely(rows.data(), 600, most.data()); }), nan);
  EXPECT_EQ(Message([&] { scorer.LogJoint(rows.data(), 600, joint.data()); }), nan);
  EXPECT_EQ(Message([&] { scorer.Compute(rows.data(), 600, 0.1, 2); }), nan);
  rows(555, 2) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Message([&] { scorer.Compute(rows.data(), 600, 0.1, 2); }),
            "rows: row 555, column 2 is infinite");
  EXPECT_THAT(Message([&] { scorer.Compute(rows.data(), 1, 1); }), HasSubstr("in [0, 1), got 1"));
  EXPECT_THAT(Message([&] { scorer.Compute(rows.data(), 1, -0.1); }), HasSubstr("got -0.1"));
}

}  // namespace
}  // namespace alcedo
