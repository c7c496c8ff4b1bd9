#include "alcedo/vocabulary/random_fourier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using test::BadOption;

Rows RandomRows(Index count, Index dimension, std::uint64_t seed) {
  Rng rng(seed);
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

// z(x)'z(y) with z as RBFSampler has it: sqrt(2 / D) cos(w'x + b).
double Estimate(const RandomFourier& fourier, const Rows& rows, Index a, Index b) {
  double sum = 0;
  for (Index i = 0; i < fourier.size(); ++i) {
    double angle[2] = {fourier.phases[i], fourier.phases[i]};
    for (Index j = 0; j < fourier.dimension(); ++j) {
      angle[0] += static_cast<double>(fourier.frequencies(i, j)) * rows(a, j);
      angle[1] += static_cast<double>(fourier.frequencies(i, j)) * rows(b, j);
    }
    sum += 2.0 / fourier.size() * std::cos(angle[0]) * std::cos(angle[1]);
  }
  return sum;
}

// Root mean squared error of the kernel over all pairs of rows.
double KernelError(const Rows& rows, Index outputs, double sigma, std::uint64_t seed) {
  Rng rng(seed);
  const RandomFourier fourier = DrawRandomFourier(outputs, rows.cols(), sigma, rng);
  const double gamma = 1 / (2 * sigma * sigma);  // RBFSampler's name for it
  double sum = 0;
  Index pairs = 0;
  for (Index a = 0; a < rows.rows(); ++a) {
    for (Index b = 0; b <= a; ++b, ++pairs) {
      const double squared = (rows.row(a) - rows.row(b)).cast<double>().squaredNorm();
      const double error = Estimate(fourier, rows, a, b) - std::exp(-gamma * squared);
      sum += error * error;
    }
  }
  return std::sqrt(sum / static_cast<double>(pairs));
}

TEST(FourierOptions, AreCheckedByTheirNamesInConfigurations) {
  EXPECT_EQ(BadOption(FourierOptions{}), "");
  EXPECT_EQ(BadOption(FourierOptions{.outputs = 0}), "fourier.outputs");
  EXPECT_EQ(BadOption(FourierOptions{.sigma = -1}), "fourier.sigma");
}

TEST(DrawRandomFourier, ApproximatesTheGaussianKernelWithOneOverRootD) {
  const Rows rows = RandomRows(20, 5, 1);
  for (double sigma : {0.7, 2.0, 10.0}) {
    double scaled = 0;  // errors times sqrt(D), over several draws
    for (Index outputs : {100, 400, 1600}) {
      const double error = KernelError(rows, outputs, sigma, 7);
      scaled = std::max(scaled, error * std::sqrt(static_cast<double>(outputs)));
      EXPECT_LT(error, 1.5 / std::sqrt(static_cast<double>(outputs))) << sigma << ' ' << outputs;
    }
    EXPECT_GT(scaled, 0.1) << "no draw is that exact";
  }
}

TEST(DrawRandomFourier, HasTheMomentsItShould) {
  Rng rng(3);
  const RandomFourier fourier = DrawRandomFourier(2000, 10, 4, rng);
  const Matrix w = fourier.frequencies.cast<double>();
  EXPECT_NEAR(w.mean(), 0, 4 * 0.25 / std::sqrt(20000.0));
  EXPECT_NEAR(w.array().square().mean(), 1 / 16.0, 4 * std::sqrt(2 / 20000.0) / 16);
  EXPECT_GE(fourier.phases.minCoeff(), 0);
  EXPECT_LT(fourier.phases.maxCoeff(), 2 * M_PI);
  EXPECT_NEAR(fourier.phases.mean(), M_PI, 4 * 2 * M_PI / std::sqrt(12 * 2000.0));
  EXPECT_EQ(fourier.sigma, 4);
}

TEST(DrawRandomFourier, AnotherSigmaIsTheSameDrawScaled) {
  Rng a(5), b(5), c(5);
  const RandomFourier one = DrawRandomFourier(30, 4, 1, a);
  const RandomFourier wide = DrawRandomFourier(30, 4, 8, b);
  EXPECT_EQ(wide.frequencies, one.frequencies / 8);
  EXPECT_EQ(wide.phases, one.phases);
  EXPECT_EQ(a.Next(), b.Next()) << "as many numbers were drawn";
  const RandomFourier fewer = DrawRandomFourier(10, 4, 1, c);
  EXPECT_EQ(fewer.frequencies, one.frequencies.topRows(10));
  EXPECT_EQ(fewer.phases, one.phases.head(10));
}

TEST(DrawRandomFourier, IsTheSameOnEveryMachine) {
  Rng rng(1);
  const RandomFourier fourier = DrawRandomFourier(2, 2, 1, rng);
  Rng again(1);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j) {
      EXPECT_EQ(fourier.frequencies(i, j), static_cast<float>(again.Normal()));
    }
    EXPECT_EQ(fourier.phases[i], 2 * M_PI * again.Uniform());
  }
}

