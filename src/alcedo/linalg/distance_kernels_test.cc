#include "alcedo/linalg/distance_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/targets_testing.h"

namespace alcedo {
namespace {

using targets_testing::ForEachTarget;

Rows RandomRows(Index count, Index width, Rng& rng) {
  Rows rows(count, width);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

double NaiveDistance(const Rows& a, Index i, const Rows& b, Index k, const Matrix* factors) {
  double sum = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double t = double{a(i, j)} - b(k, j);
    sum += t * t * (factors == nullptr ? 1 : (*factors)(k, j));
  }
  return sum;
}

TEST(DistanceKernels, DistancesEqualTheNaiveOnes) {
  for (const Index width : {1, 3, 8, 16, 31, 64, 129}) {
    Rng rng(width);
    const Rows rows = RandomRows(9, width, rng), centers = RandomRows(5, width, rng);
    const Matrix factors = RandomRows(5, width, rng).cast<double>().cwiseAbs();
    const std::vector<std::int32_t> which{4, 0, 3, 3};
    ForEachTarget([&] {
      std::vector<double> out(which.size()), scaled(which.size());
      for (Index i = 0; i < rows.rows(); ++i) {
        kernels::SquaredDistances(rows.row(i).data(), centers.data(), width, which.data(), 4,
                                  out.data());
        kernels::ScaledSquaredDistances(rows.row(i).data(), centers.data(), factors.data(), width,
                                        which.data(), 4, scaled.data());
        for (std::size_t w = 0; w < which.size(); ++w) {
          ASSERT_NEAR(out[w], NaiveDistance(rows, i, centers, which[w], nullptr), 1e-13 * width);
          ASSERT_NEAR(scaled[w], NaiveDistance(rows, i, centers, which[w], &factors),
                      1e-13 * width);
        }
      }
      std::vector<float> lowest(9, 2.0F * width);
      kernels::LowerDistances(rows.data(), 9, width, centers.row(2).data(), lowest.data());
      for (Index i = 0; i < 9; ++i) {
        const double expected = std::min(2.0 * width, NaiveDistance(rows, i, centers, 2, nullptr));
        ASSERT_NEAR(lowest[i], expected, 1e-6 * width);
      }
      kernels::LowerDistances(rows.data(), 9, width, rows.row(7).data(), lowest.data());
      EXPECT_EQ(lowest[7], 0);
    });
  }
}

TEST(DistanceKernels, SumsPerCenter) {
  for (const Index width : {1, 8, 23, 64}) {
    Rng rng(width);
    const Rows rows = RandomRows(40, width, rng), centers = RandomRows(6, width, rng);
    std::vector<std::int32_t> assigned;
    Matrix expected = Matrix::Constant(6, width, 0.25);
    double error = 0;
    for (Index i = 0; i < 40; ++i) {
      assigned.push_back(static_cast<std::int32_t>(rng.UniformIndex(6)));
      expected.row(assigned[i]) += rows.row(i).cast<double>();
      error += NaiveDistance(rows, i, centers, assigned[i], nullptr);
    }
    ForEachTarget([&] {
      Matrix sums = Matrix::Constant(6, width, 0.25);
      const double got = kernels::AddToCenters(rows.data(), 40, width, assigned.data(),
                                               centers.data(), sums.data());
      EXPECT_NEAR(got, error, 1e-12 * error);
      EXPECT_LE((sums - expected).cwiseAbs().maxCoeff(), 1e-12);
    });
  }
}

TEST(DistanceKernels, MomentsAroundACenter) {
  for (const Index width : {1, 15, 16, 40, 64, 131}) {
    for (const Index count : {0, 1, 63, 64, 65, 200}) {
      Rng rng(1000 * width + count);
      const Rows rows = RandomRows(50, width, rng), center = RandomRows(1, width, rng);
      std::vector<kernels::WeightedRow> entries;
      Vector first = Vector::Constant(width, 7), second = Vector::Constant(width, 8);
      for (Index i = 0; i < count; ++i) {
        entries.push_back(
            {static_cast<std::int32_t>(rng.UniformIndex(50)), static_cast<float>(rng.Uniform())});
        for (Index j = 0; j < width; ++j) {
          const double t = double{rows(entries[i].row, j)} - center(0, j);
          first[j] += entries[i].weight * t;
          second[j] += entries[i].weight * t * t;
        }
      }
      ForEachTarget([&] {
        Vector got_first = Vector::Constant(width, 7), got_second = Vector::Constant(width, 8);
        kernels::AddMoments(rows.data(), width, entries.data(), count, center.data(),
                            got_first.data(), got_second.data());
        ASSERT_LE((got_first - first).cwiseAbs().maxCoeff(), 1e-6 * (count + 1));
        ASSERT_LE((got_second - second).cwiseAbs().maxCoeff(), 2e-6 * (count + 1));
      });
    }
  }
}

// A million small numbers after a large one: a sum in float alone would stand still.
TEST(DistanceKernels, MomentsOfManyRowsAreAddedInDouble) {
  Rows rows(2, 1);
  rows << 1000, 0.001F;
  std::vector<kernels::WeightedRow> entries(1000001, {1, 1});
  entries[0].row = 0;
  const float center = 0;
  double first = 0, second = 0;
  kernels::AddMoments(rows.data(), 1, entries.data(), 1000001, &center, &first, &second);
  EXPECT_NEAR(first, 2000, 0.01);
}

}  // namespace
}  // namespace alcedo
