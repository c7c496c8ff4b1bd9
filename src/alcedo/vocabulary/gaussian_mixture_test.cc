#include "alcedo/vocabulary/gaussian_mixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <vl/gmm.h>
}

#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/vocabulary/gaussian_mixture_testing.h"

// VLFeat does not free all of a mixture. Read by LeakSanitizer where it is part of the build.
extern "C" const char* __lsan_default_suppressions() { return "leak:libvl.so"; }

namespace alcedo {
namespace {

using mixture_testing::Draw;
using mixture_testing::Message;
using mixture_testing::Naive;
using mixture_testing::RandomMixture;
using mixture_testing::RandomRows;
using ::testing::HasSubstr;

GmmOptions Options(int gaussians, int iterations) {
  GmmOptions options;
  options.gaussians = gaussians;
  options.max_iterations = iterations;
  options.tolerance = 0;
  return options;
}

// One step of EM from the book.
EmStep NaiveStep(const GaussianMixture& mixture, const Rows& rows, const Vector& floors) {
  const Index size = mixture.size(), dimension = mixture.dimension();
  Vector counts = Vector::Zero(size);
  Matrix first = Matrix::Zero(size, dimension), second = first;
  double log_likelihood = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto [posterior, likelihood] = Naive(mixture, rows, i);
    log_likelihood += likelihood / static_cast<double>(rows.rows());
    counts += posterior;
    for (Index k = 0; k < size; ++k) first.row(k) += posterior[k] * rows.row(i).cast<double>();
  }
  for (Index k = 0; k < size; ++k) first.row(k) /= counts[k];
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto [posterior, likelihood] = Naive(mixture, rows, i);
    for (Index k = 0; k < size; ++k) {
      second.row(k) +=
          posterior[k] / counts[k] * (rows.row(i).cast<double>() - first.row(k)).cwiseAbs2();
    }
  }
  for (Index k = 0; k < size; ++k) second.row(k) = second.row(k).cwiseMax(floors.transpose());
  return {{counts / static_cast<double>(rows.rows()), first.cast<float>(), second.cast<float>()},
          log_likelihood};
}

// Means to `tolerance` deviations, variances and weights to that part of themselves.
void ExpectSame(const GaussianMixture& got, const GaussianMixture& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  ASSERT_EQ(got.dimension(), expected.dimension());
  for (Index k = 0; k < got.size(); ++k) {
    ASSERT_NEAR(got.weights[k], expected.weights[k], tolerance * expected.weights[k]) << k;
    for (Index j = 0; j < got.dimension(); ++j) {
      const double variance = expected.variances(k, j);
      ASSERT_NEAR(got.means(k, j), expected.means(k, j), tolerance * std::sqrt(variance));
      ASSERT_NEAR(got.variances(k, j), variance, tolerance * variance);
    }
  }
}

TEST(EmStep, IsThatOfTheBook) {
  for (const Index dimension : {1, 5, 16, 40}) {
    Rng rng(dimension);
    const GaussianMixture mixture = RandomMixture(20, dimension, rng);
    const Rows rows = Draw(mixture, 2000, rng);
    const SampleSource samples(rows);
    const Vector floors = VarianceFloors(samples, 0.01);
    const EmStep expected = NaiveStep(mixture, rows, floors);
    const EmStep got = RunEmStep(samples, mixture, floors);
    ExpectSame(got.mixture, expected.mixture, 1e-4);
    EXPECT_NEAR(got.mean_log_likelihood, expected.mean_log_likelihood,
                1e-5 * std::abs(expected.mean_log_likelihood));
    EXPECT_NEAR(MeanLogLikelihood(mixture, samples, 2), expected.mean_log_likelihood,
                1e-5 * std::abs(expected.mean_log_likelihood));
    CheckGaussianMixture(got.mixture);
  }
}

