#include "alcedo/pooling/democratic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using test::MessageOf;
using ::testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Encodings beside their kernel, which is computed without the library.
struct Case {
  std::string name;
  Encodings encodings;
  Matrix kernel;
};

Matrix NaiveKernel(const Matrix& dense) {
  Matrix kernel = Matrix::Zero(dense.rows(), dense.rows());
  for (Index n = 0; n < dense.rows(); ++n) {
    for (Index m = 0; m < dense.rows(); ++m) {
      for (Index i = 0; i < dense.cols(); ++i) kernel(n, m) += dense(n, i) * dense(m, i);
    }
  }
  return kernel;
}

float Draw(Rng& rng, double shift) { return static_cast<float>(rng.Normal() + shift); }

Case DenseCase(Rng& rng, Index rows, Index dimension, double shift, float scale) {
  Rows values(rows, dimension);
  for (float& x : values.reshaped()) x = scale * Draw(rng, shift);
  return {"dense", Encodings::Dense(values), NaiveKernel(values.cast<double>())};
}

// One of four blocks in every row, or with `several` each with probability 1/2.
Case BlockCase(Rng& rng, Index rows, Index block_size, double shift, float scale, bool several) {
  std::vector<std::int32_t> blocks;
  std::vector<Index> offsets{0}, row_of;
  for (Index n = 0; n < rows; ++n) {
    const Index only = rng.UniformIndex(4);
    for (Index b = 0; b < 4; ++b) {
      if (several ? rng.Uniform() < 0.5 : b != only) continue;
      blocks.push_back(static_cast<std::int32_t>(b));
      row_of.push_back(n);
    }
    offsets.push_back(static_cast<Index>(blocks.size()));
  }
  Rows values(static_cast<Index>(blocks.size()), block_size);
  Matrix dense = Matrix::Zero(rows, 5 * block_size);
  for (Index e = 0; e < values.rows(); ++e) {
    for (Index i = 0; i < block_size; ++i) {
      values(e, i) = scale * Draw(rng, shift);
      dense(row_of[e], blocks[e] * block_size + i) = values(e, i);
    }
  }
  const Matrix kernel = NaiveKernel(dense);
  if (!several) return {"one block", Encodings::OneBlockPerRow(values, blocks, 5), kernel};
  return {"several blocks", Encodings::SeveralBlocksPerRow(values, blocks, offsets, 5), kernel};
}

// With a shift most similarities are positive, and unclipped problems have a solution.
std::vector<Case> AllCases(double shift, float scale = 1) {
  Rng rng(21);
  return {DenseCase(rng, 1, 4, shift, scale),          DenseCase(rng, 30, 50, shift, scale),
          DenseCase(rng, 300, 3, shift, scale),        BlockCase(rng, 1, 2, shift, scale, false),
          BlockCase(rng, 60, 8, shift, scale, false),  BlockCase(rng, 40, 1, shift, scale, false),
          BlockCase(rng, 50, 300, shift, scale, true), BlockCase(rng, 70, 2, shift, scale, true)};
}

// The largest |alpha_n (K alpha)_n / c_n - 1| over the rows that are not zero, whose weight must
// be 1.
double Deviation(Matrix kernel, const Vector& weights, double gamma, bool clip) {
  if (clip) {
    for (double& k : kernel.reshaped()) k = std::max(k, 0.0);
  }
  double worst = 0;
  for (Index n = 0; n < kernel.rows(); ++n) {
    if (kernel(n, n) == 0) {
      EXPECT_EQ(weights[n], 1);
      continue;
    }
    EXPECT_GT(weights[n], 0);
    double sum = 0, weighted = 0;
    for (Index m = 0; m < kernel.cols(); ++m) {
      sum += kernel(n, m);
      weighted += kernel(n, m) * weights[m];
    }
    worst = std::max(worst, std::abs(weights[n] * weighted / std::pow(sum, gamma) - 1));
  }
  return worst;
}

