#include "alcedo/projection/pca.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/ranks_testing.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

// Correlated rows whose variances fall off: random mixtures of d hidden directions.
Rows CorrelatedRows(Index count, Index d, std::uint64_t seed, double scale = 1, double offset = 0) {
  Rng rng(seed);
  Matrix mix(d, d);
  for (Index i = 0; i < mix.size(); ++i) mix.data()[i] = rng.Normal();
  Rows rows(count, d);
  for (Index n = 0; n < count; ++n) {
    Eigen::RowVectorXd hidden(d);
    for (Index j = 0; j < d; ++j) hidden[j] = rng.Normal() / (1.0 + j);
    const Eigen::RowVectorXd row = hidden * mix;
    for (Index j = 0; j < d; ++j) rows(n, j) = static_cast<float>(scale * (row[j] + offset));
  }
  return rows;
}

Matrix NaiveCovariance(const Rows& rows) {
  const Index d = rows.cols();
  Matrix covariance = Matrix::Zero(d, d);
  const Eigen::RowVectorXd mean = rows.cast<double>().colwise().mean();
  for (Index n = 0; n < rows.rows(); ++n) {
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) {
        covariance(i, j) += (rows(n, i) - mean[i]) * (rows(n, j) - mean[j]) / rows.rows();
      }
    }
  }
  return covariance;
}

// Jacobi's rotations: eigenvalues by falling size, eigenvectors in the rows of `vectors`.
std::vector<double> Jacobi(Matrix a, Matrix& vectors) {
  const Index d = a.rows();
  Matrix v = Matrix::Identity(d, d);
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (Index p = 0; p < d; ++p) {
      for (Index q = p + 1; q < d; ++q) {
        const double angle = 0.5 * std::atan2(2 * a(p, q), a(p, p) - a(q, q));
        Matrix r = Matrix::Identity(d, d);
        r(p, p) = r(q, q) = std::cos(angle);
        r(p, q) = std::sin(angle);
        r(q, p) = -std::sin(angle);
        a = r * a * r.transpose();
        v = r * v;
      }
    }
  }
  std::vector<Index> order(d);
  for (Index i = 0; i < d; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return a(i, i) > a(j, j); });
  std::vector<double> values;
  vectors.resize(d, d);
  for (Index i = 0; i < d; ++i) {
    values.push_back(a(order[i], order[i]));
    vectors.row(i) = v.row(order[i]);
  }
  return values;
}

void ExpectOrthonormal(const Rows& components) {
  const Matrix c = components.cast<double>();
  EXPECT_LT((c * c.transpose() - Matrix::Identity(c.rows(), c.rows())).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(FitPca, AgreesWithJacobiAtEveryScale) {
  for (double scale : {1e-15, 1.0, 1e15}) {
    SCOPED_TRACE(scale);
    const Rows rows = CorrelatedRows(300, 6, 1, scale, 2);
    Matrix vectors;
    const auto values = Jacobi(NaiveCovariance(rows) / (scale * scale), vectors);
    const Pca pca = FitPca(SampleSource(rows), {.dimensions = 4});
    ASSERT_EQ(pca.dimension(), 4);
    ASSERT_EQ(pca.input_dimension(), 6);
    double total = 0;
    for (double value : values) total += value;
    EXPECT_NEAR(pca.total_variance / scale / scale, total, 1e-10 * total);
    for (Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(pca.variances[i] / scale / scale, values[i], 1e-10 * total);
      Index lead;
      vectors.row(i).cwiseAbs().maxCoeff(&lead);
      const double sign = vectors(i, lead) < 0 ? -1 : 1;
      for (Index j = 0; j < 6; ++j) EXPECT_NEAR(pca.components(i, j), sign * vectors(i, j), 1e-6);
    }
    const Vector mean = rows.cast<double>().colwise().mean();
    EXPECT_LT((pca.mean - mean).norm(), 1e-12 * mean.norm());
  }
}

TEST(FitPca, SignOfEqualEntriesIsThatOfTheFirst) {
  // Along (1, -1) there are two entries of equal size: the first of them is positive.
  Rows rows(4, 2);
  rows << 5, -5, -5, 5, 0.5f, 0.5f, -0.5f, -0.5f;
  const Pca pca = FitPca(SampleSource(rows), {});
  const float root = std::sqrt(0.5f);
  EXPECT_NEAR(pca.components(0, 0), root, 1e-6);
  EXPECT_NEAR(pca.components(0, 1), -root, 1e-6);
  EXPECT_NEAR(pca.components(1, 0), root, 1e-6);
  EXPECT_NEAR(pca.components(1, 1), root, 1e-6);
  EXPECT_NEAR(pca.variances[0], 25, 1e-12);
  EXPECT_NEAR(pca.variances[1], 0.25, 1e-12);
}

TEST(FitPca, SignDoesNotHangOnRounding) {
  // Along (1, -1 - 1e-7) the second entry is larger, but only by rounding.
  Rng rng(7);
  Rows rows(50, 2);
  for (Index n = 0; n < 50; ++n) {
    rows(n, 0) = static_cast<float>(rng.Normal());
    rows(n, 1) = -std::nextafter(rows(n, 0), 10 * rows(n, 0));
  }
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 1});
  EXPECT_GT(-pca.components(0, 1), pca.components(0, 0));
  EXPECT_GT(pca.components(0, 0), 0);
}

