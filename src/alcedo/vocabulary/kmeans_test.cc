#include "alcedo/vocabulary/kmeans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <vl/kmeans.h>
}

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

using ::testing::HasSubstr;

Rows RandomRows(Index count, Index dimension, Rng& rng) {
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

// Rows around `groups` places.
Rows GroupedRows(Index count, Index dimension, Index groups, float spread, Rng& rng) {
  const Rows places = RandomRows(groups, dimension, rng);
  Rows rows = spread * RandomRows(count, dimension, rng);
  for (Index i = 0; i < count; ++i) rows.row(i) += places.row(rng.UniformIndex(groups));
  return rows;
}

double NaiveDistance(const Rows& a, Index i, const Rows& b, Index k) {
  double sum = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double t = double{a(i, j)} - b(k, j);
    sum += t * t;
  }
  return sum;
}

std::vector<std::int32_t> NaiveNearest(const Rows& centers, const Rows& rows, Index count) {
  std::vector<std::int32_t> result;
  for (Index i = 0; i < rows.rows(); ++i) {
    std::vector<std::pair<double, std::int32_t>> all;
    for (Index k = 0; k < centers.rows(); ++k) {
      all.emplace_back(NaiveDistance(rows, i, centers, k), static_cast<std::int32_t>(k));
    }
    std::sort(all.begin(), all.end());
    for (Index c = 0; c < count; ++c) result.push_back(all[c].second);
  }
  return result;
}

double NaiveError(const Rows& centers, const Rows& rows) {
  const auto nearest = NaiveNearest(centers, rows, 1);
  double sum = 0;
  for (Index i = 0; i < rows.rows(); ++i) sum += NaiveDistance(rows, i, centers, nearest[i]);
  return sum / static_cast<double>(rows.rows());
}

void ExpectNearestAsNaive(const Rows& centers, const Rows& rows) {
  EXPECT_EQ(AssignNearest(centers, rows), NaiveNearest(centers, rows, 1));
  for (const Index k : {Index{1}, std::min<Index>(5, centers.rows()), centers.rows()}) {
    Rows distances;
    const auto nearest = AssignNearestK(centers, rows, k, &distances, 2);
    ASSERT_EQ(nearest, NaiveNearest(centers, rows, k));
    ASSERT_EQ(distances.rows(), rows.rows());
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index c = 0; c < k; ++c) {
        const double expected = NaiveDistance(rows, i, centers, nearest[i * k + c]);
        ASSERT_NEAR(distances(i, c), expected, 1e-7 * expected);
        ASSERT_GE(distances(i, c), 0);
      }
    }
  }
}

TEST(AssignNearest, EveryShapeEqualsTheNaiveSearch) {
  for (const Index dimension : {1, 3, 16, 17, 64, 130, 300}) {
    for (const Index clusters : {1, 2, 15, 17, 40, 257}) {
      Rng rng(1000 * dimension + clusters);
      const Rows centers = RandomRows(clusters, dimension, rng);
      ExpectNearestAsNaive(centers, RandomRows(99, dimension, rng));
    }
  }
}

TEST(AssignNearest, TiesGoToTheLowestIndex) {
  Rng rng(1);
  Rows centers = RandomRows(40, 20, rng);
  for (const auto& [to, from] : {std::pair{39, 3}, {12, 3}, {20, 19}, {38, 37}}) {
    centers.row(to) = centers.row(from);
  }
  Rows rows = RandomRows(60, 20, rng);
  rows.topRows(40) = centers;
  ExpectNearestAsNaive(centers, rows);
  ExpectNearestAsNaive(Rows::Zero(33, 4), Rows::Zero(5, 4));
  // In the middle between two centres.
  Rows two(2, 1), middle(1, 1);
  two << 3, 1;
  middle << 2;
  EXPECT_EQ(AssignNearest(two, middle)[0], 0);
}

// Differences that are far below the error of the scores, and of float.
TEST(AssignNearest, DecidesNearTiesLikeDouble) {
  Rng rng(2);
  Rows centers(64, 32), rows(200, 32);
  const Rows place = RandomRows(1, 32, rng);
  for (Index k = 0; k < 64; ++k) centers.row(k) = place + 1e-6F * RandomRows(1, 32, rng);
  for (Index i = 0; i < 200; ++i) rows.row(i) = place + 1e-6F * RandomRows(1, 32, rng);
  ExpectNearestAsNaive(centers, rows);
  centers.array() += 100;
  rows.array() += 100;
  ExpectNearestAsNaive(centers, rows);
}

