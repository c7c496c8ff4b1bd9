#include "alcedo/encode/image_encoder.h"

#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/image/write_image.h"
#include "alcedo/synth/collection.h"

namespace alcedo {
namespace {

Rows RandomRows(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, cols, [&] { return static_cast<float>(0.1 * rng.Normal()); });
}

Vocabulary MixtureOf(const DescriptorChoice& descriptor, Index dimension, std::uint64_t seed) {
  Vocabulary v;
  v.config.describe.descriptor = descriptor;
  v.config.describe.grid.step = 16;
  v.descriptor_dimension = dimension;
  v.words = GaussianMixture{Vector::Constant(4, 0.25), RandomRows(4, dimension, seed).cwiseAbs(),
                            Rows::Constant(4, dimension, 0.02f)};
  v.training.median_distance = 1;
  return v;
}

EncodeConfig ConfigFor(const Vocabulary& vocabulary) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  return config;
}

std::string Bird() {
  const synth::Collection collection = synth::MakeCollection({.classes = 2, .images = 1});
  return PnmBytes(synth::PaintImage(collection, 0, 0).image);
}

// Four channels that share descriptors and projections in every way they can.
struct Channels {
  Vocabulary sift = MixtureOf(SiftOptions{}, 128, 1);
  Vocabulary other = MixtureOf(SiftOptions{}, 128, 2);
  Vocabulary color = MixtureOf(ColorOptions{}, 96, 3);

  std::vector<Channel> Make() const {
    EncodeConfig emk = ConfigFor(other);
    emk.encoder.Choose<EmkOptions>();
    emk.encoder.Get<EmkOptions>().outputs = 32;
    emk.pyramid = "1,3x1";
    EncodeConfig several = ConfigFor(sift);
    several.lambdas = {1, 10};
    EncodeConfig finer = ConfigFor(sift);
    finer.describe.image.max_pixels = 20000;
    return {Channel(sift, several), Channel(other, emk), Channel(color, ConfigFor(color)),
            Channel(sift, finer)};
  }
};

TEST(ImageEncoder, GivesEveryChannelAsIfItWereAlone) {
  const std::vector<Channel> channels = Channels().Make();
  const ImageEncoder encoder(channels);
  const std::string bytes = Bird();
  const ImageVectors together = encoder.FromBytes(bytes, "bird");
  ASSERT_EQ(together.channels.size(), channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelVectors alone =
        channels[c].Represent(channels[c].describer().FromBytes(bytes, "bird"));
    EXPECT_EQ(together.channels[c].values, alone.values) << c;
    EXPECT_EQ(together.channels[c].patches, alone.patches) << c;
    EXPECT_EQ(together.channels[c].reports.size(), alone.reports.size()) << c;
    EXPECT_GT(alone.patches, 0);
  }
  EXPECT_NE(together.channels[3].patches, together.channels[0].patches) << "read at another size";
  EXPECT_EQ(encoder.FromBytes(bytes, "bird", 3).channels[1].values, together.channels[1].values);
}

TEST(ImageEncoder, ComputesOnlyWhatIsWanted) {
  const std::vector<Channel> channels = Channels().Make();
  const ImageEncoder encoder(channels);
  const std::string bytes = Bird();
  const ImageVectors all = encoder.FromBytes(bytes, "bird");
  const WantedPoolings wanted{{1}, {}, {0}, {}};
  const ImageVectors some = encoder.FromBytes(bytes, "bird", 1, &wanted);
  ASSERT_EQ(some.channels[0].values.rows(), 1);
  EXPECT_LT((some.channels[0].values.row(0) - all.channels[0].values.row(1)).norm(),
            1e-5 * all.channels[0].values.row(1).norm());
  EXPECT_EQ(some.channels[1].values.size(), 0);
  EXPECT_EQ(some.channels[2].values, all.channels[2].values);
  EXPECT_EQ(some.channels[3].values.size(), 0);
}

TEST(ImageEncoder, TakesABatch) {
  const synth::Collection collection = synth::MakeCollection({.classes = 2, .images = 3});
  std::vector<Image> images;
  for (int i = 0; i < 3; ++i) images.push_back(synth::PaintImage(collection, 0, i).image);
  const ImageEncoder encoder(Channels().Make());
  const std::vector<ImageVectors> batch = encoder.FromImages(images, 2);
  ASSERT_EQ(batch.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(batch[i].channels[1].values, encoder.FromImage(images[i]).channels[1].values);
  }
}

TEST(ImageEncoder, SaysWhatIsWrongWithAFile) {
  const ImageEncoder encoder(Channels().Make());
  EXPECT_THROW(encoder.FromBytes("", "empty"), Error);
  EXPECT_THROW(encoder.FromBytes("no image", "text"), Error);
  EXPECT_THROW(ImageEncoder({}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
