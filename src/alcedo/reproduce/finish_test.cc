// What is done to pooled vectors, against naive lines.
#include "alcedo/reproduce/finish.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/random.h"

namespace alcedo::reproduce {
namespace {

Rows SomeRows(Index rows, Index cols) {
  Rng rng(9);
  Rows values(rows, cols);
  for (float& value : values.reshaped()) value = static_cast<float>(rng.Uniform() - 0.3);
  return values;
}

ReadyCoding CodingOf(Finish finish, Index dimension, Index block) {
  ReadyCoding coding;
  coding.coding.finish = finish;
  coding.dimension = dimension;
  coding.block = block;
  return coding;
}

TEST(Finished, IntraNormalisesBlocksAfterThePower) {
  const Rows rows = SomeRows(3, 6);
  const Rows got = Finished(CodingOf(Finish::kIntra, 6, 2), rows, 0.5, Vector(), 1);
  for (Index i = 0; i < 3; ++i) {
    double expected[6], all = 0;
    for (int j = 0; j < 6; ++j) {
      expected[j] = std::copysign(std::sqrt(std::abs(rows(i, j))), rows(i, j));
    }
    for (int block = 0; block < 3; ++block) {
      const double norm = std::hypot(expected[2 * block], expected[2 * block + 1]);
      for (int j = 0; j < 2; ++j) expected[2 * block + j] /= norm;
    }
    for (const double value : expected) all += value * value;
    for (int j = 0; j < 6; ++j) EXPECT_NEAR(got(i, j), expected[j] / std::sqrt(all), 1e-5);
  }
}

TEST(Finished, CentresUnitVectorsByTheMeanOfTheTrainingVectors) {
  const Rows rows = SomeRows(5, 4);
  const ReadyCoding coding = CodingOf(Finish::kCentred, 4, 0);
  double mean[4] = {};
  for (Index i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) mean[j] += rows(i, j) / rows.row(i).norm() / 5;
  }
  const Vector centre = CentreOf(coding, rows);
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(centre(j), mean[j], 1e-6);
  const Rows got = Finished(coding, rows, 1, centre, 2);
  for (Index i = 0; i < 5; ++i) {
    double expected[4], norm = 0;
    for (int j = 0; j < 4; ++j) {
      expected[j] = rows(i, j) / rows.row(i).norm() - mean[j];
      norm += expected[j] * expected[j];
    }
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(got(i, j), expected[j] / std::sqrt(norm), 1e-5);
  }
  EXPECT_EQ(CentreOf(CodingOf(Finish::kPlain, 4, 0), rows).size(), 0);
}

}  // namespace
}  // namespace alcedo::reproduce