TEST(AssignNearest, AnyScaleAndFarRows) {
  for (const float scale : {1e-30F, 1e-15F, 1e-6F, 1e6F, 1e15F, 1e30F}) {
    Rng rng(3);
    const Rows centers = scale * RandomRows(50, 20, rng), rows = scale * RandomRows(60, 20, rng);
    EXPECT_EQ(AssignNearest(centers, rows), NaiveNearest(centers, rows, 1)) << scale;
    EXPECT_EQ(AssignNearestK(centers, rows, 3, nullptr), NaiveNearest(centers, rows, 3)) << scale;
  }
  Rng rng(4);
  Rows centers = RandomRows(50, 20, rng), rows = RandomRows(60, 20, rng);
  rows.row(5) *= 1e10F;
  rows.row(6) *= 1e20F;
  rows.row(7) *= 1e37F;
  centers.row(8) *= 1e12F;
  centers.row(9) *= 1e25F;
  centers.row(10) *= 1e37F;
  rows.row(11) = centers.row(8);
  rows.row(12) = centers.row(10);
  EXPECT_EQ(AssignNearest(centers, rows), NaiveNearest(centers, rows, 1));
  // Seen from the farthest rows some centres are equally far in double: any order of them is right.
  Rows distances;
  const auto order = AssignNearestK(centers, rows, 50, &distances);
  for (Index i = 0; i < 60; ++i) {
    for (Index c = 1; c < 50; ++c) {
      const double before = NaiveDistance(rows, i, centers, order[i * 50 + c - 1]);
      EXPECT_GE(NaiveDistance(rows, i, centers, order[i * 50 + c]), before * (1 - 1e-14));
    }
  }
  EXPECT_TRUE(distances.allFinite());
}

TEST(AssignNearest, SameForAnyNumberOfThreadsAndAnyStride) {
  Rng rng(5);
  const Rows centers = RandomRows(30, 12, rng), rows = RandomRows(2000, 12, rng);
  const auto one = AssignNearest(centers, rows, 1);
  const auto three = AssignNearestK(centers, rows, 4, nullptr, 3);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(AssignNearest(centers, rows, threads), one);
  EXPECT_EQ(AssignNearestK(centers, rows, 4, nullptr, 1), three);
  Rows wide = RandomRows(2000, 20, rng);
  wide.middleCols(3, 12) = rows;
  EXPECT_EQ(AssignNearest(centers, wide.middleCols(3, 12)), one);
  EXPECT_TRUE(AssignNearest(centers, Rows(0, 12)).empty());
}

template <class Call>
std::string Message(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no InvalidArgument";
}

TEST(AssignNearest, RefusesWhatItCannotUse) {
  Rng rng(6);
  const Rows centers = RandomRows(4, 3, rng);
  Rows rows = RandomRows(700, 3, rng);
  EXPECT_EQ(Message([&] { AssignNearest(centers, Rows::Zero(2, 4)); }),
            "rows must have the 3 dimensions of the centers, got 4");
  EXPECT_EQ(Message([&] { AssignNearestK(centers, rows, 5, nullptr); }),
            "number of nearest centers must be from 1 to 4, got 5");
  EXPECT_EQ(Message([&] { AssignNearestK(centers, rows, 0, nullptr); }),
            "number of nearest centers must be from 1 to 4, got 0");
  EXPECT_EQ(Message([&] { AssignNearest(Rows(0, 3), rows); }),
            "number of centers must be >= 1, got 0");
  rows(600, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Message([&] { AssignNearest(centers, rows, 2); }), "rows: row 600, column 2 is NaN");
  rows(600, 2) = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(Message([&] { AssignNearestK(centers, rows, 2, nullptr); }),
            "rows: row 600, column 2 is infinite");
  EXPECT_EQ(Message([&] { AssignNearest(rows, centers); }),
            "centers: row 600, column 2 is infinite");
}

