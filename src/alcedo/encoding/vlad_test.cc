#include "alcedo/encoding/vlad.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoding_testing.h"
extern "C" {
#include <vl/vlad.h>
}

namespace alcedo {
namespace {

using namespace testing;  // NOLINT: alcedo::testing

Matrix NaiveVlad(const VladEncoder& encoder, const Rows& rows) {
  const Index d = rows.cols();
  Matrix dense = Matrix::Zero(rows.rows(), encoder.codebook.size() * d);
  for (Index n = 0; n < rows.rows(); ++n) {
    const Index k = NaiveNearest(encoder.codebook.centers, rows, n);
    Vector residual(d);
    for (Index j = 0; j < d; ++j) {
      residual[j] = static_cast<double>(rows(n, j)) - encoder.codebook.centers(k, j);
    }
    if (encoder.options.residual_l2 && residual.norm() > 0) residual /= residual.norm();
    for (Index i = 0; i < d; ++i) {
      double sum = 0;
      for (Index j = 0; j < d; ++j) {
        const double r = encoder.rotations.size() == 0 ? (i == j) : encoder.rotations(k * d + i, j);
        sum += r * residual[j];
      }
      dense(n, k * d + i) = sum;
    }
  }
  return dense;
}

TEST(Vlad, IsTheResidualOfTheNearestCodeword) {
  Rng rng(1);
  for (const Index size : {1, 5, 40}) {
    for (const bool unit : {false, true}) {
      for (const bool rotate : {false, true}) {
        VladEncoder encoder{RandomCodebook(rng, size, 7), {unit}, {}};
        if (rotate) encoder.rotations = RandomRows(rng, size * 7, 7);
        const Rows rows = RandomRows(rng, 200, 7);
        const Encodings encodings = Encode(encoder, rows);
        EXPECT_TRUE(encodings.one_block_per_row());
        EXPECT_EQ(encodings.block_size(), 7);
        const Matrix error = encodings.ToDense().cast<double>() - NaiveVlad(encoder, rows);
        EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-5);
      }
    }
  }
}

TEST(Vlad, SumsToThatOfVlfeat) {
  Rng rng(2);
  const Index size = 9, d = 12, count = 300;
  const Codebook codebook = RandomCodebook(rng, size, d);
  const Rows rows = RandomRows(rng, count, d);
  std::vector<float> assignments(count * size, 0), theirs(size * d);
  for (Index n = 0; n < count; ++n) {
    assignments[n * size + NaiveNearest(codebook.centers, rows, n)] = 1;
  }
  vl_vlad_encode(theirs.data(), VL_TYPE_FLOAT, codebook.centers.data(), d, size, rows.data(), count,
                 assignments.data(), VL_VLAD_FLAG_UNNORMALIZED);
  const Encodings encodings = Encode(VladEncoder{codebook, {}, {}}, rows);
  const Vector ours = WeightedSum(encodings, Vector::Ones(count));
  for (Index i = 0; i < size * d; ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-3);
}

TEST(Vlad, UnitResidualsAreDefinedAtTheCodewordAndFarAway) {
  Rng rng(3);
  const Codebook codebook = RandomCodebook(rng, 4, 3);
  Rows rows(3, 3);
  rows.row(0) = codebook.centers.row(2);
  rows.row(1).setConstant(1e15f);
  rows.row(2) = codebook.centers.row(2).array() + 1e-6f;
  const Encodings encodings = Encode(VladEncoder{codebook, {true}, {}}, rows);
  EXPECT_EQ(encodings.ToDense().row(0), Rows::Zero(1, 12));
  EXPECT_NEAR(encodings.ToDense().row(1).norm(), 1, 1e-6);
  EXPECT_NEAR(encodings.ToDense().row(2).norm(), 1, 1e-6);
  // So small that the square of a float would be zero.
  const Codebook origin{Rows::Zero(1, 3), Vector::Ones(1)};
  const Rows tiny = Rows::Constant(1, 3, 1e-30f);
  EXPECT_NEAR(Encode(VladEncoder{origin, {true}, {}}, tiny).ToDense().norm(), 1, 1e-6);
}

TEST(VladRotations, AreThePrincipalAxesOfTheResiduals) {
  Rng rng(4);
  const Index d = 4, size = 3;
  Codebook codebook{Rows::Zero(size, d), Vector()};
  for (Index k = 0; k < size; ++k) codebook.centers(k, 0) = static_cast<float>(100 * k);
  // Every cluster is stretched along axes of its own; the means of the residuals are not zero.
  Rows samples(40000, d);  // more than one chunk
  const double stretch[] = {4, 2, 1, 0.5};
  for (Index n = 0; n < samples.rows(); ++n) {
    const Index k = n % size;
    const double c = std::cos(0.4 + static_cast<double>(k)),
                 s = std::sin(0.4 + static_cast<double>(k));
    double z[4];
    for (int i = 0; i < 4; ++i) z[i] = stretch[i] * rng.Normal() + 1;
    samples.row(n) << static_cast<float>(c * z[0] - s * z[2] + 100 * static_cast<double>(k)),
        static_cast<float>(z[1]), static_cast<float>(s * z[0] + c * z[2]), static_cast<float>(z[3]);
  }
  for (const bool unit : {false, true}) {
    const Rows rotations = FitVladRotations(codebook, SampleSource(samples), unit);
    ASSERT_EQ(rotations.rows(), size * d);
    for (Index k = 0; k < size; ++k) {
      const Matrix axes = rotations.middleRows(k * d, d).cast<double>();
      EXPECT_LT((axes * axes.transpose() - Matrix::Identity(d, d)).cwiseAbs().maxCoeff(), 1e-5);
      // The covariance of the residuals, by its definition, is diagonal and decreasing in them.
      Matrix residuals(0, d);
      std::vector<Vector> list;
      for (Index n = k; n < samples.rows(); n += size) {
        Vector r = (samples.row(n) - codebook.centers.row(k)).cast<double>().transpose();
        list.emplace_back(unit ? Vector(r / r.norm()) : r);
      }
      Vector mean = Vector::Zero(d);
      for (const Vector& r : list) mean += r / static_cast<double>(list.size());
      Matrix covariance = Matrix::Zero(d, d);
      for (const Vector& r : list) {
        covariance += (r - mean) * (r - mean).transpose() / static_cast<double>(list.size());
      }
      const Matrix turned = axes * covariance * axes.transpose();
      for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
          EXPECT_LT(i == j ? 0 : std::abs(turned(i, j)), 1e-5 * turned(0, 0));
        }
        EXPECT_LT(turned(i, i), i == 0 ? kInfinity : turned(i - 1, i - 1));
        EXPECT_GT(axes.row(i).maxCoeff(), -axes.row(i).minCoeff());
      }
    }
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(FitVladRotations(codebook, SampleSource(samples), unit, threads), rotations);
    }
    // From a reader as from memory.
    const SampleSource source(samples.rows(), d, [&](Index begin, Index count, float* out) {
      std::copy_n(samples.data() + begin * d, count * d, out);
    });
    EXPECT_EQ(FitVladRotations(codebook, source, unit), rotations);
  }
}