TEST(Democratic, EveryRowContributesEqually) {
  for (bool clip : {true, false}) {
    for (float scale : {1.f, 1e-18f, 1e18f}) {
      for (const Case& c : AllCases(clip ? 0.2 : 3, scale)) {
        for (double gamma : {0.0, 0.3, 0.5}) {
          SCOPED_TRACE(c.name + (clip ? ", clipped" : ", not clipped"));
          const DemocraticOptions options{.gamma = gamma, .tolerance = 1e-9, .clip_negative = clip};
          const WeightsResult result = DemocraticWeights(c.encodings, options);
          EXPECT_LE(Deviation(c.kernel, result.weights, gamma, clip), 2e-9);
          EXPECT_LE(result.report.residual, 1e-9);
          EXPECT_TRUE(result.report.converged) << result.report.reason;
          EXPECT_EQ(result.report.reason, "");
          EXPECT_EQ(result.report.solver, "sinkhorn");
          EXPECT_EQ(result.report.error_bound, kInf);
        }
      }
    }
  }
}

TEST(Democratic, RepeatedWordsCountBySquareRoot) {
  // Hard BOV: K is 1 between equal words, so alpha = 1 / sqrt(count).
  const Encodings words = Encodings::OneBlockPerRow(Rows::Ones(6, 1), {0, 2, 2, 2, 2, 0}, 3);
  const WeightsResult result = DemocraticWeights(words, {.tolerance = 1e-12});
  const Vector phi = WeightedSum(words, result.weights);
  EXPECT_NEAR(phi[0], std::sqrt(2.0), 1e-10);
  EXPECT_EQ(phi[1], 0);
  EXPECT_NEAR(phi[2], 2, 1e-10);
}

TEST(Democratic, GammaOneIsSumPooling) {
  for (bool clip : {true, false}) {
    for (const Case& c : AllCases(0)) {
      const DemocraticOptions options{.gamma = 1, .clip_negative = clip};
      for (const auto& result :
           {DemocraticWeights(c.encodings, options), DemocraticWeights(c.kernel, options)}) {
        EXPECT_EQ(result.weights, Vector::Ones(c.kernel.rows()));
        EXPECT_TRUE(result.report.converged);
        EXPECT_EQ(result.report.residual, 0);
      }
    }
  }
}

TEST(Democratic, KernelsGiveTheWeightsOfTheirRows) {
  for (bool clip : {true, false}) {
    for (float scale : {1.f, 1e-18f, 1e18f}) {
      for (const Case& c : AllCases(clip ? 0.2 : 3, scale)) {
        const DemocraticOptions options{.gamma = 0.2, .tolerance = 1e-11, .clip_negative = clip};
        const Vector weights = DemocraticWeights(c.encodings, options).weights;
        const WeightsResult whole = DemocraticWeights(c.kernel, options);
        EXPECT_TRUE(whole.report.converged) << whole.report.reason;
        ASSERT_EQ(whole.weights.size(), weights.size());
        for (Index n = 0; n < weights.size(); ++n) {
          EXPECT_NEAR(whole.weights[n], weights[n], 1e-8 * weights[n]) << c.name;
        }
      }
    }
  }
}

TEST(Democratic, DiagonalBlocksEqualTheWholeKernel) {
  Rng rng(22);
  const std::vector<Matrix> blocks{DenseCase(rng, 5, 3, 0, 1).kernel, Matrix(0, 0),
                                   DenseCase(rng, 9, 4, 0, 10).kernel};
  Matrix whole = Matrix::Zero(14, 14);
  whole.topLeftCorner(5, 5) = blocks[0];
  whole.bottomRightCorner(9, 9) = blocks[2];
  const DemocraticOptions options{.tolerance = 1e-11};
  const Vector expected = DemocraticWeights(whole, options).weights;
  const Vector weights = DemocraticWeights(blocks, options).weights;
  ASSERT_EQ(weights.size(), 14);
  for (Index n = 0; n < 14; ++n) EXPECT_NEAR(weights[n], expected[n], 1e-9 * expected[n]);
}