// Tight Gaussians far from zero and from each other: variances must not drown in the means.
TEST(EmStep, SmallVariancesOfFarGaussians) {
  Rng rng(1);
  GaussianMixture mixture = RandomMixture(6, 8, rng);
  for (Index k = 0; k < 6; ++k) mixture.means.row(k).array() += 3000.0F * static_cast<float>(k);
  const Rows rows = Draw(mixture, 3000, rng);
  const SampleSource samples(rows);
  const Vector floors = Vector::Constant(8, 1e-6);
  ExpectSame(RunEmStep(samples, mixture, floors).mixture, NaiveStep(mixture, rows, floors).mixture,
             1e-3);
}

TEST(EmStep, AgreesWithVlfeat) {
  Rng rng(2);
  GaussianMixture mixture = RandomMixture(10, 16, rng);
  Rows rows = Draw(mixture, 3000, rng);
  mixture.means += 0.1F * RandomRows(10, 16, rng);
  const SampleSource samples(rows);
  const Vector floors = VarianceFloors(samples, 0.001);
  VlGMM* peer = vl_gmm_new(VL_TYPE_FLOAT, 16, 10);
  vl_gmm_set_initialization(peer, VlGMMCustom);
  vl_gmm_set_max_num_iterations(peer, 1);
  std::vector<float> weights(mixture.weights.begin(), mixture.weights.end());
  vl_gmm_set_means(peer, mixture.means.data());
  vl_gmm_set_covariances(peer, mixture.variances.data());
  vl_gmm_set_priors(peer, weights.data());
  vl_gmm_set_covariance_lower_bounds(peer, floors.data());
  vl_gmm_cluster(peer, rows.data(), 3000);
  const auto* means = static_cast<const float*>(vl_gmm_get_means(peer));
  const auto* variances = static_cast<const float*>(vl_gmm_get_covariances(peer));
  const auto* priors = static_cast<const float*>(vl_gmm_get_priors(peer));
  const GaussianMixture theirs{Eigen::Map<const Eigen::VectorXf>(priors, 10).cast<double>(),
                               Eigen::Map<const EigenRows>(means, 10, 16),
                               Eigen::Map<const EigenRows>(variances, 10, 16)};
  // Their exponential is an approximation.
  ExpectSame(RunEmStep(samples, mixture, floors).mixture, theirs, 0.02);
  vl_gmm_delete(peer);
}

TEST(EmStep, LightGaussiansBecomeCopiesOfTheHeaviest) {
  Rng rng(3);
  GaussianMixture mixture = RandomMixture(4, 3, rng);
  const Rows rows = Draw(mixture, 500, rng);
  mixture.means.row(2).setConstant(1e4F);  // nobody is there
  const SampleSource samples(rows);
  const Vector floors = VarianceFloors(samples, 0.01);
  const EmStep expected = NaiveStep(mixture, rows, floors);
  const EmStep got = RunEmStep(samples, mixture, floors, 1e-3);
  CheckGaussianMixture(got.mixture);
  Index heaviest;
  const double weight = expected.mixture.weights.maxCoeff(&heaviest);
  EXPECT_NEAR(got.mixture.weights[2], weight / 2, 1e-4);
  EXPECT_NEAR(got.mixture.weights[heaviest], weight / 2, 1e-4);
  EXPECT_EQ(got.mixture.variances.row(2), got.mixture.variances.row(heaviest));
  const auto moved = (got.mixture.means.row(2) - got.mixture.means.row(heaviest)).array() /
                     got.mixture.variances.row(2).array().sqrt();
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(std::abs(moved[j]), 0.1, 1e-3);

  // Where halves would be too light as well, it keeps its place and the least weight.
  const EmStep kept = RunEmStep(samples, mixture, floors, 0.3);
  CheckGaussianMixture(kept.mixture);
  EXPECT_EQ(kept.mixture.means.row(2), mixture.means.row(2));
  EXPECT_GT(kept.mixture.weights[2], 0.1);
}

