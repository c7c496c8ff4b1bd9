#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/projection/pca.h"

namespace alcedo {
namespace {

// Every dimension leans on the one before it, and spreads more than it.
Rows LeaningRows(Index count, Index d, std::uint64_t seed, double scale = 1, double offset = 0) {
  Rng rng(seed);
  Rows rows(count, d);
  for (Index n = 0; n < count; ++n) {
    double previous = 0;
    for (Index j = 0; j < d; ++j) {
      previous = 0.7 * previous + (1.0 + 0.5 * j) * rng.Normal();
      rows(n, j) = static_cast<float>(scale * (previous + offset));
    }
  }
  return rows;
}

Matrix NaiveProject(const Pca& pca, const Rows& rows) {
  Matrix y(rows.rows(), pca.dimension());
  for (Index n = 0; n < rows.rows(); ++n) {
    for (Index i = 0; i < pca.dimension(); ++i) {
      double sum = 0;
      for (Index j = 0; j < rows.cols(); ++j) {
        sum += (rows(n, j) - pca.mean[j]) * pca.components(i, j);
      }
      if (pca.whiten) {
        const bool any = pca.variances[i] >= 1e-12 * pca.variances[0] && pca.variances[0] > 0;
        sum = any ? sum / std::sqrt(pca.variances[i]) : 0;
      }
      y(n, i) = sum;
    }
  }
  return y;
}

Matrix CovarianceOf(const Rows& rows) {
  const Matrix values = rows.cast<double>();
  const Matrix centred = values.rowwise() - values.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(rows.rows());
}

std::string MessageOf(const Pca& pca, const Rows& rows) {
  try {
    Project(pca, rows);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Project, IsTheFormulaAtEveryScale) {
  for (double scale : {1e-30, 1e-15, 1.0, 1e15, 1e30}) {
    for (bool whiten : {false, true}) {
      SCOPED_TRACE(testing::Message() << scale << (whiten ? " whitened" : ""));
      const Rows rows = LeaningRows(5000, 9, 1, scale, 4);
      const Pca pca = FitPca(SampleSource(rows), {.dimensions = 6, .whiten = whiten});
      const Rows y = Project(pca, rows);
      const Matrix expected = NaiveProject(pca, rows);
      EXPECT_LT((y.cast<double>() - expected).cwiseAbs().maxCoeff(),
                2e-6 * expected.cwiseAbs().maxCoeff());
    }
  }
}

TEST(Project, HasTheVariancesOfTheFitAndNoCorrelation) {
  const Rows rows = LeaningRows(6000, 7, 2, 1, 10);
  Pca pca = FitPca(SampleSource(rows), {.dimensions = 5});
  const Matrix plain = CovarianceOf(Project(pca, rows));
  pca.whiten = true;
  const Matrix white = CovarianceOf(Project(pca, rows));
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) {
      EXPECT_NEAR(plain(i, j), i == j ? pca.variances[i] : 0, 1e-5 * pca.variances[0]);
      EXPECT_NEAR(white(i, j), i == j ? 1 : 0, 1e-5);
    }
  }
}

TEST(Project, RowsFarFromZeroKeepTheirDigits) {
  const Rows rows = LeaningRows(2000, 6, 3, 1, 1e6);
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 6});
  const Matrix expected = NaiveProject(pca, rows);
  // The rows are about ten apart: a mean rounded to float (to 0.03) would be seen.
  EXPECT_LT((Project(pca, rows).cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Project, ComponentsWithoutVarianceAreWhitenedToZero) {
  const Rows rows = LeaningRows(4, 8, 4);
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 8, .whiten = true});
  const Rows y = Project(pca, LeaningRows(50, 8, 5));
  EXPECT_TRUE((y.leftCols(3).array() != 0).all());
  EXPECT_TRUE((y.rightCols(5).array() == 0).all());
  const Rows equal = Rows::Constant(9, 3, 2.5f);
  const Pca constant = FitPca(SampleSource(equal), {.dimensions = 3, .whiten = true});
  EXPECT_EQ(Project(constant, LeaningRows(5, 3, 6)), Rows::Zero(5, 3));
}