TEST(Democratic, KernelsOfAnyScale) {
  Rng rng(23);
  const Matrix kernel = DenseCase(rng, 12, 5, 0, 1).kernel;
  const Vector weights = DemocraticWeights(kernel, {.tolerance = 1e-10}).weights;
  for (double scale : {1e-300, 1e-36, 1e36, 1e300}) {
    const Vector scaled = DemocraticWeights(Matrix(kernel * scale), {.tolerance = 1e-10}).weights;
    for (Index n = 0; n < 12; ++n) {
      EXPECT_NEAR(scaled[n] * std::sqrt(scale), weights[n], 1e-8 * weights[n]) << scale;
    }
  }
}

TEST(Democratic, RowsOfVeryDifferentScales) {
  Rng rng(24);
  Rows rows(40, 6);
  Matrix dense(40, 6);
  for (Index n = 0; n < 40; ++n) {
    const double scale = std::pow(10.0, 36 * rng.Uniform() - 18);
    for (Index i = 0; i < 6; ++i)
      dense(n, i) = rows(n, i) = static_cast<float>(scale * rng.Normal());
  }
  rows.row(7).setZero();
  dense.row(7).setZero();
  for (double gamma : {0.0, 0.5}) {
    const WeightsResult result =
        DemocraticWeights(Encodings::Dense(rows), {.gamma = gamma, .tolerance = 1e-8});
    EXPECT_TRUE(result.report.converged) << result.report.reason;
    EXPECT_LE(Deviation(NaiveKernel(dense), result.weights, gamma, true), 1e-7);
  }
}

TEST(Democratic, OpposedRowsAreNamed) {
  Rows rows(4, 2);
  rows << 2, 0, 2, 0, 2, 1, -3, 0;
  const WeightsResult result =
      DemocraticWeights(Encodings::Dense(rows), {.tolerance = 1e-9, .clip_negative = false});
  EXPECT_FALSE(result.report.converged);
  EXPECT_THAT(result.report.reason, HasSubstr("1 of 4 rows"));
  EXPECT_THAT(result.report.reason, HasSubstr("row 3"));
  EXPECT_NEAR(result.weights[3], 1.0 / 3, 1e-12);
  EXPECT_TRUE(DemocraticWeights(Encodings::Dense(rows)).report.converged);
}

TEST(Democratic, NoSolutionIsReportedNotHidden) {
  // All rows cancel in pairs or nearly: without clipping there is nothing to converge to.
  Rows rows(4, 2);
  rows << 1, 0.01f, -1, 0.01f, 1, 0.02f, -1, 0.015f;
  const WeightsResult result =
      DemocraticWeights(Encodings::Dense(rows), {.max_iterations = 50, .clip_negative = false});
  EXPECT_FALSE(result.report.converged);
  EXPECT_TRUE(result.weights.allFinite());
}

TEST(Democratic, StopsAtTheIterationsGiven) {
  const Case c = AllCases(0)[2];
  const WeightsResult result =
      DemocraticWeights(c.encodings, {.tolerance = 0, .max_iterations = 3});
  EXPECT_EQ(result.report.iterations, 3);
  EXPECT_FALSE(result.report.converged);
  EXPECT_THAT(result.report.reason, HasSubstr("after 3 iterations"));
  EXPECT_EQ(result.report.hint.option, "democratic.max_iterations");
  EXPECT_NEAR(result.report.residual, Deviation(c.kernel, result.weights, 0, true), 1e-9);
}