TEST(EmStep, FarRowsCountWithTheirNearestGaussian) {
  Rng rng(4);
  const GaussianMixture mixture = RandomMixture(3, 4, rng);
  Rows rows = Draw(mixture, 300, rng);
  rows.row(7) *= 1e4F;
  const SampleSource some(rows);
  const Vector floors = Vector::Constant(4, 1e-3);
  ExpectSame(RunEmStep(some, mixture, floors).mixture, NaiveStep(mixture, rows, floors).mixture,
             1e-3);
  rows.row(8) *= 1e25F;
  const SampleSource samples(rows);
  const EmStep got = RunEmStep(samples, mixture, floors);
  CheckGaussianMixture(got.mixture);
  EXPECT_TRUE(std::isfinite(got.mean_log_likelihood));
}

TEST(FitGaussianMixture, TheLikelihoodRises) {
  Rng rng(5);
  const GaussianMixture truth = RandomMixture(12, 10, rng);
  const Rows rows = Draw(truth, 5000, rng);
  const SampleSource samples(rows);
  double last = -std::numeric_limits<double>::infinity();
  int iterations = 0;
  TrainingReport report;
  const GaussianMixture mixture = FitGaussianMixture(
      samples, Options(12, 40), rng,
      {.report = &report, .observer = [&](const TrainingStep& step, const GaussianMixture& now) {
         EXPECT_EQ(step.iteration, ++iterations);
         EXPECT_EQ(step.max_iterations, 40);
         EXPECT_GE(step.objective, last - 1e-6);
         last = step.objective;
         CheckGaussianMixture(now);
         if (iterations % 10 == 1) {
           EXPECT_EQ(MeanLogLikelihood(now, samples), step.objective);
         }
       }});
  EXPECT_EQ(report.iterations, iterations);
  EXPECT_EQ(report.objective, last);
  EXPECT_EQ(MeanLogLikelihood(mixture, samples), last);
  // As likely as the truth, to what 5000 rows tell.
  EXPECT_GT(last, MeanLogLikelihood(truth, samples) - 0.2);
}

TEST(FitGaussianMixture, StopsByTolerance) {
  Rng rng(6);
  const Rows rows = Draw(RandomMixture(5, 4, rng), 2000, rng);
  const SampleSource samples(rows);
  GmmOptions options = Options(5, 200);
  options.tolerance = 1e-3;
  TrainingReport report;
  std::vector<double> changes;
  FitGaussianMixture(
      samples, options, rng,
      {.report = &report, .observer = [&](const TrainingStep& step, const GaussianMixture&) {
         changes.push_back(step.change);
       }});
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.iterations, 200);
  EXPECT_LE(changes.back(), 1e-3);
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) EXPECT_GT(changes[i], 1e-3);
  options.max_iterations = 1;
  options.tolerance = 0;
  FitGaussianMixture(samples, options, rng, {.report = &report});
  EXPECT_FALSE(report.converged);
}

TEST(FitGaussianMixture, SameBytesForAnyThreadsAndSource) {
  Rng data(7);
  const Rows rows = Draw(RandomMixture(9, 7, data), 15000, data);
  const SampleSource memory(rows);
  const SampleSource reader(rows.rows(), rows.cols(), [&](Index begin, Index count, float* out) {
    std::copy_n(rows.row(begin).data(), count * rows.cols(), out);
  });
  Rng first(1);
  const GaussianMixture one = FitGaussianMixture(memory, Options(17, 4), first);
  for (const int threads : {2, 3, 8}) {
    Rng rng(1);
    const GaussianMixture many =
        FitGaussianMixture(reader, Options(17, 4), rng, {.threads = threads});
    EXPECT_EQ(many.means, one.means);
    EXPECT_EQ(many.variances, one.variances);
    EXPECT_EQ(many.weights, one.weights);
  }
}

