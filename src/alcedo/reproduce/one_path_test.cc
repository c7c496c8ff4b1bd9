// What `reproduce` computes of an image and what `encode` gives users: the same vectors.
#include <gtest/gtest.h>

#include "alcedo/base/types.h"
#include "alcedo/encode/represent.h"
#include "alcedo/image/write_image.h"
#include "alcedo/reproduce/image_vectors.h"
#include "alcedo/synth/collection.h"

namespace alcedo {
namespace {

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(0.1 * rng.Normal()); });
}

Vocabulary VocabularyOf(EncoderKind encoder) {
  Vocabulary v;
  v.config.describe.grid.scales = 2;
  v.config.describe.grid.step = 16;
  v.descriptor_dimension = 128;
  v.training.median_distance = 1;
  const Rows centres = RandomRows(5, 128, 1).cwiseAbs();
  if (encoder == EncoderKind::kSparse) {
    v.words = Dictionary{RandomRows(140, 128, 2).rowwise().normalized()};
  } else {
    v.words = GaussianMixture{Vector::Constant(5, 0.2), centres, Rows::Constant(5, 128, 0.02f)};
  }
  return v;
}

TEST(OnePath, ReproduceGivesTheVectorsOfEncode) {
  const synth::Collection collection = synth::MakeCollection({.classes = 2, .images = 3});
  for (const auto& [encoder, encoder_name] : EnumNames<EncoderKind>::values) {
    if (encoder == EncoderKind::kAuto) continue;
    for (const auto& [pooling, pooling_name] : EnumNames<PoolingKind>::values) {
      for (const std::string pyramid : {"1", "1,3x1"}) {
        const Vocabulary vocabulary = VocabularyOf(encoder);
        EncodeConfig config;
        config.describe = vocabulary.config.describe;
        config.encoder = encoder;
        config.pooling = pooling;
        config.pyramid = pyramid;
        config.power = 0.5;
        config.l2 = true;
        if (pooling == PoolingKind::kGmp) config.lambdas = {3}, config.gmp.relative = true;
        const Representer representer = MakeRepresenter(vocabulary, config);
        ReadyPlan plan;
        plan.accuracy = 1e-3;
        Coding coding;
        coding.pyramid = pyramid;
        const double parameter = pooling == PoolingKind::kGmp ? 3 : pooling == PoolingKind::kSoftmax ? config.softmax.beta : 0;
        coding.choices = {{"x", "x", pooling, parameter, true}};
        plan.codings = {{coding, representer.encoder, representer.pyramid, ""}};
        plan.descriptors = {{config.describe, {}, {0}, {}}};
        double worst = 0;
        for (int image = 0; image < 3; ++image) {
          const Image painted = synth::PaintPicture(collection, 0, image).image;
          const Vector encoded = Represent(representer, DescribeImage(painted, config.describe)).values.row(0);
          Rows reproduced = ImageVectors(plan, PnmBytes(painted), "bird", {{0}})[0];
          NormalizeForSvm(reproduced, 0.5, static_cast<Index>(representer.pyramid.cells.size()));
          worst = std::max(worst, (reproduced.row(0).transpose().cast<double>() - encoded).norm());
        }
        EXPECT_LT(worst, 1e-5) << encoder_name << ' ' << pooling_name << ' ' << pyramid;
      }
    }
  }
}

}  // namespace
}  // namespace alcedo
