#include "alcedo/encoding/emk.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

// scikit-learn's RBFSampler: cos(X W + b) sqrt(2 / D).
double NaiveEmk(const RandomFourier& fourier, const Rows& rows, Index n, Index i) {
  double argument = fourier.phases[i];
  for (Index j = 0; j < rows.cols(); ++j) {
    argument += static_cast<double>(rows(n, j)) * fourier.frequencies(i, j);
  }
  return std::cos(argument) * std::sqrt(2.0 / static_cast<double>(fourier.size()));
}

TEST(Emk, FollowsItsFormula) {
  Rng rng(1);
  for (const Index outputs : {1, 3, 127, 300}) {
    for (const Index dimension : {1, 9, 64}) {
      const RandomFourier fourier = RandomFrequencies(rng, outputs, dimension);
      const Rows rows = RandomRows(rng, 270, dimension);  // more than a panel
      const Encodings encodings = Encode(EmkEncoder{fourier}, rows);
      EXPECT_TRUE(encodings.dense());
      EXPECT_EQ(encodings.dimension(), outputs);
      double worst = 0;
      for (Index n = 0; n < rows.rows(); ++n) {
        for (Index i = 0; i < outputs; ++i) {
          worst = std::max(worst, std::abs(encodings.Values(n)[i] - NaiveEmk(fourier, rows, n, i)));
        }
      }
      // Arguments go up to 40, of which float rounds off 1e-6.
      EXPECT_LT(worst, 3e-5 / std::sqrt(static_cast<double>(outputs))) << outputs << dimension;
    }
  }
}

TEST(Emk, ApproximatesTheGaussianKernel) {
  Rng rng(2);
  const RandomFourier fourier = RandomFrequencies(rng, 20000, 3);
  const Rows rows = RandomRows(rng, 6, 3);
  const Matrix dense = Encode(EmkEncoder{fourier}, rows).ToDense().cast<double>();
  for (Index a = 0; a < 6; ++a) {
    for (Index b = 0; b < 6; ++b) {
      const double kernel = std::exp(-(rows.row(a) - rows.row(b)).squaredNorm() / 2);
      EXPECT_NEAR(dense.row(a).dot(dense.row(b)), kernel, 0.04);
    }
  }
}

TEST(Emk, IsExactFarAway) {
  Rng rng(3);
  const RandomFourier fourier = RandomFrequencies(rng, 150, 4);
  Rows rows = RandomRows(rng, 8, 4);
  rows.row(1) *= 1e5f;
  rows.row(3) *= 1e15f;
  rows.row(5).setConstant(-1e38f);  // the argument is beyond all floats
  rows.row(6).setZero();
  const Encodings encodings = Encode(EmkEncoder{fourier}, rows);
  for (Index n = 0; n < 8; ++n) {
    // Arguments of a few thousands are still taken in float, good to 1e-3 of a turn.
    const double tolerance = n == 1 ? 1e-2 : 1e-6;
    for (Index i = 0; i < 150; ++i) {
      EXPECT_NEAR(encodings.Values(n)[i], NaiveEmk(fourier, rows, n, i), tolerance);
    }
  }
}

TEST(Emk, TakesPhasesOfAnySize) {
  Rng rng(4);
  RandomFourier fourier = RandomFrequencies(rng, 20, 2);
  for (double& b : fourier.phases) b = 1e6 * (rng.Uniform() - 0.5);
  const Rows rows = RandomRows(rng, 10, 2);
  const Encodings encodings = Encode(EmkEncoder{fourier}, rows);
  for (Index n = 0; n < 10; ++n) {
    for (Index i = 0; i < 20; ++i) {
      EXPECT_NEAR(encodings.Values(n)[i], NaiveEmk(fourier, rows, n, i), 2e-6);
    }
  }
}

TEST(Emk, RefusesFrequenciesThatAreNotValid) {
  Rng rng(5);
  EmkEncoder encoder{RandomFrequencies(rng, 3, 2)};
  const auto refusal = [&] { return Refusal([&] { CheckEncoder(encoder); }); };
  EXPECT_EQ(refusal(), "(accepted)");
  encoder.fourier.phases[2] = kNan;
  EXPECT_EQ(refusal(), "emk: phases must be finite, got nan for output 2");
  encoder.fourier.frequencies(1, 0) = kInfinity;
  EXPECT_EQ(refusal(), "emk frequencies: row 1, column 0 is infinite");
  encoder.fourier.phases.resize(2);
  EXPECT_EQ(refusal(), "emk: phases must be one per frequency, 3, got 2");
  encoder.fourier.frequencies.resize(3, 0);
  EXPECT_EQ(refusal(), "emk: there must be at least one frequency of one dimension, got 3 x 0");
}

}  // namespace
}  // namespace alcedo
