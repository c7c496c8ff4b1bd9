// The vectors that experiments compare are those that `encode` gives users: the same for every
// encoder, pooling and pyramid, on painted birds.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <numeric>

#include "alcedo/base/types.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/reproduce/finish.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/selection.h"
#include "alcedo/reproduce/training_vectors.h"
#include "alcedo/synth/collection.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {
namespace {

constexpr int kImages = 4;
constexpr double kPower = 0.5;
constexpr double kSigma = 0.6;  // of EMK, times the median distance

Dataset Birds(const std::filesystem::path& folder) {
  const synth::Collection collection =
      synth::MakeCollection({.classes = 2, .images = 2, .width = 128, .height = 96});
  Dataset dataset;
  dataset.classes = {"a", "b"};
  for (int i = 0; i < kImages; ++i) {
    DatasetImage image;
    image.name = "bird" + std::to_string(i) + ".ppm";
    image.path = folder / image.name;
    image.label = i % 2;
    image.split = Split::kTrain;
    io_testing::WriteFile(image.path, PnmBytes(synth::PaintImage(collection, i % 2, i / 2).image));
    dataset.images.push_back(image);
  }
  return dataset;
}

// How `encode` is asked for a pooling.
EncodeConfig ConfigWith(std::string_view pooling) {
  EncodeConfig config;
  config.pooling.Choose(pooling);
  if (config.pooling.Is<GmpOptions>()) {
    config.lambdas = {3};
    config.pooling.Get<GmpOptions>().relative = true;
  }
  config.normalization.power = kPower;
  config.normalization.l2 = true;
  return config;
}

// How an experiment is.
PoolChoice ChoiceOf(std::string_view pooling) {
  PoolingChoice options;
  options.Get<GmpOptions>() = {.lambda = 3, .relative = true};
  options.Choose(pooling);
  return {std::string(pooling), std::string(pooling),
          options.Visit([](const auto& o) -> PoolingOptions { return o; })};
}

Plan EverythingOf(const DescriptorChoice& descriptor) {
  Plan plan;
  for (const Label& encoder : EncoderOptions::kLabels) {
    if (encoder.name == "auto") continue;
    for (const char* pyramid : {"1", "1,3x1"}) {
      Coding coding;
      coding.name = std::string(encoder.name) + "-" + pyramid;
      coding.descriptor = descriptor;
      coding.encoder.Choose(encoder.name);
      coding.words = 4;
      if (coding.encoder.Is<SparseCodingOptions>()) {
        coding.vocabulary = DictionaryOptions{.atoms = 80, .max_iterations = 3};
      }
      if (coding.encoder.Is<EmkOptions>()) coding.words = 0, coding.sigma = kSigma;
      coding.pyramid = pyramid;
      for (const Label& pooling : PoolingChoice::kLabels) {
        coding.choices.push_back(ChoiceOf(pooling.name));
      }
      plan.codings.push_back(coding);
    }
  }
  return plan;
}

TEST(OnePath, ExperimentsHaveTheVectorsOfEncode) {
  const io_testing::TemporaryFolder folder;
  const Dataset dataset = Birds(folder / "");
  for (const DescriptorChoice& descriptor : DescriptorsOf(DescriptorSet())) {
    alcedo::Run run;
    run.threads = 2;
    run.work = folder / std::string(descriptor.name());
    const Plan plan = EverythingOf(descriptor);
    ReproduceOptions options;
    options.samples = 2000;
    options.scales = 1;
    const ReadyPlan ready = MakeReady(plan, dataset, options, 5, run);
    std::vector<int> all(plan.codings.size());
    std::iota(all.begin(), all.end(), 0);
    WantedPoolings wanted(plan.codings.size());
    for (const int c : all) {
      const auto n = static_cast<std::size_t>(c);
      wanted[n].resize(plan.codings[n].choices.size());
      std::iota(wanted[n].begin(), wanted[n].end(), 0);
    }
    const TrainingVectors vectors(ready, wanted, dataset, HashImages(dataset, run), run);
    ASSERT_TRUE(vectors.failures().empty());
    int compared = 0;
    for (const int c : all) {
      const Coding& coding = plan.codings[static_cast<std::size_t>(c)];
      const std::string kind(coding.vocabulary.name());
      const int size = coding.words > 0 ? coding.words : 16;
      const Vocabulary vocabulary =
          OpenVocabulary((run.work / "vocabularies" /
                          fmt::format("{}-{}{}.safetensors", descriptor.name(), kind, size))
                             .string())
              .vocabulary;
      for (int choice = 0; choice < static_cast<int>(coding.choices.size()); ++choice) {
        const std::string& pooling = coding.choices[static_cast<std::size_t>(choice)].name;
        const Rows ours = Finished(ready.codings[static_cast<std::size_t>(c)],
                                   vectors.Read(c, choice), kPower, Vector(), 1);
        EncodeConfig config = ConfigWith(pooling);
        config.describe = vocabulary.config.describe;
        config.encoder = coding.encoder;
        config.encoder.Get<EmkOptions>().sigma = kSigma * vocabulary.training.median_distance;
        config.pyramid = coding.pyramid;
        config.seed = 5;
        const ImageEncoder encoder({Channel(vocabulary, config)});
        for (Index i = 0; i < ours.rows(); ++i) {
          const DatasetImage& image = dataset.images[static_cast<std::size_t>(i)];
          const EncodedFile file = EncodeFile(encoder, {image.path.string(), image.name});
          ASSERT_EQ(file.failure, "");
          const Vector theirs = file.vectors.channels[0].values.row(0);
          EXPECT_NEAR(theirs.norm(), 1, 1e-9);
          EXPECT_LT((ours.row(i).transpose().cast<double>() - theirs).norm(), 1e-5)
              << descriptor.name() << ' ' << coding.name << ' ' << pooling;
          ++compared;
        }
      }
    }
    EXPECT_EQ(compared, 8 * 2 * 7 * kImages);
  }
}

}  // namespace
}  // namespace alcedo::reproduce
