#include "alcedo/learn/learn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/base/version.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/learn/learn_testing.h"

namespace alcedo {
namespace {

using io_testing::MessageOf;
using io_testing::TemporaryFolder;
using learn_testing::Collection;
using learn_testing::kAllKinds;
using learn_testing::RunIn;
using learn_testing::SmallConfig;
using learn_testing::Undisturbed;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Rows ReadSamples(const std::filesystem::path& path, Index dimension) {
  const std::string bytes = io_testing::ReadFile(path);
  Rows rows(static_cast<Index>(bytes.size() / sizeof(float)) / dimension, dimension);
  std::memcpy(rows.data(), bytes.data(), bytes.size());
  return rows;
}

TEST(Learn, DrawsTheSameNumberFromEveryImageInOrder) {
  const Collection collection(7);
  const TemporaryFolder folder;
  LearnConfig config = SmallConfig("fourier");
  config.samples = 100;
  const LearnResult result = Learn(collection.inputs, config, RunIn(folder / "work"));
  const Rows samples = ReadSamples(folder / "work/samples.f32", 128);
  ASSERT_EQ(samples.rows(), 100);
  Index next = 0;
  std::string hash;
  for (int i = 0; i < 7; ++i) {
    const std::string bytes = io_testing::ReadFile(collection.inputs[i].path);
    const Rows all = Describer(config.describe).FromBytes(bytes, "x").values;
    ASSERT_TRUE((all.rowwise().norm().array() == 0).any()) << "no zero rows to leave out";
    Index position = 0;
    for (Index taken = 0; taken < (i + 1) * 100 / 7 - i * 100 / 7; ++taken, ++next) {
      EXPECT_GT(samples.row(next).norm(), 0);
      while (position < all.rows() && all.row(position) != samples.row(next)) ++position;
      ASSERT_LT(position, all.rows()) << "sample " << next << " is no later row of image " << i;
      ++position;
    }
    hash = ContentHash(hash + collection.inputs[i].name + ContentHash(bytes));
  }
  const TrainingRecord& training = result.vocabulary.training;
  EXPECT_EQ(training.images, 7);
  EXPECT_EQ(training.bad_images, 0);
  EXPECT_EQ(training.samples, 100);
  EXPECT_EQ(training.inputs_hash, hash);
  EXPECT_EQ(training.version, Version());
  EXPECT_THAT(result.failures, IsEmpty());
}

TEST(Learn, ReadsOnlyTheImagesThatGiveSamples) {
  Collection collection(6);
  for (const int unread : {0, 2, 4}) std::filesystem::remove(collection.inputs[unread].path);
  const TemporaryFolder folder;
  LearnConfig config = SmallConfig("fourier");
  config.samples = 3;
  const LearnResult result = Learn(collection.inputs, config, RunIn(folder / "work"));
  EXPECT_THAT(result.failures, IsEmpty());
  EXPECT_EQ(result.vocabulary.training.images, 3);
  EXPECT_EQ(result.vocabulary.training.samples, 3);
}

TEST(Learn, TakesAllOfAnImageThatHasFewer) {
  Collection collection(2);
  Image small = MakeImage(20, 16, 1);
  for (std::size_t i = 0; i < small.samples.size(); ++i) {
    small.samples[i] = static_cast<float>(i * 37 % 101);
  }
  collection.Add(PnmBytes(small), ".pgm");                 // two patches
  collection.Add(PnmBytes(MakeImage(8, 8, 1)), ".pgm");    // none
  collection.Add(PnmBytes(MakeImage(40, 40, 1)), ".pgm");  // all flat
  const TemporaryFolder folder;
  LearnConfig config = SmallConfig("fourier");
  config.samples = 50;
  const LearnResult result = Learn(collection.inputs, config, RunIn(folder / "work"));
  EXPECT_EQ(result.vocabulary.training.samples, 22);
  EXPECT_EQ(result.vocabulary.training.images, 3);
  EXPECT_THAT(result.failures, IsEmpty());
}

TEST(Learn, LearnsEveryKindThatCanBeStored) {
  const Collection collection(6);
  for (const std::string_view kind : kAllKinds) {
    const LearnConfig config = SmallConfig(kind);
    const TemporaryFolder folder;
    const LearnResult result = Learn(collection.inputs, config, RunIn(folder / "work"));
    const Vocabulary& vocabulary = result.vocabulary;
    EXPECT_EQ(vocabulary.kind().name, kind);
    EXPECT_EQ(vocabulary.descriptor_dimension, 128);
    ASSERT_TRUE(vocabulary.pca.has_value());
    EXPECT_EQ(vocabulary.dimension(), 6);
    EXPECT_GT(vocabulary.training.median_distance, 0);
    const std::string bytes = VocabularyBytes(vocabulary);
    EXPECT_EQ(VocabularyBytes(ReadVocabularyBytes(bytes, "x")), bytes);
  }
}

TEST(Learn, FollowsTheStagesThatItIsMadeOf) {
  const Collection collection(6);
  LearnConfig config = SmallConfig("kmeans");
  config.vlad_rotations = true;
  const TemporaryFolder folder;
  const Vocabulary vocabulary = Learn(collection.inputs, config, RunIn(folder / "work")).vocabulary;
  const Rows samples = ReadSamples(folder / "work/samples.f32", 128);
  const Pca pca = FitPca(SampleSource(samples), config.pca);
  EXPECT_EQ(vocabulary.pca->components, pca.components);
  const Rows projected = Project(pca, samples);
  const auto& codebook = std::get<Codebook>(vocabulary.words);
  // The words of k-means are the means of the samples nearest to them, up to its last iteration.
  const std::vector<std::int32_t> nearest = AssignNearest(codebook.centers, projected);
  double error = 0;
  for (Index n = 0; n < projected.rows(); ++n) {
    error += (projected.row(n) - codebook.centers.row(nearest[n])).squaredNorm();
  }
  EXPECT_NEAR(error / static_cast<double>(projected.rows()) / vocabulary.training.objective, 1,
              0.05);
  EXPECT_EQ(vocabulary.vlad_rotations, FitVladRotations(codebook, SampleSource(projected), false));
  std::vector<float> distances;
  for (Index a = 0; a < projected.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      distances.push_back((projected.row(a) - projected.row(b)).norm());
    }
  }
  std::nth_element(distances.begin(), distances.begin() + distances.size() / 2, distances.end());
  EXPECT_NEAR(vocabulary.training.median_distance / distances[distances.size() / 2], 1, 0.02);
}

TEST(Learn, TakesTheMedianDistanceForASigmaOfZero) {
  const Collection collection(3);
  LearnConfig config = SmallConfig("fourier");
  const TemporaryFolder folder;
  Vocabulary vocabulary = Learn(collection.inputs, config, RunIn(folder / "a")).vocabulary;
  EXPECT_EQ(std::get<RandomFourier>(vocabulary.words).sigma, vocabulary.training.median_distance);
  config.kind.Get<FourierOptions>().sigma = 0.25;
  vocabulary = Learn(collection.inputs, config, RunIn(folder / "b")).vocabulary;
  EXPECT_EQ(std::get<RandomFourier>(vocabulary.words).sigma, 0.25);
}

TEST(Learn, GoesWithoutPca) {
  const Collection collection(4);
  for (const std::string_view kind : kAllKinds) {
    LearnConfig config = SmallConfig(kind);
    config.pca.dimensions = 0;
    const TemporaryFolder folder;
    LearnRun run = RunIn(folder / "a");
    const Vocabulary vocabulary = Learn(collection.inputs, config, run).vocabulary;
    EXPECT_FALSE(vocabulary.pca.has_value());
    EXPECT_EQ(vocabulary.dimension(), 128);
    run = RunIn(folder / "b");
    run.max_memory = 0;
    EXPECT_EQ(VocabularyBytes(Learn(collection.inputs, config, run).vocabulary),
              VocabularyBytes(vocabulary));
  }
}

TEST(Learn, GivesTheSameBytesForAnyThreadsAndMemory) {
  const Collection collection(9);
  for (const std::string_view kind : kAllKinds) {
    LearnConfig config = SmallConfig(kind);
    config.vlad_rotations = kind == "kmeans";
    const std::string expected = Undisturbed(collection, config);
    for (const int threads : {1, 2, 3}) {
      for (const double memory : {0.0, 1000.0}) {
        const TemporaryFolder folder;
        LearnRun run = RunIn(folder / "work");
        run.threads = threads;
        run.max_memory = memory;
        const std::string bytes = VocabularyBytes(Learn(collection.inputs, config, run).vocabulary);
        EXPECT_TRUE(bytes == expected) << kind << " " << threads << " " << memory;
        EXPECT_EQ(std::filesystem::exists(folder / "work/projected.f32"), memory == 0);
      }
    }
  }
}

TEST(Learn, DrawsOtherSamplesForAnotherSeed) {
  const Collection collection(4);
  LearnConfig config = SmallConfig("fourier");
  config.samples = 40;
  const TemporaryFolder folder;
  Learn(collection.inputs, config, RunIn(folder / "a"));
  config.seed = 6;
  Learn(collection.inputs, config, RunIn(folder / "b"));
  EXPECT_NE(io_testing::ReadFile(folder / "a/samples.f32"),
            io_testing::ReadFile(folder / "b/samples.f32"));
}

std::string NpyOf(const Rows& rows) {
  const std::vector<float> values(rows.data(), rows.data() + rows.size());
  return io_testing::Npy(
      "<f4", "(" + std::to_string(rows.rows()) + ", " + std::to_string(rows.cols()) + ")",
      io_testing::Bytes(values));
}

Rows RandomRows(Index count, Index dimension, std::uint64_t seed) {
  Rng rng(seed);
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

TEST(Learn, TakesDescriptorsOfAnybody) {
  Collection collection;
  for (int i = 0; i < 4; ++i) collection.Add(NpyOf(RandomRows(50, 9, i)), ".npy");
  collection.Add(NpyOf(RandomRows(50, 7, 4)), ".npy");
  for (const std::string_view kind : kAllKinds) {
    LearnConfig config = SmallConfig(kind);
    config.describe.descriptor = ExternalOptions{};
    const TemporaryFolder folder;
    const LearnResult result = Learn(collection.inputs, config, RunIn(folder / "work"));
    EXPECT_EQ(result.vocabulary.descriptor_dimension, 9);
    EXPECT_EQ(result.vocabulary.training.samples, 200);
    ASSERT_EQ(result.failures.size(), 1u);
    EXPECT_EQ(result.failures[0].name, "image4.npy");
    EXPECT_EQ(result.failures[0].reason,
              "its descriptors have 7 values, those of image0.npy have 9");
  }
}

TEST(Learn, GoesOnWithoutBadImagesAndListsThem) {
  Collection good(0), mixed(0);
  const auto image = [](int i) { return PnmBytes(learn_testing::SyntheticImage(i)); };
  mixed.Add("no picture", ".jpg");
  for (int i = 0; i < 3; ++i) mixed.Add(image(i), ".pgm");
  mixed.Add(image(3).substr(0, 500), ".pgm");
  mixed.inputs.push_back({mixed.folder / "none.png", "none.png"});
  mixed.inputs.push_back({mixed.folder.path(), "folder"});
  mixed.Add("", ".png");
  mixed.Add(image(0) + std::string(3 << 20, 'x'), ".pgm");
  LearnConfig config = SmallConfig("kmeans");
  config.describe.image.max_image_memory = 2;
  for (const int threads : {1, 3}) {
    const TemporaryFolder folder;
    LearnRun run = RunIn(folder / "work");
    run.threads = threads;
    const LearnResult result = Learn(mixed.inputs, config, run);
    std::vector<std::string> names;
    for (const Failure& failure : result.failures) {
      names.push_back(failure.name);
      EXPECT_FALSE(failure.reason.empty());
      EXPECT_FALSE(failure.reason.starts_with(failure.name)) << failure.reason;
    }
    EXPECT_THAT(names, ElementsAre("image0.jpg", "image4.pgm", "none.png", "folder", "image7.png",
                                   "image8.pgm"));
    EXPECT_THAT(result.failures[2].reason, HasSubstr("No such file"));
    EXPECT_THAT(result.failures[5].reason,
                AllOf(HasSubstr("has 3."),
                      HasSubstr(" MiB, more than the 2 MiB of image.max_image_memory")));
    EXPECT_EQ(result.vocabulary.training.bad_images, 6);
    EXPECT_EQ(result.vocabulary.training.images, 3);
  }
}

TEST(Learn, SaysWhyWhenEveryImageIsBad) {
  Collection collection;
  collection.Add("no picture", ".jpg");
  collection.Add("", ".jpg");
  const TemporaryFolder folder;
  const std::string message = MessageOf<InvalidArgument>(
      [&] { Learn(collection.inputs, SmallConfig("gmm"), RunIn(folder / "work")); });
  EXPECT_THAT(message, AllOf(HasSubstr("none of the 2 images"), HasSubstr("image0.jpg: ")));
  EXPECT_FALSE(std::filesystem::exists(folder / "work")) << "stands in the way of the next try";
}

TEST(Learn, SaysSoWhenThereAreNoDescriptors) {
  Collection collection;
  collection.Add(PnmBytes(MakeImage(40, 40, 1)), ".pgm");
  const TemporaryFolder folder;
  EXPECT_THAT(MessageOf<InvalidArgument>(
                  [&] { Learn(collection.inputs, SmallConfig("gmm"), RunIn(folder / "work")); }),
              HasSubstr("at least 2 descriptors that are not all zero, got 0 from 1 images"));
}

TEST(Learn, SaysWhatIsWrongWithOptionsBeforeItReadsAnImage) {
  const Collection collection(2);
  const TemporaryFolder folder;
  const auto refusal = [&](auto&& change) {
    LearnConfig config = SmallConfig("gmm");
    LearnRun run = RunIn(folder / "work");
    change(config, run);
    run.progress = [](const Progress&) { ADD_FAILURE() << "began to work"; };
    const std::string message =
        MessageOf<InvalidArgument>([&] { Learn(collection.inputs, config, run); });
    EXPECT_FALSE(std::filesystem::exists(folder / "work"));
    return message;
  };
  EXPECT_EQ(refusal([](auto& c, auto&) { c.samples = 1; }), "samples must be >= 2, got 1");
  EXPECT_EQ(refusal([](auto&, auto& r) { r.threads = 0; }), "threads must be >= 1, got 0");
  EXPECT_THAT(refusal([](auto& c, auto&) { c.pca.dimensions = -1; }), HasSubstr("pca.dimensions"));
  EXPECT_THAT(refusal([](auto& c, auto&) { c.describe.grid.step = 0; }), HasSubstr("step"));
  EXPECT_THAT(refusal([](auto& c, auto&) { c.kind.template Get<GmmOptions>().gaussians = 0; }),
              HasSubstr("gaussians"));
  EXPECT_THAT(refusal([](auto& c, auto&) {
                c.kind.template Choose<KMeansOptions>();
                c.kind.template Get<KMeansOptions>().clusters = 0;
              }),
              HasSubstr("clusters"));
  EXPECT_THAT(refusal([](auto& c, auto&) {
                c.kind.template Choose<DictionaryOptions>();
                c.kind.template Get<DictionaryOptions>().atoms = 0;
              }),
              HasSubstr("atoms"));
  EXPECT_THAT(refusal([](auto& c, auto&) {
                c.kind.template Choose<FourierOptions>();
                c.kind.template Get<FourierOptions>().sigma = -1;
              }),
              HasSubstr("sigma"));
  EXPECT_THAT(refusal([](auto& c, auto&) { c.vlad_rotations = true; }),
              AllOf(HasSubstr("vlad_rotations"), HasSubstr("gmm")));
  EXPECT_THAT(refusal([](auto&, auto& r) { r.work.clear(); }), HasSubstr("work folder"));
  EXPECT_THROW(Learn({}, SmallConfig("gmm"), RunIn(folder / "work")), InvalidArgument);
}

TEST(Learn, ReportsEveryImageAndIteration) {
  const Collection collection(70);
  LearnConfig config = SmallConfig("kmeans");
  config.vlad_rotations = true;
  const TemporaryFolder folder;
  LearnRun run = RunIn(folder / "work");
  run.threads = 3;
  std::map<std::string, std::vector<Index>> done;
  run.progress = [&](const Progress& progress) {
    done[progress.stage].push_back(progress.done);
    EXPECT_LE(progress.done, progress.total);
    EXPECT_EQ(progress.resumed, 0);
    if (progress.stage == "sampling") {
      EXPECT_EQ(progress.total, 70);
    }
    if (progress.stage == "k-means") {
      EXPECT_EQ(progress.objective_name, "squared error");
    }
  };
  Learn(collection.inputs, config, run);
  ASSERT_EQ(done["sampling"].size(), 71u);
  for (Index i = 0; i <= 70; ++i) EXPECT_EQ(done["sampling"][i], i);
  EXPECT_THAT(done["pca"], ElementsAre(0, 1));
  EXPECT_THAT(done["k-means"], ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(done["rotations"], ElementsAre(0, 1));
}

}  // namespace
}  // namespace alcedo