TEST(Democratic, NoRowsAndRowsOfZeros) {
  for (bool clip : {true, false}) {
    const DemocraticOptions options{.clip_negative = clip};
    EXPECT_EQ(DemocraticWeights(Encodings::Dense(Rows(0, 3)), options).weights.size(), 0);
    EXPECT_EQ(DemocraticWeights(Matrix(0, 0), options).weights.size(), 0);
    const WeightsResult zeros = DemocraticWeights(Encodings::Dense(Rows::Zero(4, 3)), options);
    EXPECT_EQ(zeros.weights, Vector::Ones(4));
    EXPECT_TRUE(zeros.report.converged);
  }
}

TEST(Democratic, SameBytesForEveryNumberOfThreads) {
  for (bool clip : {true, false}) {
    for (const Case& c : AllCases(0.5)) {
      DemocraticOptions options{.gamma = 0.3, .tolerance = 1e-7, .clip_negative = clip};
      const Vector weights = DemocraticWeights(c.encodings, options).weights;
      for (int threads : {2, 3, 8}) {
        options.threads = threads;
        EXPECT_EQ(DemocraticWeights(c.encodings, options).weights, weights) << c.name;
      }
    }
  }
}

TEST(Democratic, SaysHowMuchMemoryItNeeds) {
  DemocraticOptions options{.max_memory_mib = 0.5};
  const Encodings dense = Encodings::Dense(Rows::Ones(512, 2));
  const test::Refused want{"democratic.max_memory_mib",
                           "must be at least 2.0 for the kernel of these rows", "0.5"};
  EXPECT_EQ(test::RefusalOf([&] { DemocraticWeights(dense, options); }), want);
  EXPECT_EQ(test::RefusalOf([&] { DemocraticWeights(Matrix::Ones(512, 512), options); }), want);
  try {
    DemocraticWeights(dense, options);
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.hint().option, "democratic.clip_negative");
    EXPECT_EQ(error.hint().value, "false");
  }
  options.clip_negative = false;
  EXPECT_TRUE(DemocraticWeights(dense, options).report.converged);
  // Two threads share what there is: block kernels of 0.5 MiB are then made one by one.
  std::vector<std::int32_t> blocks(512);
  for (int n = 0; n < 512; ++n) blocks[n] = n % 2;
  const Encodings halves = Encodings::OneBlockPerRow(Rows::Ones(512, 2), blocks, 2);
  EXPECT_TRUE(DemocraticWeights(halves, {.max_memory_mib = 0.5, .threads = 2}).report.converged);
}