TEST(VladRotations, AreTheIdentityWithoutDirections) {
  Codebook codebook{Rows(4, 2), Vector()};
  codebook.centers << 0, 0, 10, 0, 20, 0, 30, 0;
  Rows samples(8, 2);  // none, one, three that are equal, and four on a line
  samples << 11, 1, 20.3f, 0.1f, 20.3f, 0.1f, 20.3f, 0.1f, 31, 1, 29, -1, 32, 2, 28, -2;
  const Rows rotations = FitVladRotations(codebook, SampleSource(samples), false);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(rotations.middleRows(2 * k, 2), Rows::Identity(2, 2)) << k;
  }
  const float half = std::sqrt(0.5f);
  EXPECT_NEAR(rotations(6, 0), half, 1e-5);
  EXPECT_NEAR(rotations(6, 1), half, 1e-5);
  const Rows none(0, 2);
  EXPECT_EQ(FitVladRotations(codebook, SampleSource(none), true).topRows(2), Rows::Identity(2, 2));
}

TEST(VladRotations, NameWhatIsWrong) {
  Rng rng(5);
  const Codebook codebook = RandomCodebook(rng, 3, 2);
  Rows samples = Rows::Ones(20000, 2);
  samples(17000, 1) = kNan;
  EXPECT_EQ(Refusal([&] { FitVladRotations(codebook, SampleSource(samples), false); }),
            "samples: row 17000, column 1 is NaN");
  const Rows wide(5, 3);
  EXPECT_EQ(Refusal([&] { FitVladRotations(codebook, SampleSource(wide), false); }),
            "samples must have 2 columns, as the codebook, got 3");
  EXPECT_EQ(Refusal([&] { FitVladRotations(codebook, SampleSource(samples), false, 0); }),
            "threads must be >= 1, got 0");
  VladEncoder encoder{codebook, {}, Rows::Zero(6, 3)};
  EXPECT_EQ(Refusal([&] { CheckEncoder(encoder); }),
            "vlad.rotations must be empty or 6 x 2, one of 2 x 2 per center, got 6 x 3");
  encoder.rotations = Rows::Zero(6, 2);
  encoder.rotations(4, 1) = kInfinity;
  EXPECT_EQ(Refusal([&] { CheckEncoder(encoder); }), "vlad.rotations: row 4, column 1 is infinite");
}

}  // namespace
}  // namespace alcedo