// One iteration of Lloyd's algorithm from the book.
Rows NaiveLloyd(const Rows& centers, const Rows& rows) {
  const auto nearest = NaiveNearest(centers, rows, 1);
  Matrix sums = Matrix::Zero(centers.rows(), centers.cols());
  Vector counts = Vector::Zero(centers.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    sums.row(nearest[i]) += rows.row(i).cast<double>();
    counts[nearest[i]] += 1;
  }
  for (Index k = 0; k < centers.rows(); ++k) sums.row(k) /= counts[k];
  return sums.cast<float>();
}

KMeansOptions Options(int clusters, int iterations, double tolerance = 0) {
  return {clusters, iterations, tolerance};
}

void ExpectConsistent(const Codebook& codebook, const Rows& rows, double objective) {
  EXPECT_TRUE(codebook.centers.allFinite());
  EXPECT_NEAR(codebook.weights.sum(), 1, 1e-12);
  const auto nearest = NaiveNearest(codebook.centers, rows, 1);
  Vector counts = Vector::Zero(codebook.size());
  for (const auto k : nearest) counts[k] += 1;
  EXPECT_EQ(codebook.weights, counts / static_cast<double>(rows.rows()));
  const double error = NaiveError(codebook.centers, rows);
  EXPECT_NEAR(objective, error, 1e-12 * error);
}

TEST(FitKMeans, AnIterationIsThatOfTheBook) {
  Rng rng(7);
  const Rows rows = GroupedRows(3000, 10, 20, 0.4F, rng);
  Codebook start{rows.topRows(24), Vector()};
  const SampleSource samples(rows);
  TrainingReport report;
  const Codebook one =
      FitKMeans(samples, Options(24, 1), rng, {.report = &report, .start = &start});
  const Rows naive = NaiveLloyd(start.centers, rows);
  EXPECT_LE((one.centers - naive).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(report.iterations, 1);
  ExpectConsistent(one, rows, report.objective);
}

TEST(FitKMeans, TheErrorFallsToAFixedPoint) {
  Rng rng(8);
  const Rows rows = GroupedRows(4000, 8, 10, 0.5F, rng);
  const SampleSource samples(rows);
  TrainingReport report;
  double last = std::numeric_limits<double>::infinity();
  int iterations = 0;
  const Codebook codebook =
      FitKMeans(samples, Options(16, 500), rng,
                {.report = &report, .observer = [&](const TrainingStep& step, const Codebook& now) {
                   EXPECT_EQ(step.iteration, ++iterations);
                   EXPECT_EQ(step.max_iterations, 500);
                   EXPECT_LE(step.objective, last);
                   if (iterations > 1) {
                     EXPECT_NEAR(step.change, (last - step.objective) / last, 1e-12);
                   }
                   last = step.objective;
                   if (iterations % 20 == 1) ExpectConsistent(now, rows, step.objective);
                 }});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, iterations);
  EXPECT_EQ(report.objective, last);
  ExpectConsistent(codebook, rows, last);
  EXPECT_LE((NaiveLloyd(codebook.centers, rows) - codebook.centers).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(FitKMeans, FindsSeparateGroups) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    const Rows rows = GroupedRows(2000, 20, 8, 0.01F, rng);
    const SampleSource samples(rows);
    const Codebook codebook = FitKMeans(samples, Options(8, 50), rng);
    EXPECT_LT(NaiveError(codebook.centers, rows), 20 * 0.01 * 0.01 * 1.1);
  }
}

TEST(FitKMeans, StopsByTolerance) {
  Rng rng(9);
  const Rows rows = GroupedRows(2000, 8, 10, 0.5F, rng);
  const SampleSource samples(rows);
  std::vector<double> changes;
  TrainingReport report;
  FitKMeans(samples, Options(16, 100, 0.01), rng,
            {.report = &report, .observer = [&](const TrainingStep& step, const Codebook&) {
               changes.push_back(step.change);
             }});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(changes.back(), 0.01);
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) EXPECT_GT(changes[i], 0.01);
  FitKMeans(samples, Options(16, 1, 0), rng, {.report = &report});
  EXPECT_FALSE(report.converged);
}