TEST(Democratic, RefusesImpossibleKernels) {
  const auto refusal = [](std::vector<double> values, Index rows, Index cols) {
    return MessageOf(
        [&] { DemocraticWeights(Eigen::Map<EigenMatrix>(values.data(), rows, cols)); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal({1, 0.5, 0.5, 1}, 2, 2), "(accepted)");
  EXPECT_EQ(refusal({1, 0, 0, 1, 0, 0}, 2, 3), "kernel must be square, got 2 x 3");
  EXPECT_EQ(refusal({1, 0, nan, 1}, 2, 2), "kernel: row 1, column 0 is nan, not a finite number");
  EXPECT_EQ(refusal({1, 0.5, 0.4, 1}, 2, 2), "kernel: row 0, column 1 is 0.5, not symmetric");
  EXPECT_THAT(refusal({1, 0, 0, -1}, 2, 2),
              HasSubstr("row 1, column 1 is -1, a negative diagonal"));
  EXPECT_THAT(refusal({1, 2, 2, 1}, 2, 2),
              HasSubstr("row 0, column 1 is 2, more than the diagonal"));
  const std::vector<Matrix> blocks{Matrix::Ones(2, 2), Matrix::Constant(1, 1, kInf)};
  EXPECT_EQ(MessageOf([&] { DemocraticWeights(blocks); }),
            "kernel block 1: row 0, column 0 is inf, not a finite number");
}

TEST(Democratic, PoolsEvenlySpacedRowsOfMany) {
  Rng rng(31);
  const Case all = DenseCase(rng, 20, 6, 0.5, 1);
  DemocraticOptions options;
  options.gamma = 0.3;
  options.most_rows = 5;
  const WeightsResult some = DemocraticWeights(all.encodings, options);
  const std::vector<Index> rows{0, 4, 8, 12, 16};
  options.most_rows = 0;
  const WeightsResult alone = DemocraticWeights(all.encodings.Select(rows), options);
  ASSERT_EQ(some.weights.size(), 20);
  for (Index n = 0; n < 20; ++n) {
    EXPECT_EQ(some.weights[n], n % 4 == 0 ? alone.weights[n / 4] : 0) << n;
  }
  options.most_rows = 20;  // no more than there are
  const WeightsResult whole = DemocraticWeights(all.encodings, options);
  options.most_rows = 0;
  EXPECT_EQ(whole.weights, DemocraticWeights(all.encodings, options).weights);
  options.most_rows = 5;
  options.clip_negative = false;
  EXPECT_THROW(DemocraticWeights(all.encodings, options), InvalidArgument);
  options = {.most_rows = -1};
  EXPECT_THROW(DemocraticWeights(all.encodings, options), InvalidArgument);
}

TEST(Democratic, RefusesImpossibleOptions) {
  const Encodings e = Encodings::Dense(Rows::Ones(2, 2));
  EXPECT_EQ(MessageOf([&] { DemocraticWeights(e, {.gamma = -0.1}); }),
            "democratic.gamma must be in [0, 1], got -0.1");
  EXPECT_THROW(DemocraticWeights(e, {.gamma = 1.5}), InvalidArgument);
  EXPECT_THROW(DemocraticWeights(e, {.tolerance = -1}), InvalidArgument);
  EXPECT_THROW(DemocraticWeights(e, {.max_iterations = 0}), InvalidArgument);
  EXPECT_THROW(DemocraticWeights(e, {.max_memory_mib = 0}), InvalidArgument);
  EXPECT_THROW(DemocraticWeights(Matrix::Ones(2, 2), {.threads = 0}), InvalidArgument);
}

// The kernels are shared, the answers are those of one gamma at a time.
TEST(DemocraticPath, MembersMayDifferInEverything) {
  for (const auto& c : AllCases(0.5)) {
    const std::vector<DemocraticOptions> path{{.gamma = 0.5},
                                              {.gamma = 0.5, .tolerance = 1e-9},
                                              {.gamma = 0, .max_iterations = 2},
                                              {.gamma = 0}};
    const std::vector<WeightsResult> all = DemocraticPath(c.encodings, path);
    for (std::size_t i = 0; i < path.size(); ++i) {
      EXPECT_EQ(all[i].weights, DemocraticWeights(c.encodings, path[i]).weights) << i;
    }
  }
}

TEST(DemocraticPath, EqualsEveryGammaByItself) {
  const std::vector<double> gammas{0.5, 0, 1, 0.25};
  for (const bool clip : {true, false}) {
    for (const Case& c : AllCases(0.5)) {
      DemocraticOptions options;
      options.clip_negative = clip;
      const std::vector<WeightsResult> path =
          DemocraticPath(c.encodings, ForGammas(gammas, options));
      ASSERT_EQ(path.size(), gammas.size());
      for (std::size_t g = 0; g < gammas.size(); ++g) {
        options.gamma = gammas[g];
        const WeightsResult one = DemocraticWeights(c.encodings, options);
        EXPECT_EQ(path[g].weights, one.weights) << c.name << " gamma " << gammas[g];
        EXPECT_EQ(path[g].report.residual, one.report.residual);
      }
    }
  }
  DemocraticOptions options;
  EXPECT_TRUE(DemocraticPath(AllCases(0.5)[0].encodings, {}).empty());
  EXPECT_THROW(
      DemocraticPath(AllCases(0.5)[0].encodings, ForGammas(std::vector<double>{0.5, 2}, options)),
      InvalidArgument);
}

}  // namespace
}  // namespace alcedo
