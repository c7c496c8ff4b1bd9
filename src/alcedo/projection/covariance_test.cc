#include "alcedo/projection/covariance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

Rows RandomRows(Index count, Index dimension, std::uint64_t seed, double offset = 0) {
  Rng rng(seed);
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) {
    rows.data()[i] = static_cast<float>(offset + rng.Normal());
  }
  return rows;
}

// Two plain passes in long double.
void ExpectMoments(const Rows& rows, const MeanAndScatter& got, double tolerance) {
  const Index d = rows.cols();
  std::vector<long double> mean(d, 0);
  for (Index n = 0; n < rows.rows(); ++n) {
    for (Index j = 0; j < d; ++j) mean[j] += static_cast<long double>(rows(n, j)) / rows.rows();
  }
  for (Index i = 0; i < d; ++i) {
    EXPECT_NEAR(got.mean[i], mean[i], tolerance);
    for (Index j = 0; j < d; ++j) {
      long double sum = 0;
      for (Index n = 0; n < rows.rows(); ++n)
        sum += (rows(n, i) - mean[i]) * (rows(n, j) - mean[j]);
      EXPECT_NEAR(got.scatter(i, j), j <= i ? static_cast<double>(sum) : 0.0,
                  tolerance * static_cast<double>(rows.rows()))
          << i << ", " << j;
    }
  }
}

TEST(MeanAndScatter, IsTheNaiveSumOverOneChunkAndOverMany) {
  for (Index count : {1, 2, 255, 257, 4095, 4096, 4097, 10000}) {
    SCOPED_TRACE(count);
    const Rows rows = RandomRows(count, 5, 1);
    const MeanAndScatter got = ComputeMeanAndScatter(SampleSource(rows), 1);
    EXPECT_EQ(got.count, count);
    ExpectMoments(rows, got, 1e-13);
  }
}

TEST(MeanAndScatter, DataFarFromZeroLoseNothing) {
  // Numbers of eight digits that differ in the last: products of them would cancel to nothing.
  const Rows rows = RandomRows(9000, 3, 2, 1e6);
  ExpectMoments(rows, ComputeMeanAndScatter(SampleSource(rows), 1), 1e-9);
}

TEST(MeanAndScatter, ChunksWithMeansFarApartAreMergedWithTheirDistance) {
  Rows rows = RandomRows(3 * 4096 + 100, 4, 3);
  rows.middleRows(4096, 4096).array() += 100;
  rows.bottomRows(100).array() -= 1000;
  ExpectMoments(rows, ComputeMeanAndScatter(SampleSource(rows), 1), 1e-8);
}

TEST(MeanAndScatter, EqualRowsHaveNoScatterAtAll) {
  Rows rows(9001, 3);
  rows.rowwise() = Eigen::RowVector3f(0.1f, -7.3e8f, 3e-9f);
  const MeanAndScatter got = ComputeMeanAndScatter(SampleSource(rows), 1);
  EXPECT_EQ(got.scatter, Matrix::Zero(3, 3));
  EXPECT_EQ(got.mean.cast<float>(), rows.row(0).transpose());
}

TEST(MeanAndScatter, NoRowsGiveZeros) {
  const Rows rows(0, 3);
  const MeanAndScatter got = ComputeMeanAndScatter(SampleSource(rows), 2);
  EXPECT_EQ(got.count, 0);
  EXPECT_EQ(got.mean, Vector::Zero(3));
  EXPECT_EQ(got.scatter, Matrix::Zero(3, 3));
}

TEST(MeanAndScatter, ThreadsAndSourcesDoNotChangeABit) {
  const Rows rows = RandomRows(30000, 7, 4, 3);
  const MeanAndScatter one = ComputeMeanAndScatter(SampleSource(rows), 1);
  const SampleSource reader(rows.rows(), rows.cols(), [&](Index begin, Index count, float* out) {
    std::copy_n(rows.data() + begin * rows.cols(), count * rows.cols(), out);
  });
  for (int threads : {1, 2, 3, 8}) {
    for (const SampleSource& source : {SampleSource(rows), reader}) {
      const MeanAndScatter got = ComputeMeanAndScatter(source, threads);
      EXPECT_EQ(got.mean, one.mean);
      EXPECT_EQ(got.scatter, one.scatter);
    }
  }
}

TEST(MeanAndScatter, NamesTheFirstBadValue) {
  Rows rows = RandomRows(9000, 3, 5);
  rows(8000, 1) = std::numeric_limits<float>::infinity();
  rows(5000, 2) = std::numeric_limits<float>::quiet_NaN();
  for (int threads : {1, 4}) {
    try {
      ComputeMeanAndScatter(SampleSource(rows), threads);
      FAIL();
    } catch (const InvalidArgument& error) {
      EXPECT_STREQ(error.what(), "PCA samples: row 5000, column 2 is NaN");
    }
  }
  EXPECT_THROW(ComputeMeanAndScatter(SampleSource(rows), 0), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
