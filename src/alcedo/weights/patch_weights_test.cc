#include "alcedo/weights/patch_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/weights/weight_map.h"

namespace alcedo {
namespace {

Channel MakeOne(const DescriptorChoice& descriptor, std::string_view encoder,
                std::vector<double> lambdas) {
  const Vocabulary vocabulary =
      OpenVocabulary(descriptor.Is<ColorOptions>() ? "color" : "sift").vocabulary;
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.encoder.Choose(encoder);
  config.encoder.Get<EmkOptions>().outputs = 128;
  config.lambdas = std::move(lambdas);
  config.pooling.Get<GmpOptions>().relative = true;
  return Channel(vocabulary, config);
}

// Grass with a little noise, and a red disc.
Image OddObject(int width, int height, int x0, int y0, int radius) {
  Image image = MakeImage(width, height, 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool odd = std::hypot(x - x0, y - y0) < radius;
      const int noise = (x * 7 + y * 13) % 5;
      const int color[3] = {odd ? 200 : 60 + noise, odd ? 40 : 130 + noise, 50 + noise};
      for (int c = 0; c < 3; ++c) image.Plane(c)[y * width + x] = static_cast<float>(color[c]);
    }
  }
  return image;
}

TEST(PatchWeights, AnOddObjectHasTheLargestWeight) {
  const Image image = OddObject(120, 96, 85, 30, 8);
  for (const char* encoder : {"emk", "fv"}) {
    const Channel channel = MakeOne(ColorOptions{}, encoder, {0.1, 10});
    const Descriptors descriptors = channel.describer().FromImage(image);
    const PatchWeights result = ComputePatchWeights(channel, descriptors);
    ASSERT_EQ(result.weights.rows(), 2);
    ASSERT_EQ(result.reports.size(), 2u);
    for (Index l = 0; l < 2; ++l) {
      EXPECT_TRUE(result.reports[static_cast<std::size_t>(l)].converged);
      const WeightMap map =
          RenderWeightMap(descriptors.patches, result.weights.row(l).transpose(), 120, 96, 120, 96);
      const auto largest = std::max_element(map.values.begin(), map.values.end());
      const auto at = static_cast<int>(largest - map.values.begin());
      // The largest sum is where most patches have some of the object: within a patch of it.
      EXPECT_LT(std::hypot(at % 120 - 85, at / 120 - 30), 20) << encoder << " " << l;
    }
  }
}

// (K + lambda I) alpha = 1 with the kernel of the encodings, entry by entry.
TEST(PatchWeights, SolveTheDual) {
  const Image image = OddObject(40, 36, 12, 14, 5);
  const Channel channel = MakeOne(ColorOptions{}, "emk", {0.5});
  const Descriptors descriptors = channel.describer().FromImage(image);
  const Vector alpha = ComputePatchWeights(channel, descriptors).weights.row(0);
  const Rows rows = channel.Encode(descriptors).ToDense();
  const Index n = rows.rows();
  ASSERT_GT(n, 5);
  double trace = 0;
  for (Index i = 0; i < n; ++i) trace += rows.row(i).cast<double>().squaredNorm();
  const double lambda = 0.5 * trace / static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    double left = lambda * alpha[i];
    for (Index j = 0; j < n; ++j) {
      left += rows.row(i).cast<double>().dot(rows.row(j).cast<double>()) * alpha[j];
    }
    EXPECT_NEAR(left, 1, 1e-4) << i;
  }
}

TEST(PatchWeights, OfOneColourAreEqualAndFinite) {
  const Image image = OddObject(60, 50, 0, 0, 500);
  for (const DescriptorChoice& descriptor :
       {DescriptorChoice(ColorOptions{}), DescriptorChoice(SiftOptions{})}) {
    for (const char* encoder : {"emk", "fv"}) {
      Image flat = image;
      std::ranges::fill(flat.samples, 90.0f);
      const Channel channel = MakeOne(descriptor, encoder, {0, 1});
      const Descriptors descriptors = channel.describer().FromImage(flat);
      const Matrix weights = ComputePatchWeights(channel, descriptors).weights;
      ASSERT_GT(weights.cols(), 0);
      EXPECT_TRUE(weights.allFinite());
      for (Index l = 0; l < 2; ++l) {
        const double low = weights.row(l).minCoeff(), high = weights.row(l).maxCoeff();
        EXPECT_GT(low, 0);
        // Equal descriptors may have encodings that differ in the last bit of a float: a matrix
        // product treats its last columns differently.
        EXPECT_LE(high - low, 1e-5 * high) << descriptor.name() << " " << encoder << " " << l;
      }
    }
  }
}

TEST(PatchWeights, NoPatchesHaveNone) {
  const Channel channel = MakeOne(ColorOptions{}, "emk", {1, 2});
  const Descriptors descriptors = channel.describer().FromImage(MakeImage(7, 5, 3));
  const PatchWeights result = ComputePatchWeights(channel, descriptors);
  EXPECT_EQ(result.weights.rows(), 2);
  EXPECT_EQ(result.weights.cols(), 0);
}

TEST(PatchWeights, DoNotDependOnThreads) {
  const Image image = OddObject(100, 80, 60, 30, 9);
  for (const char* encoder : {"emk", "fv"}) {
    const Channel channel = MakeOne(ColorOptions{}, encoder, {0.1, 1});
    const Descriptors descriptors = channel.describer().FromImage(image);
    EXPECT_EQ(ComputePatchWeights(channel, descriptors, 1).weights,
              ComputePatchWeights(channel, descriptors, 2).weights);
  }
}

TEST(PatchWeights, AreThoseOfGmpAlone) {
  const Vocabulary vocabulary = OpenVocabulary("color").vocabulary;
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.pooling.Choose<SumOptions>();
  EXPECT_THROW(ComputePatchWeights(Channel(vocabulary, config), {}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