TEST(FitKMeans, SameBytesForAnyThreadsAndSource) {
  Rng data(10);
  const Rows rows = GroupedRows(20000, 6, 30, 0.5F, data);
  const SampleSource memory(rows);
  const SampleSource reader(rows.rows(), rows.cols(), [&](Index begin, Index count, float* out) {
    std::copy_n(rows.row(begin).data(), count * rows.cols(), out);
  });
  Rng first(1);
  const Codebook one = FitKMeans(memory, Options(40, 5), first);
  for (const int threads : {2, 3, 8}) {
    Rng rng(1);
    const Codebook many = FitKMeans(reader, Options(40, 5), rng, {.threads = threads});
    EXPECT_EQ(many.centers, one.centers);
    EXPECT_EQ(many.weights, one.weights);
  }
}

TEST(FitKMeans, GoesOnFromAnyIteration) {
  Rng data(11);
  const Rows rows = GroupedRows(3000, 5, 9, 0.5F, data);
  const SampleSource samples(rows);
  std::vector<Codebook> seen;
  Rng rng(2);
  TrainingReport report;
  const Codebook whole = FitKMeans(
      samples, Options(30, 12), rng,
      {.report = &report,
       .observer = [&](const TrainingStep&, const Codebook& now) { seen.push_back(now); }});
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    Rng other(99);
    TrainingReport resumed;
    const Codebook rest = FitKMeans(samples, Options(30, 12), other,
                                    {.threads = 2,
                                     .report = &resumed,
                                     .start = &seen[i],
                                     .start_iteration = static_cast<int>(i) + 1});
    EXPECT_EQ(rest.centers, whole.centers);
    EXPECT_EQ(rest.weights, whole.weights);
    EXPECT_EQ(resumed.iterations, report.iterations);
    EXPECT_EQ(resumed.objective, report.objective);
  }
}

// Expects `distinct` clusters with samples, the others at the end, repeating the first.
void ExpectUnused(const Codebook& codebook, Index distinct) {
  for (Index k = 0; k < codebook.size(); ++k) {
    if (k < distinct) {
      EXPECT_GT(codebook.weights[k], 0) << k;
    } else {
      EXPECT_EQ(codebook.weights[k], 0) << k;
      EXPECT_EQ(codebook.centers.row(k), codebook.centers.row(0)) << k;
    }
  }
}

TEST(FitKMeans, FewerDistinctRowsThanClusters) {
  Rng rng(12);
  const Rows places = RandomRows(5, 4, rng);
  Rows rows(300, 4);
  for (Index i = 0; i < 300; ++i) rows.row(i) = places.row(i % 5);
  const SampleSource samples(rows);
  TrainingReport report;
  Codebook codebook = FitKMeans(samples, Options(9, 10), rng, {.report = &report});
  ExpectUnused(codebook, 5);
  EXPECT_EQ(report.objective, 0);
  EXPECT_TRUE(report.converged);
  ExpectConsistent(codebook, rows, 0);

  // One row; equal rows; more clusters than rows.
  for (const Index count : {1, 7}) {
    const Rows same = places.topRows(1).replicate(count, 1);
    const SampleSource source(same);
    codebook = FitKMeans(source, Options(3, 10), rng, {.report = &report});
    ExpectUnused(codebook, 1);
    EXPECT_EQ(codebook.centers.row(0), same.row(0));
    EXPECT_EQ(report.objective, 0);
  }
  const SampleSource few(places);
  codebook = FitKMeans(few, Options(8, 10), rng, {.report = &report});
  ExpectUnused(codebook, 5);
  ExpectConsistent(codebook, places, 0);
}

// From a bad start all rows are nearest to one centre, and the others have to be found.
TEST(FitKMeans, EmptyClustersTakeTheFarthestRows) {
  Rng rng(13);
  const Rows rows = GroupedRows(1000, 6, 5, 0.01F, rng);
  const SampleSource samples(rows);
  Codebook start{Rows::Constant(5, 6, 1000), Vector()};
  start.centers.row(0).setZero();
  TrainingReport report;
  const Codebook codebook =
      FitKMeans(samples, Options(5, 20), rng, {.report = &report, .start = &start});
  for (Index k = 0; k < 5; ++k) EXPECT_GT(codebook.weights[k], 0);
  ExpectConsistent(codebook, rows, report.objective);
  // The first relocation, by hand: with no iteration allowed it is all that happens.
  Rows line(6, 1);
  line << 0, 1, 2, 3, 10, 10;
  const SampleSource points(line);
  Codebook zeros{Rows::Zero(2, 1), Vector()};
  const Codebook moved = FitKMeans(points, Options(2, 0), rng, {.start = &zeros});
  EXPECT_EQ(moved.centers(0, 0), 0);
  EXPECT_EQ(moved.centers(1, 0), 10);
  EXPECT_NEAR(moved.weights[1], 2.0 / 6, 1e-15);
}

