// Several processes that fit one model, each with samples of its own: here they are threads.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/ranks_testing.h"
#include "alcedo/base/training.h"
#include "alcedo/vocabulary/dictionary.h"
#include "alcedo/vocabulary/gaussian_mixture.h"
#include "alcedo/vocabulary/gaussian_mixture_em.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {
namespace {

using ranks_testing::FitParts;
using ranks_testing::RunRanks;

// Clusters of unequal size, some rows that are zero, and a few far away.
Rows Samples(Index count, Index dimension) {
  Rng rng(3);
  Rows rows(count, dimension);
  for (float& x : rows.reshaped()) x = static_cast<float>(rng.Normal());
  for (Index n = 0; n < count; ++n) {
    rows.row(n).array() += static_cast<float>(4 * (n % 5) * (n % 3));
    if (n % 97 == 0) rows.row(n).setZero();
    if (n % 1009 == 0) rows.row(n).setConstant(static_cast<float>(100 + n % 7));
  }
  return rows;
}

struct Fitted {
  Codebook codebook;
  TrainingReport report;
};
Fitted KMeans(const SampleSource& samples, const Ranks& ranks, int threads, int clusters = 12) {
  Fitted fitted;
  Rng rng(7);
  fitted.codebook = FitKMeans(samples, {.clusters = clusters, .max_iterations = 6}, rng,
                              {.threads = threads, .report = &fitted.report, .ranks = ranks});
  return fitted;
}

TEST(Ranks, KMeansHasTheBytesOfOneProcess) {
  const Index d = 5, count = 14000, grain = SampleGrain(count, d, 12 * d);
  ASSERT_LT(3 * grain, count);
  const Rows rows = Samples(count, d);
  const Fitted one = KMeans(SampleSource(rows), {}, 1);
  for (const auto& sizes : {std::vector<Index>{grain, count - grain},
                            std::vector<Index>{0, 2 * grain, grain, count - 3 * grain, 0}}) {
    const auto fit = [](const SampleSource& s, const Ranks& r, int t) { return KMeans(s, r, t); };
    for (const Fitted& fitted : FitParts<Fitted>(rows, sizes, fit)) {
      EXPECT_EQ(fitted.codebook.centers, one.codebook.centers);
      EXPECT_EQ(fitted.codebook.weights, one.codebook.weights);
      EXPECT_EQ(fitted.report.objective, one.report.objective);
      EXPECT_EQ(fitted.report.iterations, one.report.iterations);
    }
  }
}

TEST(Ranks, KMeansOnOtherPartsIsTheSameOnAllRanksAndUpToRounding) {
  const Index count = 9000;
  const Rows rows = Samples(count, 5);
  const Fitted one = KMeans(SampleSource(rows), {}, 1);
  const auto fit = [](const SampleSource& s, const Ranks& r, int t) { return KMeans(s, r, t); };
  const auto all = FitParts<Fitted>(rows, {1234, 777, count - 1234 - 777}, fit);
  for (const Fitted& fitted : all) {
    EXPECT_EQ(fitted.codebook.centers, all[0].codebook.centers);
    EXPECT_TRUE(fitted.codebook.centers.isApprox(one.codebook.centers, 1e-6f));
    EXPECT_NEAR(fitted.report.objective, one.report.objective, 1e-12 * one.report.objective);
  }
}

// More clusters than distinct rows, and rows that only one rank has: empty clusters are repaired.
TEST(Ranks, KMeansRepairsEmptyClustersTogether) {
  const Index count = 6000, grain = SampleGrain(count, 3, 3 * 16);
  Rows rows(count, 3);
  for (Index n = 0; n < count; ++n) rows.row(n).setConstant(static_cast<float>(n % 11));
  rows.row(77) << 50, 1, 2;
  rows.row(5000) << 1, 80, 2;
  // A start that leaves clusters empty.
  Codebook start{Rows::Constant(16, 3, 3.5f), Vector::Constant(16, 1.0 / 16)};
  const auto fit = [&](const SampleSource& samples, const Ranks& ranks, int threads) {
    Rng rng(1);
    return FitKMeans(samples, {.clusters = 16}, rng,
                     {.threads = threads, .start = &start, .ranks = ranks});
  };
  const Codebook one = fit(SampleSource(rows), {}, 1);
  EXPECT_EQ((one.weights.array() > 0).count(), 13);
  for (const Codebook& codebook : FitParts<Codebook>(rows, {grain, count - grain}, fit)) {
    EXPECT_EQ(codebook.centers, one.centers);
    EXPECT_EQ(codebook.weights, one.weights);
  }
}

TEST(Ranks, GaussianMixtureHasTheBytesOfOneProcess) {
  const Index d = 6, count = 8000, grain = SampleGrain(count, d, 2 * 9 * d);
  const Rows rows = Samples(count, d);
  const auto fit = [](const SampleSource& samples, const Ranks& ranks, int threads) {
    Rng rng(5);
    return FitGaussianMixture(samples,
                              {.gaussians = 9, .kmeans_iterations = 3, .max_iterations = 4}, rng,
                              {.threads = threads, .ranks = ranks});
  };
  const GaussianMixture one = fit(SampleSource(rows), {}, 1);
  for (const GaussianMixture& mixture :
       FitParts<GaussianMixture>(rows, {grain, grain, count - 2 * grain}, fit)) {
    EXPECT_EQ(mixture.weights, one.weights);
    EXPECT_EQ(mixture.means, one.means);
    EXPECT_EQ(mixture.variances, one.variances);
  }
  // Moments are added in float inside a block of rows, and blocks begin elsewhere.
  const auto others = FitParts<GaussianMixture>(rows, {3001, count - 3001}, fit);
  EXPECT_EQ(others[0].means, others[1].means);
  EXPECT_TRUE(others[0].weights.isApprox(one.weights, 1e-5));
  EXPECT_TRUE(others[0].variances.isApprox(one.variances, 1e-5f));
}

TEST(Ranks, DictionaryHasTheBytesOfOneProcess) {
  const Index count = 9000;
  const Rows rows = Samples(count, 6);
  const auto fit = [](const SampleSource& samples, const Ranks& ranks, int threads) {
    Rng rng(5);
    return FitDictionary(samples, {.atoms = 10, .l1 = 1, .max_iterations = 3}, rng,
                         {.threads = threads, .ranks = ranks});
  };
  const Dictionary one = fit(SampleSource(rows), {}, 1);
  for (const Dictionary& dictionary : FitParts<Dictionary>(rows, {4096, count - 4096}, fit)) {
    EXPECT_EQ(dictionary.atoms, one.atoms);
  }
  const auto others = FitParts<Dictionary>(rows, {5000, count - 5000}, fit);
  EXPECT_EQ(others[0].atoms, others[1].atoms);
  EXPECT_TRUE(others[0].atoms.isApprox(one.atoms, 1e-5f));
}

TEST(Ranks, AllStopWhenOneCannotUseItsSamples) {
  Rows rows = Samples(5000, 4);
  rows(4000, 2) = std::numeric_limits<float>::quiet_NaN();
  std::vector<Rows> parts = {rows.topRows(2500), rows.bottomRows(2500)};
  std::vector<std::string> messages(2);
  RunRanks(2, [&](int rank, const Ranks& ranks) {
    try {
      KMeans(SampleSource(parts[rank]), ranks, 1);
    } catch (const Error& error) {
      messages[rank] = error.what();
    }
  });
  EXPECT_EQ(messages[0], "rank 1 of 2 could not use its samples");
  EXPECT_EQ(messages[1], "samples: row 1500, column 2 is NaN");
}

TEST(Ranks, RefusesWhatDoesNotFit) {
  const Rows rows = Samples(10, 4);
  const auto message = [&](const Ranks& ranks) {
    try {
      KMeans(SampleSource(rows), ranks, 1, 2);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("(accepted)");
  };
  EXPECT_EQ(message({0, 1, nullptr}), "(accepted)");
  EXPECT_EQ(message({0, 0, nullptr}), "ranks.count must be >= 1, got 0");
  EXPECT_EQ(message({2, 2, nullptr}), "ranks.rank must be from 0 to 1, got 2");
  EXPECT_EQ(message({1, 2, nullptr}), "ranks.all_reduce must be set");
  std::vector<std::string> messages(2);
  RunRanks(2, [&](int rank, const Ranks& ranks) {
    const Rows own = Samples(10, 4 + rank);
    try {
      KMeans(SampleSource(own), ranks, 1, 2);
    } catch (const InvalidArgument& error) {
      messages[rank] = error.what();
    }
  });
  EXPECT_EQ(messages[0],
            "the samples of all ranks must have one dimension, got 4 of rank 0 and 5 of rank 1");
  EXPECT_EQ(messages[1], messages[0]);
}

// Statistics against sums in the naive way, and through the wire.
TEST(SufficientStatistics, OfClustersAddUpAndCanBeSent) {
  const Rows rows = Samples(300, 3), centers = Samples(4, 3);
  const Rows first = rows.topRows(120), second = rows.bottomRows(180);
  ClusterSums sums = SumClusters(SampleSource(first), centers);
  ClusterSums received(4, 3);
  const std::vector<double> wire = ToValues(SumClusters(SampleSource(second), centers));
  ASSERT_EQ(wire.size(), 4u + 12u + 1u);
  SetValues(received, wire);
  sums.Add(received);

  ClusterSums naive(4, 3);
  for (Index n = 0; n < rows.rows(); ++n) {
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < 4; ++k) {
      const double distance =
          (rows.row(n).cast<double>() - centers.row(k).cast<double>()).squaredNorm();
      if (distance < least) least = distance, best = k;
    }
    naive.counts[best] += 1;
    naive.sums.row(best) += rows.row(n).cast<double>();
    naive.error += least;
  }
  EXPECT_EQ(sums.counts, naive.counts);
  EXPECT_TRUE(sums.sums.isApprox(naive.sums, 1e-12));
  EXPECT_NEAR(sums.error, naive.error, 1e-5 * naive.error);
}

TEST(SufficientStatistics, OfMixturesAndCodesAddUp) {
  const Rows rows = Samples(500, 3);
  const Rows first = rows.topRows(200), second = rows.bottomRows(300);
  const GaussianMixture mixture{Vector::Constant(2, 0.5), Samples(2, 3), Rows::Constant(2, 3, 50)};
  MixtureSums sums = SumPosteriors(SampleSource(first), mixture, 1);
  sums.Add(SumPosteriors(SampleSource(second), mixture, 1));
  const MixtureSums whole = SumPosteriors(SampleSource(rows), mixture, 1);
  EXPECT_NEAR(sums.counts.sum(), 500, 1e-4);
  EXPECT_TRUE(sums.counts.isApprox(whole.counts, 1e-12));
  EXPECT_TRUE(sums.second.isApprox(whole.second, 1e-6));
  EXPECT_NEAR(sums.log_likelihood, whole.log_likelihood, 1e-9);
  MixtureSums received = SumPosteriors(SampleSource(first), mixture, 1);
  SetValues(received, ToValues(whole));
  EXPECT_EQ(received.first, whole.first);
  EXPECT_EQ(received.log_likelihood, whole.log_likelihood);

  Dictionary dictionary{Samples(4, 3)};
  dictionary.atoms.row(0).setOnes();
  dictionary.atoms.rowwise().normalize();
  CodeSums codes = SumCodes(dictionary, SampleSource(first), 0.5, 1);
  codes.Add(SumCodes(dictionary, SampleSource(second), 0.5, 1));
  const CodeSums all = SumCodes(dictionary, SampleSource(rows), 0.5, 1);
  EXPECT_TRUE(codes.codes.isApprox(all.codes, 1e-12));
  EXPECT_TRUE(codes.products.isApprox(all.products, 1e-12));
  EXPECT_EQ(ToValues(all).size(), 1u + 16u + 12u);
}

}  // namespace
}  // namespace alcedo