TEST(FitGaussianMixture, GoesOnFromAnyIteration) {
  Rng data(8);
  const Rows rows = Draw(RandomMixture(6, 5, data), 2000, data);
  const SampleSource samples(rows);
  GmmOptions options = Options(40, 8);
  options.min_weight = 0.01;  // so that some are replaced on the way
  std::vector<GaussianMixture> seen;
  TrainingReport report;
  Rng rng(2);
  const GaussianMixture whole = FitGaussianMixture(
      samples, options, rng,
      {.report = &report,
       .observer = [&](const TrainingStep&, const GaussianMixture& now) { seen.push_back(now); }});
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    Rng other(77);
    TrainingReport resumed;
    const GaussianMixture rest = FitGaussianMixture(samples, options, other,
                                                    {.threads = 2,
                                                     .report = &resumed,
                                                     .start = &seen[i],
                                                     .start_iteration = static_cast<int>(i) + 1});
    EXPECT_EQ(rest.means, whole.means);
    EXPECT_EQ(rest.variances, whole.variances);
    EXPECT_EQ(rest.weights, whole.weights);
    EXPECT_EQ(resumed.iterations, report.iterations);
    EXPECT_EQ(resumed.objective, report.objective);
  }
}

TEST(FitGaussianMixture, DegenerateSamplesHaveADefinedFit) {
  Rng rng(9);
  const Rows three = RandomRows(3, 4, rng);
  Rows constant = RandomRows(200, 4, rng);
  constant.col(2).setConstant(5);
  const std::vector<Rows> cases = {RandomRows(1, 4, rng),
                                   three.topRows(1).replicate(20, 1),
                                   three.replicate(10, 1),
                                   Rows::Zero(10, 4),
                                   constant,
                                   1e-15F * RandomRows(100, 4, rng),
                                   1e15F * RandomRows(100, 4, rng)};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    SCOPED_TRACE(c);
    const SampleSource samples(cases[c]);
    const Vector floors = VarianceFloors(samples, 0.01);
    TrainingReport report;
    const GaussianMixture mixture =
        FitGaussianMixture(samples, Options(5, 10), rng, {.report = &report});
    CheckGaussianMixture(mixture);
    EXPECT_TRUE(std::isfinite(report.objective));
    for (Index j = 0; j < 4; ++j) {
      EXPECT_GE(mixture.variances.col(j).minCoeff(), static_cast<float>(floors[j]));
    }
    EXPECT_GE(mixture.weights.minCoeff(), 0.9e-6);
  }
  const SampleSource source(constant);
  const Vector floors = VarianceFloors(source, 0.5);
  EXPECT_NEAR(floors[2], (floors[0] + floors[1] + floors[3]) / 4, 1e-12);
  const SampleSource zeros(cases[3]);
  EXPECT_EQ(VarianceFloors(zeros, 0.01), Vector::Constant(4, 0.01));
}

TEST(FitGaussianMixture, ScalingTheSamplesScalesTheFit) {
  Rng data(10);
  const Rows plain = Draw(RandomMixture(5, 6, data), 1000, data);
  Rng first(1);
  const SampleSource plain_samples(plain);
  const GaussianMixture expected = FitGaussianMixture(plain_samples, Options(5, 5), first);
  for (const int exponent : {-50, 50}) {
    const float scale = std::ldexp(1.0F, exponent);
    const Rows rows = scale * plain;
    const SampleSource samples(rows);
    Rng rng(1);
    const GaussianMixture got = FitGaussianMixture(samples, Options(5, 5), rng);
    EXPECT_EQ(got.means, scale * expected.means);
    EXPECT_EQ(got.variances, scale * scale * expected.variances);
    EXPECT_EQ(got.weights, expected.weights);
  }
}