TEST(FitKMeans, ZerosAnyScaleAndFarRows) {
  Rng data(14);
  const Rows plain = GroupedRows(500, 4, 6, 0.1F, data);
  for (const float scale : {0.0F, 1e-30F, 1e-15F, 1e15F, 1e30F}) {
    // A power of two, so that nothing but the scale changes.
    const float exact = scale > 0 ? std::exp2(std::round(std::log2(scale))) : 0;
    const Rows rows = exact * plain;
    const SampleSource samples(rows), plain_samples(plain);
    Rng a(3), b(3);
    const Codebook codebook = FitKMeans(samples, Options(6, 20), a);
    EXPECT_TRUE(codebook.centers.allFinite());
    if (scale > 0) {
      const Rows expected = exact * FitKMeans(plain_samples, Options(6, 20), b).centers;
      EXPECT_EQ(codebook.centers, expected) << scale;
    }
  }
  Rows rows = plain;
  rows.row(17) *= 1e20F;
  const SampleSource samples(rows);
  TrainingReport report;
  const Codebook codebook = FitKMeans(samples, Options(6, 20), data, {.report = &report});
  ExpectConsistent(codebook, rows, report.objective);
}

TEST(FitKMeans, AgreesWithVlfeat) {
  Rng rng(15);
  Rows rows = GroupedRows(2000, 16, 12, 0.7F, rng);
  const SampleSource samples(rows);
  Codebook start{rows.topRows(12), Vector()};
  TrainingReport report;
  FitKMeans(samples, Options(12, 400), rng, {.report = &report, .start = &start});
  VlKMeans* peer = vl_kmeans_new(VL_TYPE_FLOAT, VlDistanceL2);
  vl_kmeans_set_algorithm(peer, VlKMeansLloyd);
  vl_kmeans_set_max_num_iterations(peer, 400);
  vl_kmeans_set_min_energy_variation(peer, 0);
  vl_kmeans_set_centers(peer, start.centers.data(), 16, 12);
  const double energy = vl_kmeans_refine_centers(peer, rows.data(), 2000);
  vl_kmeans_delete(peer);
  EXPECT_NEAR(report.objective, energy / 2000, 1e-4 * report.objective);
}

TEST(FitKMeans, RefusesWhatItCannotUse) {
  Rng rng(16);
  Rows rows = RandomRows(5000, 3, rng);
  const SampleSource samples(rows);
  const auto fit = [&](const KMeansOptions& options) {
    return Message([&] { FitKMeans(samples, options, rng); });
  };
  EXPECT_EQ(fit(Options(0, 1)), "kmeans.clusters must be >= 1, got 0");
  EXPECT_EQ(fit(Options(2, -1)), "kmeans.max_iterations must be >= 0, got -1");
  EXPECT_EQ(fit(Options(2, 1, -1)), "kmeans.tolerance must be finite and >= 0, got -1");
  const Rows none(0, 3), flat(3, 0);
  const SampleSource no_rows(none), no_columns(flat);
  EXPECT_THAT(Message([&] { FitKMeans(no_rows, Options(2, 1), rng); }), HasSubstr("got 0 x 3"));
  EXPECT_THAT(Message([&] { FitKMeans(no_columns, Options(2, 1), rng); }), HasSubstr("got 3 x 0"));
  Codebook start{Rows::Zero(3, 3), Vector()};
  EXPECT_EQ(Message([&] { FitKMeans(samples, Options(2, 1), rng, {.start = &start}); }),
            "k-means start must be 2 x 3 centers, got 3 x 3");
  start.centers = Rows::Constant(2, 3, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(Message([&] { FitKMeans(samples, Options(2, 1), rng, {.start = &start}); }),
            "centers: row 0, column 0 is NaN");
  rows(4321, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(fit(Options(2, 1)), "samples: row 4321, column 1 is NaN");
  rows(4321, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(fit(Options(2, 1)), "samples: row 4321, column 1 is infinite");
}

}  // namespace
}  // namespace alcedo