TEST(FitPca, FewerSamplesThanDimensions) {
  const Rows rows = CorrelatedRows(5, 20, 2, 1, 3);
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 20});
  ExpectOrthonormal(pca.components);
  for (Index i = 0; i < 20; ++i) {
    EXPECT_GE(pca.variances[i], 0);
    EXPECT_EQ(pca.variances[i] > 1e-12 * pca.variances[0], i < 4) << i;
  }
  EXPECT_NEAR(pca.variances.sum(), pca.total_variance, 1e-12 * pca.total_variance);
}

TEST(FitPca, OneDimension) {
  Rows rows(4, 1);
  rows << 1, 3, 1, 3;
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 64, .whiten = true});
  EXPECT_EQ(pca.components, Rows::Ones(1, 1));
  EXPECT_EQ(pca.mean[0], 2);
  EXPECT_EQ(pca.variances[0], 1);
  EXPECT_TRUE(pca.whiten);
}

TEST(FitPca, NoSamplesOneAndEqualOnesAreUnitVectors) {
  for (Index count : {0, 1, 2, 5000}) {
    SCOPED_TRACE(count);
    Rows rows(count, 3);
    if (count > 0) rows.rowwise() = Eigen::RowVector3f(0.1f, -1e9f, 1e-9f);
    const Pca pca = FitPca(SampleSource(rows), {.dimensions = 2});
    EXPECT_EQ(pca.components, Rows::Identity(2, 3));
    EXPECT_EQ(pca.variances, Vector::Zero(2));
    EXPECT_EQ(pca.total_variance, 0);
    if (count > 0) {
      EXPECT_EQ(pca.mean.cast<float>(), rows.row(0).transpose());
    } else {
      EXPECT_EQ(pca.mean, Vector::Zero(3));
    }
  }
}

TEST(FitPca, ThreadsAndSourcesDoNotChangeABit) {
  const Rows rows = CorrelatedRows(20000, 8, 3, 1, 1);
  const SampleSource reader(rows.rows(), rows.cols(), [&](Index begin, Index count, float* out) {
    std::copy_n(rows.data() + begin * rows.cols(), count * rows.cols(), out);
  });
  const Pca one = FitPca(SampleSource(rows), {.dimensions = 5});
  for (const SampleSource& source : {SampleSource(rows), reader}) {
    const Pca many = FitPca(source, {.dimensions = 5}, 4);
    EXPECT_EQ(many.mean, one.mean);
    EXPECT_EQ(many.components, one.components);
    EXPECT_EQ(many.variances, one.variances);
    EXPECT_EQ(many.total_variance, one.total_variance);
  }
}

TEST(FitPca, RefusesWhatIsOutOfRange) {
  const Rows rows = CorrelatedRows(5, 2, 4), none(5, 0);
  const auto message = [](const SampleSource& source, const PcaOptions& options) -> std::string {
    try {
      FitPca(source, options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(SampleSource(rows), {.dimensions = 0}), "pca.dimensions must be >= 1, got 0");
  EXPECT_EQ(message(SampleSource(none), {}),
            "dimension of the PCA samples must be from 1 to 32766, got 0");
  Rows bad = rows;
  bad(3, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message(SampleSource(bad), {}), "PCA samples: row 3, column 1 is NaN");
}

TEST(FitPca, OfSeveralRanksIsThatOfOneProcess) {
  const Rows rows = CorrelatedRows(9000, 7, 12, 1, 30);
  const auto fit = [](const SampleSource& samples, const Ranks& ranks, int threads) {
    return FitPca(samples, {.dimensions = 4}, threads, ranks);
  };
  const Pca one = fit(SampleSource(rows), {}, 1);
  for (const Pca& pca : ranks_testing::FitParts<Pca>(rows, {4096, 0, 4904}, fit)) {
    EXPECT_EQ(pca.mean, one.mean);
    EXPECT_EQ(pca.components, one.components);
    EXPECT_EQ(pca.variances, one.variances);
    EXPECT_EQ(pca.total_variance, one.total_variance);
  }
  const auto others = ranks_testing::FitParts<Pca>(rows, {1000, 5000, 3000}, fit);
  for (const Pca& pca : others) {
    EXPECT_EQ(pca.components, others[0].components);
    EXPECT_TRUE(pca.mean.isApprox(one.mean, 1e-12));
    EXPECT_TRUE(pca.variances.isApprox(one.variances, 1e-12));
    EXPECT_TRUE(pca.components.isApprox(one.components, 1e-6f));
  }
}

}  // namespace
}  // namespace alcedo
