#include "alcedo/encoding/encoding_kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "alcedo/base/random.h"

namespace alcedo::encoding {
namespace {

// Every test runs on every instruction set that the processor has.
class EncodingKernels : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { UseTargets(GetParam()); }
  void TearDown() override { UseTargets(0); }  // all that the processor has

 private:
  static void UseTargets(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};
INSTANTIATE_TEST_SUITE_P(, EncodingKernels,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) {
                           return std::string(hwy::TargetName(target.param));
                         });

std::vector<float> RandomFloats(Rng& rng, Index count, double scale) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& x : values) x = static_cast<float>(scale * (2 * rng.Uniform() - 1));
  return values;
}

// The argument is what float makes of the sum of value and phase.
double Cosine(float value, float phase) {
  const volatile float sum = value + phase;
  return std::cos(std::numbers::pi * static_cast<double>(sum));
}

TEST_P(EncodingKernels, CosinesAreAccurateAsFarAsTheyGo) {
  Rng rng(1);
  const Index count = 10007;
  for (const double scale : {1e-30, 1e-3, 0.6, 3.0, 100.0, 3998.0}) {
    std::vector<float> values = RandomFloats(rng, count, scale);
    const std::vector<float> phases = RandomFloats(rng, count, 1), zeros(count, 0.0f);
    std::vector<float> out(count);
    for (const auto& p : {phases, zeros}) {
      ASSERT_TRUE(ScaledCosines(values.data(), 1, count, count, p.data(), 1, out.data(), count));
      double worst = 0;
      for (Index i = 0; i < count; ++i) {
        worst = std::max(worst, std::abs(out[i] - Cosine(values[i], p[i])));
      }
      EXPECT_LT(worst, 2.5e-7) << scale;
    }
  }
}

TEST_P(EncodingKernels, CosinesKnowQuarterTurns) {
  const std::vector<float> values{0, 0.5, 1, 1.5, 2, -0.5, -1, 3, 3999, 4000, -4000, 2.5, 3999.5},
      expected{1, 0, -1, 0, 1, 0, -1, -1, -1, 1, 1, 0, 0}, zeros(values.size(), 0.0f);
  std::vector<float> out(values.size());
  const auto count = static_cast<Index>(values.size());
  ASSERT_TRUE(ScaledCosines(values.data(), 1, count, count, zeros.data(), 3, out.data(), count));
  for (Index i = 0; i < count; ++i) EXPECT_NEAR(out[i], 3 * expected[i], 5e-7) << values[i];
}

TEST_P(EncodingKernels, CosinesMindStridesAndMarkWhatIsOutOfRange) {
  Rng rng(2);
  const float far[] = {4001.5f, -4002.0f, 1e30f, std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  for (const Index cols : {1, 7, 16, 33}) {
    const Index rows = 5, stride = cols + 3, out_stride = cols + 1;
    std::vector<float> values = RandomFloats(rng, rows * stride, 5);
    const std::vector<float> phases = RandomFloats(rng, cols, 1);
    for (Index i = 0; i < rows; ++i) values[i * stride + i % cols] = far[i];
    std::vector<float> out(rows * out_stride, -99.0f);
    EXPECT_FALSE(ScaledCosines(values.data(), rows, cols, stride, phases.data(), 0.5f, out.data(),
                               out_stride));
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        const float value = out[i * out_stride + j];
        if (j == i % cols) {
          EXPECT_TRUE(std::isnan(value));
        } else {
          EXPECT_NEAR(value, 0.5 * Cosine(values[i * stride + j], phases[j]), 2e-7);
        }
      }
      EXPECT_EQ(out[i * out_stride + cols], -99) << "what lies between the rows is not ours";
    }
  }
}

TEST_P(EncodingKernels, FisherMomentsAreNaiveSumsForAnyWidthAndCount) {
  Rng rng(3);
  for (const Index dimension : {1, 5, 16, 31, 64, 100}) {
    for (const Index count : {0, 1, 63, 64, 65, 200}) {
      const Index rows = 50;
      const auto values = RandomFloats(rng, rows * dimension, 2);
      const auto mean = RandomFloats(rng, dimension, 1);
      const auto posteriors = RandomFloats(rng, count, 1);
      std::vector<float> inverse = RandomFloats(rng, dimension, 0.4);
      for (float& s : inverse) s += 1;
      std::vector<Index> members(static_cast<std::size_t>(count));
      for (Index& m : members) m = rng.UniformIndex(rows);
      for (const float* q : {posteriors.data(), static_cast<const float*>(nullptr)}) {
        std::vector<double> first(dimension, 1.0), second(dimension, 2.0);
        AddFisherMoments(values.data(), dimension, members.data(), count, q, mean.data(),
                         inverse.data(), first.data(), second.data());
        for (Index j = 0; j < dimension; ++j) {
          double u = 1, v = 2;
          for (Index i = 0; i < count; ++i) {
            const double z =
                (static_cast<double>(values[members[i] * dimension + j]) - mean[j]) * inverse[j];
            const double weight = q == nullptr || count == 0 ? 1 : q[i];
            u += weight * z;
            v += weight * (z * z - 1);
          }
          EXPECT_NEAR(first[j], u, 1e-6 * static_cast<double>(count + 1));
          EXPECT_NEAR(second[j], v, 3e-6 * static_cast<double>(count + 1));
        }
      }
    }
  }
}

TEST_P(EncodingKernels, FisherBlocksFollowTheirFormula) {
  Rng rng(4);
  const std::vector<std::int32_t> gaussians{2, 0, 1, 2, 1};
  const std::vector<Index> offsets{0, 2, 2, 5};
  for (const Index dimension : {1, 7, 16, 37}) {
    const auto rows = RandomFloats(rng, 5 * dimension, 2),
               means = RandomFloats(rng, 3 * dimension, 1);
    const auto inverses = RandomFloats(rng, 3 * dimension, 2), u_scales = RandomFloats(rng, 3, 4);
    const auto v_scales = RandomFloats(rng, 3, 4), posteriors = RandomFloats(rng, 5, 1);
    const FisherView mixture{means.data(), inverses.data(), u_scales.data(), v_scales.data(),
                             dimension};
    const std::size_t row_of_entry[] = {0, 0, 2, 2, 2};
    for (const bool soft : {false, true}) {
      std::vector<float> out(5 * 2 * dimension);
      FisherBlocks(mixture,
                   {rows.data(), soft ? 3 : 5, soft ? offsets.data() : nullptr, gaussians.data(),
                    soft ? posteriors.data() : nullptr},
                   out.data());
      for (std::size_t e = 0; e < 5; ++e) {
        const std::size_t n = soft ? row_of_entry[e] : e, k = gaussians[e];
        const double q = soft ? posteriors[e] : 1;
        for (Index j = 0; j < dimension; ++j) {
          const double z =
              (static_cast<double>(rows[n * dimension + j]) - means[k * dimension + j]) *
              inverses[k * dimension + j];
          EXPECT_NEAR(out[2 * e * dimension + j], q * z * u_scales[k], 2e-5);
          EXPECT_NEAR(out[(2 * e + 1) * dimension + j], q * (z * z - 1) * v_scales[k], 2e-4);
        }
      }
    }
  }
}

}  // namespace
}  // namespace alcedo::encoding