TEST(Project, ASmallVarianceIsNotNone) {
  Rows rows = LeaningRows(1000, 4, 12);
  const float spread[4] = {1, 1e-3f, 1e-5f, 1e-8f};  // 1e-16 of the first variance is none
  for (Index j = 0; j < 4; ++j) rows.col(j) *= spread[j];
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 4, .whiten = true});
  const Matrix covariance = CovarianceOf(Project(pca, rows));
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(covariance(i, i), i < 3 ? 1 : 0, 1e-2) << i;
}

TEST(Project, NoRows) {
  const Rows none(0, 3);
  const Pca pca = FitPca(SampleSource(none), {.dimensions = 2});
  const Rows y = Project(pca, none);
  EXPECT_EQ(y.rows(), 0);
  EXPECT_EQ(y.cols(), 2);
}

TEST(Project, RowsWithGapsBetweenThem) {
  const Rows wide = LeaningRows(300, 10, 8);
  const Rows rows = wide.middleCols(2, 5);
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 3});
  EXPECT_EQ(Project(pca, wide.middleCols(2, 5)), Project(pca, rows));
}

TEST(Project, ThreadsDoNotChangeABit) {
  const Rows rows = LeaningRows(9000, 16, 9);
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 8, .whiten = true});
  const Rows one = Project(pca, rows);
  for (int threads : {2, 5}) EXPECT_EQ(Project(pca, rows, threads), one);
}

TEST(Project, NamesTheFirstBadValue) {
  Rows rows = LeaningRows(3000, 4, 10);
  for (bool whiten : {false, true}) {
    for (double scale : {1.0, 0.0}) {  // with no variance everything is multiplied by zero
      const Rows samples = static_cast<float>(scale) * rows.topRows(100);
      const Pca pca = FitPca(SampleSource(samples), {.dimensions = 2, .whiten = whiten});
      Rows bad = rows;
      bad(2500, 3) = -std::numeric_limits<float>::infinity();
      bad(2400, 1) = std::numeric_limits<float>::quiet_NaN();
      EXPECT_EQ(MessageOf(pca, bad), "rows to project: row 2400, column 1 is NaN");
      bad(2400, 1) = 0;
      EXPECT_EQ(MessageOf(pca, bad), "rows to project: row 2500, column 3 is infinite");
    }
  }
}

TEST(Project, OutOfTheRangeOfFloat) {
  Rows rows(2, 2);
  rows << 3e38f, 3e38f, -3e38f, -3e38f;
  const Pca pca = FitPca(SampleSource(rows), {.dimensions = 2});
  EXPECT_EQ(MessageOf(pca, rows).substr(0, 80),
            "rows to project: component 0 of row 0 must be in the range of float, got 4.24264");
  Pca white = pca;
  white.whiten = true;  // what comes out is in range, only what lies between is not
  const Rows y = Project(white, rows);
  EXPECT_NEAR(y(0, 0), 1, 1e-6);
  EXPECT_NEAR(y(1, 0), -1, 1e-6);
  EXPECT_TRUE(y.allFinite());
  rows *= 1e-30f;
  rows *= 1e-12f;  // too small for one over the deviation to be a float
  const Pca tiny = FitPca(SampleSource(rows), {.dimensions = 1, .whiten = true});
  EXPECT_NEAR(Project(tiny, rows)(0, 0), 1, 1e-3);
}

TEST(Project, RefusesSizesThatDoNotFit) {
  const Rows rows = LeaningRows(10, 3, 11);
  Pca pca = FitPca(SampleSource(rows), {.dimensions = 2, .whiten = true});
  EXPECT_EQ(MessageOf(pca, Rows::Zero(1, 4)),
            "columns of the rows to project must be 3 as the PCA expects, got 4");
  pca.variances.resize(1);
  EXPECT_EQ(MessageOf(pca, rows), "number of the PCA variances must be 2 as the components, got 1");
  pca.mean.resize(1);
  EXPECT_EQ(MessageOf(pca, rows), "size of the PCA mean must be 3 as the components, got 1");
  EXPECT_THROW(Project(FitPca(SampleSource(rows), {}), rows, 0), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