TEST(DrawRandomFourier, RefusesWhatIsOutOfRange) {
  Rng rng(1);
  const auto message = [&](Index outputs, Index dimension, double sigma) -> std::string {
    try {
      DrawRandomFourier(outputs, dimension, sigma, rng);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(0, 3, 1), "outputs must be >= 1, got 0");
  EXPECT_EQ(message(3, 0, 1), "dimension of the frequencies must be >= 1, got 0");
  EXPECT_EQ(message(3, 3, 0), "sigma must be > 0 and finite, got 0");
  EXPECT_EQ(message(3, 3, std::nan("")), "sigma must be > 0 and finite, got nan");
  EXPECT_EQ(message(3, 3, std::numeric_limits<double>::infinity()),
            "sigma must be > 0 and finite, got inf");
  EXPECT_EQ(message(3, 3, 1e-45),
            "sigma must be large enough for frequencies in the range of float, got 1e-45");
  EXPECT_EQ(message(3, 3, 1e300), "");  // the kernel is 1 everywhere
}

TEST(MedianDistance, IsTheMedianOfAllPairsToTheNoiseOfASample) {
  const Rows rows = RandomRows(60, 3, 9);
  std::vector<double> all;
  for (Index a = 0; a < 60; ++a) {
    for (Index b = 0; b < a; ++b) all.push_back((rows.row(a) - rows.row(b)).cast<double>().norm());
  }
  std::sort(all.begin(), all.end());
  Rng rng(2);
  const double got = MedianDistance(rows, 20000, rng);
  EXPECT_GT(got, all[all.size() * 48 / 100]);
  EXPECT_LT(got, all[all.size() * 52 / 100]);
  // It scales with the rows, whatever their size.
  for (float scale : {1e-30f, 1e30f}) {
    Rng same(2);
    EXPECT_NEAR(MedianDistance(scale * rows, 20000, same) / scale, got, 1e-5 * got);
  }
}

TEST(MedianDistance, OfTwoRowsIsTheirDistance) {
  Rows rows(2, 2);
  rows << 0, 0, 3, 4;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    EXPECT_EQ(MedianDistance(rows, 1, rng), 5) << "a row is not paired with itself";
    EXPECT_EQ(MedianDistance(rows, 10, rng), 5);
  }
}

TEST(MedianDistance, LeavesEqualPairsOut) {
  Rows rows = Rows::Zero(20, 2);  // most pairs are equal
  rows(0, 0) = 3;
  rows(0, 1) = 4;
  Rng rng(1);
  EXPECT_EQ(MedianDistance(rows, 1000, rng), 5);
}

TEST(MedianDistance, IsOneWhereThereIsNothingToMeasure) {
  Rng rng(1);
  EXPECT_EQ(MedianDistance(Rows(0, 3), 10, rng), 1);
  EXPECT_EQ(MedianDistance(Rows::Ones(1, 3), 10, rng), 1);
  EXPECT_EQ(MedianDistance(Rows::Ones(50, 3), 10, rng), 1);
}

TEST(MedianDistance, RefusesBadValues) {
  Rows rows = RandomRows(5, 3, 1);
  rows(2, 1) = std::numeric_limits<float>::quiet_NaN();
  Rng rng(1);
  try {
    MedianDistance(rows, 10, rng);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "rows of the median distance: row 2, column 1 is NaN");
  }
  EXPECT_THROW(MedianDistance(RandomRows(5, 3, 1), 0, rng), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