TEST(FitGaussianMixture, RefusesWhatItCannotUse) {
  Rng rng(11);
  Rows rows = RandomRows(3000, 3, rng);
  const SampleSource samples(rows);
  const auto fit = [&](const GmmOptions& options) {
    return Message([&] { FitGaussianMixture(samples, options, rng); });
  };
  GmmOptions options = Options(0, 1);
  EXPECT_EQ(fit(options), "gmm.gaussians must be >= 1, got 0");
  options = Options(2, -1);
  EXPECT_EQ(fit(options), "gmm.max_iterations must be >= 0, got -1");
  options = Options(2, 1);
  options.kmeans_iterations = -1;
  EXPECT_EQ(fit(options), "gmm.kmeans_iterations must be >= 0, got -1");
  options = Options(2, 1);
  options.variance_floor = 0;
  EXPECT_EQ(fit(options), "gmm.variance_floor must be in (0, 1], got 0");
  options = Options(2, 1);
  options.min_weight = 1;
  EXPECT_EQ(fit(options), "gmm.min_weight must be in [0, 1), got 1");
  options = Options(2, 1);
  options.tolerance = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(fit(options), HasSubstr("gmm.tolerance must be finite and >= 0"));
  const Rows none(0, 3);
  const SampleSource empty(none);
  EXPECT_THAT(Message([&] { FitGaussianMixture(empty, Options(2, 1), rng); }),
              HasSubstr("got 0 x 3"));
  const GaussianMixture three = RandomMixture(3, 3, rng), four = RandomMixture(2, 4, rng);
  EXPECT_EQ(Message([&] { FitGaussianMixture(samples, Options(2, 1), rng, {.start = &three}); }),
            "EM start must be 2 Gaussians of 3 dimensions, got 3 of 3");
  EXPECT_THAT(Message([&] { MeanLogLikelihood(three, empty); }), HasSubstr("got 0 x 3"));
  EXPECT_THAT(Message([&] { RunEmStep(samples, four, Vector::Ones(4)); }),
              HasSubstr("got 3000 x 3"));
  EXPECT_THAT(Message([&] { RunEmStep(samples, three, Vector::Ones(2)); }),
              HasSubstr("variance floors must be positive, one per dimension"));
  rows(2999, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(fit(Options(2, 1)), "samples: row 2999, column 1 is NaN");
  rows.setConstant(1e30F);
  rows(0, 0) = 0;
  EXPECT_THAT(fit(Options(2, 1)),
              HasSubstr("variance of the samples must be in the range of float"));
}

TEST(CheckGaussianMixture, NamesWhatIsWrong) {
  Rng rng(12);
  const GaussianMixture good = RandomMixture(3, 4, rng);
  CheckGaussianMixture(good);
  const auto check = [](const GaussianMixture& mixture) {
    return Message([&] { CheckGaussianMixture(mixture); });
  };
  GaussianMixture bad = good;
  bad.weights[1] = 0;
  EXPECT_EQ(check(bad), "Gaussian 1 of the mixture: its weight must be positive and finite, got 0");
  bad = good;
  bad.weights *= 1.01;
  EXPECT_EQ(check(bad), "sum of the weights of a mixture must be 1 (to 1e-6), got 1.01");
  bad = good;
  bad.variances(2, 3) = 0;
  EXPECT_EQ(check(bad), "Gaussian 2 of the mixture: variance 3 must be positive and finite, got 0");
  bad = good;
  bad.variances(0, 1) = std::numeric_limits<float>::infinity();
  EXPECT_THAT(check(bad), HasSubstr("Gaussian 0 of the mixture: variance 1 must be"));
  bad = good;
  bad.means(2, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(check(bad), HasSubstr("Gaussian 2 of the mixture: mean 0 must be finite"));
  bad = good;
  bad.weights = Vector::Constant(4, 0.25);
  EXPECT_THAT(check(bad), HasSubstr("got 4 weights, 3 x 4 means and 3 x 4 variances"));
  bad = good;
  bad.variances = Rows::Ones(3, 3);
  EXPECT_THAT(check(bad), HasSubstr("3 x 3 variances"));
  EXPECT_THAT(check({}), HasSubstr("got 0 weights"));
}

}  // namespace
}  // namespace alcedo
