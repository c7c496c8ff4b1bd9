#include "alcedo/weights/weigh_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "alcedo/image/write_image.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/weights/weights_table.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

Channel ColorWeights() {
  const Vocabulary vocabulary = OpenVocabulary("color").vocabulary;
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.encoder = EmkOptions{.outputs = 64};
  config.lambdas = {1, 1e9};
  config.pooling.Get<GmpOptions>().relative = true;
  return Channel(vocabulary, config);
}

class WeighImageTest : public testing::Test {
 protected:
  WeighImageTest() {
    Image image = MakeImage(64, 48, 3);
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) {
        const bool odd = x > 44 && y > 30;
        const int noise = (x * 7 + y * 13) % 5;
        for (int c = 0; c < 3; ++c) {
          image.Plane(c)[y * 64 + x] =
              static_cast<float>((odd && c == 0 ? 220 : 70 + 20 * c) + noise);
        }
      }
    }
    WriteWholeFile(file_, PngBytes(image));
  }
  ~WeighImageTest() override { fs::remove(file_); }

  const std::string file_ =
      fs::temp_directory_path() / ("alcedo_weigh_" + std::to_string(getpid()) + ".png");
  const Channel channel_ = ColorWeights();
};

TEST_F(WeighImageTest, ARareObjectHasMoreThanItsShareAndSumPoolingHasNot) {
  const RegionList box(Box{45, 31, 19, 17});
  const ImageWeights weights = WeighImage(channel_, {}, box, {file_, "odd.png"});
  EXPECT_EQ(weights.failure, "");
  EXPECT_NEAR(*weights.area, 19.0 * 17 / (64 * 48), 1e-9);
  ASSERT_EQ(weights.maps.size(), 2u);
  EXPECT_GT(*weights.maps[0].positive, *weights.equal);
  // A very large lambda is sum pooling: all weights are equal.
  EXPECT_NEAR(*weights.maps[1].positive, *weights.equal, 1e-3);
  EXPECT_TRUE(weights.files.empty());
  EXPECT_FALSE(weights.panels.has_value());
}

TEST_F(WeighImageTest, FilesAreThoseAskedFor) {
  const ImageWeights weights =
      WeighImage(channel_, {.maps = true, .figure = true}, {}, {file_, "odd.png"});
  std::vector<std::string> suffixes;
  for (const auto& [suffix, bytes] : weights.files) suffixes.push_back(suffix);
  EXPECT_THAT(suffixes,
              testing::ElementsAre(".map.npy", ".map-1.png", ".map-1e+09.png", ".weights.png"));
  EXPECT_FALSE(weights.area.has_value());
}

TEST_F(WeighImageTest, ABadFileIsAFailureAmongTheOthersInOrder) {
  const std::vector<Input> inputs{{file_, "a"}, {"/none", "b"}, {file_, "c"}};
  std::vector<ImageWeights> all;
  alcedo::Run run;
  run.threads = 2;
  Index done = 0;
  run.progress = [&](const Progress& progress) { done = progress.done; };
  WeighImages(channel_, {}, {}, inputs, run, [&](std::size_t number, ImageWeights weights) {
    EXPECT_EQ(number, all.size());
    all.push_back(std::move(weights));
  });
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(done, 3);
  EXPECT_EQ(all[1].name, "b");
  EXPECT_NE(all[1].failure, "");
  EXPECT_EQ(all[0].maps[0].highest, all[2].maps[0].highest);
  const std::string csv = WeightsCsv(channel_.config(), all);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2);
  EXPECT_THAT(WeightsJson(channel_.config(), MapRule::kSum, "sum", all),
              HasSubstr("\"vocabulary_checksum\": \"sum\""));
}

}  // namespace
}  // namespace alcedo
