#include "alcedo/encode/encode_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>

#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

using io_testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Index kWords = 5;
constexpr Index kDimension = 3;

Rows RandomRows(Index rows, std::uint64_t seed) {
  Rng rng(seed);
  return Rows::NullaryExpr(rows, kDimension, [&] { return static_cast<float>(rng.Normal()); });
}

std::string Npy(const Rows& rows) {
  return NpyBytes({"",
                   {rows.rows(), rows.cols()},
                   ElementType::kFloat32,
                   {reinterpret_cast<const char*>(rows.data()),
                    static_cast<std::size_t>(rows.size()) * sizeof(float)}});
}

// Sum-pooled bags of words: a histogram, which anybody can count.
Channel HistogramChannel(std::vector<double> lambdas = {}) {
  Vocabulary vocabulary;
  vocabulary.config.describe.descriptor = ExternalOptions{};
  vocabulary.descriptor_dimension = kDimension;
  vocabulary.words = Codebook{RandomRows(kWords, 99), Vector::Constant(kWords, 1.0 / kWords)};
  EncodeConfig config;
  config.describe.descriptor = ExternalOptions{};
  config.encoder.Choose<BovOptions>();
  if (lambdas.empty()) config.pooling.Choose<SumOptions>();
  config.lambdas = std::move(lambdas);
  return Channel(vocabulary, config);
}
ImageEncoder Histograms(std::vector<double> lambdas = {}) {
  return ImageEncoder({HistogramChannel(std::move(lambdas))});
}

std::vector<float> NaiveHistogram(const Rows& rows) {
  const Rows centers = RandomRows(kWords, 99);
  std::vector<float> histogram(kWords);
  for (Index n = 0; n < rows.rows(); ++n) {
    Index nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < kWords; ++k) {
      double distance = 0;
      for (Index d = 0; d < kDimension; ++d) {
        const double difference = double{rows(n, d)} - double{centers(k, d)};
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = k;
      }
    }
    histogram[nearest] += 1;
  }
  return histogram;
}

std::vector<float> Floats(const EncodedFile& file) {
  const Matrix& values = file.vectors.channels[0].values;
  std::vector<float> floats;
  for (Index i = 0; i < values.size(); ++i) floats.push_back(static_cast<float>(values.data()[i]));
  return floats;
}
std::vector<float> Floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

// Files of descriptors, some of them bad.
struct Collection {
  TemporaryFolder folder;
  std::vector<Input> inputs;

  explicit Collection(int images) {
    for (int i = 0; i < images; ++i) Add(Npy(Descriptors(i)));
  }
  void Add(const std::string& bytes) {
    const std::string name = "image" + std::to_string(inputs.size()) + ".npy";
    io_testing::WriteFile(folder / name, bytes);
    inputs.push_back({(folder / name).string(), name});
  }
  static Rows Descriptors(int i) { return RandomRows(10 + i % 4, 1000 + i); }
  std::vector<Index> all() const {
    std::vector<Index> which(inputs.size());
    std::iota(which.begin(), which.end(), Index{0});
    return which;
  }
};

StoreHeader HeaderOf(const ImageEncoder& encoder, int images_per_shard) {
  const Channel& channel = encoder.channels()[0];
  return {Dump({{"config", ToJson(channel.config())}}), ValueShape(channel), channel.config().dtype,
          images_per_shard};
}

std::map<std::string, std::string> FilesOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files[entry.path().filename()] = io_testing::ReadFile(entry.path());
  }
  return files;
}

// Encodes into a store; stops after so many shards, as if it had been killed.
void Encode(const ImageEncoder& encoder, const Collection& collection, const fs::path& folder,
            int threads = 1, int shards = std::numeric_limits<int>::max()) {
  FeatureStore store = FeatureStore::OpenToAppend(folder, HeaderOf(encoder, 3));
  Run run;
  run.threads = threads;
  run.write = [&](const std::function<void()>& write) {
    if (shards-- == 0) throw IoError("stopped");
    write();
  };
  Progress progress;
  const auto which = FilesToDo(encoder, collection.inputs, {&store}, run, progress);
  EncodeToStores(encoder, collection.inputs, which, {&store}, run, progress);
}

TEST(EncodeFile, IsTheHistogramOfItsRows) {
  const Collection collection(3);
  for (int i = 0; i < 3; ++i) {
    const EncodedFile image = EncodeFile(Histograms(), collection.inputs[i]);
    EXPECT_EQ(image.failure, "");
    EXPECT_EQ(Floats(image), NaiveHistogram(Collection::Descriptors(i)));
    EXPECT_EQ(image.vectors.channels[0].patches, Collection::Descriptors(i).rows());
    EXPECT_EQ(image.bytes, static_cast<std::int64_t>(fs::file_size(collection.inputs[i].path)));
    EXPECT_EQ(image.hash.size(), 32u);
  }
}

TEST(EncodeFile, IsAPicture) {
  Vocabulary vocabulary;
  vocabulary.descriptor_dimension = 128;
  vocabulary.words = Codebook{Rows::Identity(4, 128), Vector::Constant(4, 0.25)};
  EncodeConfig config;
  config.encoder.Choose<BovOptions>();
  config.pooling.Choose<SumOptions>();
  config.describe.image.max_pixels = 1024;
  const TemporaryFolder folder;
  Image picture = MakeImage(64, 32, 1);
  for (std::size_t i = 0; i < picture.samples.size(); ++i) picture.samples[i] = i * 37 % 251;
  io_testing::WriteFile(folder / "a.pgm", PnmBytes(picture));
  const EncodedFile image = EncodeFile(ImageEncoder({Channel(vocabulary, config)}),
                                       {(folder / "a.pgm").string(), "a.pgm"});
  EXPECT_EQ(image.failure, "");
  EXPECT_EQ(image.vectors.image.original_width, 64);
  EXPECT_EQ(image.vectors.image.original_height, 32);
  EXPECT_LE(image.vectors.image.width * image.vectors.image.height, 1024);
  const std::vector<float> counts = Floats(image);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0f), image.vectors.channels[0].patches);
}

TEST(EncodeFile, BadOnesAreSentencesWithoutTheName) {
  Collection collection(0);
  collection.Add("text");
  collection.Add("");
  collection.Add(Npy(Rows::Constant(2, kDimension + 1, 1.0f)));
  Rows with_nan = RandomRows(4, 1);
  with_nan(2, 1) = std::numeric_limits<float>::quiet_NaN();
  collection.Add(Npy(with_nan));
  collection.inputs.push_back({(collection.folder / "missing.npy").string(), "missing.npy"});
  const std::vector<std::string> reasons = {"not an array file", "empty", "4 dimensions", "row 2",
                                            "No such file"};
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const EncodedFile image = EncodeFile(Histograms(), collection.inputs[i]);
    EXPECT_THAT(image.failure, HasSubstr(reasons[i]));
    EXPECT_FALSE(image.failure.starts_with(collection.inputs[i].name)) << image.failure;
    EXPECT_EQ(image.vectors.channels[0].values.size(), 0);
    EXPECT_EQ(image.hash.empty(), i == 4);
  }
}

TEST(EncodeFiles, ComeInOrderAndInGroups) {
  const Collection collection(11);
  const std::vector<Index> which{0, 2, 3, 4, 5, 6, 8, 9, 10};
  for (const int threads : {1, 3}) {
    for (const Index group : {1, 2, 4, 20}) {
      std::vector<Index> seen;
      std::vector<std::size_t> sizes;
      alcedo::Run run;
      run.threads = threads;
      Progress progress{"encoding", 0, 9, 0, "images"};
      EncodeFiles(Histograms(), collection.inputs, which, group, run, progress,
                  [&](std::span<const Index> numbers, std::span<EncodedFile> images) {
                    ASSERT_EQ(numbers.size(), images.size());
                    sizes.push_back(images.size());
                    for (std::size_t i = 0; i < images.size(); ++i) {
                      seen.push_back(numbers[i]);
                      EXPECT_EQ(Floats(images[i]),
                                NaiveHistogram(Collection::Descriptors(numbers[i])));
                    }
                  });
      EXPECT_EQ(seen, which);
      EXPECT_EQ(progress.done, 9);
      for (std::size_t i = 0; i + 1 < sizes.size(); ++i) EXPECT_EQ(sizes[i], group);
      EXPECT_EQ(sizes.size(), (which.size() + group - 1) / group);
    }
  }
}

TEST(EncodeFiles, NoneIsNone) {
  Progress progress;
  EncodeFiles(Histograms(), {}, {}, 4, {}, progress, [](auto, auto) { FAIL(); });
}

TEST(ValueShape, HasTheLambdasFirst) {
  EXPECT_THAT(ValueShape(HistogramChannel()), ElementsAre(kWords));
  EXPECT_THAT(ValueShape(HistogramChannel({1})), ElementsAre(kWords));
  EXPECT_THAT(ValueShape(HistogramChannel({1, 2, 3})), ElementsAre(3, kWords));
}

TEST(EncodeToStores, HasEveryImageAndEveryFailure) {
  Collection collection(7);
  collection.Add("text");
  collection.Add(Npy(Collection::Descriptors(8)));
  const TemporaryFolder folder;
  const ImageEncoder encoder = Histograms();
  Encode(encoder, collection, folder / "store");
  const FeatureStore store = FeatureStore::OpenToRead(folder / "store");
  EXPECT_EQ(store.shards(), 3);
  EXPECT_EQ(store.size(), 8);
  ASSERT_EQ(store.Failures().size(), 1u);
  EXPECT_EQ(store.Failures()[0].name, "image7.npy");
  for (const StoredImage& image : store.Images()) {
    const Rows rows = store.ReadShard(image.shard);
    const int number = std::stoi(image.name.substr(5));
    const std::vector<float> expected = NaiveHistogram(Collection::Descriptors(number));
    for (Index d = 0; d < kWords; ++d) EXPECT_EQ(rows(image.row, d), expected[d]) << image.name;
  }
}

// After any number of shards, on any number of threads, and with bad images in any place.
TEST(EncodeToStores, ResumesAsIfNothingHadHappened) {
  Collection collection(10);
  io_testing::WriteFile(collection.inputs[1].path, "text");
  fs::remove(collection.inputs[2].path);
  io_testing::WriteFile(collection.inputs[7].path, "");
  const ImageEncoder encoder = Histograms({1, 10});
  const TemporaryFolder folder;
  Encode(encoder, collection, folder / "whole");
  const std::map<std::string, std::string> expected = FilesOf(folder / "whole");
  EXPECT_EQ(expected.size(), 4u * 2 + 3);
  for (int shards = 0; shards <= 4; ++shards) {
    for (const int threads : {1, 2}) {
      const fs::path store = folder / fmt::format("store-{}-{}", shards, threads);
      EXPECT_THROW(Encode(encoder, collection, store, threads, shards), IoError);
      Encode(encoder, collection, store, threads);
      EXPECT_EQ(FilesOf(store), expected) << shards << " " << threads;
      Encode(encoder, collection, store, threads);  // nothing is left to do
      EXPECT_EQ(FilesOf(store), expected);
    }
  }
}

// Two channels share every decoding; a kill may leave one store ahead of the other.
TEST(EncodeToStores, KeepsTheStoresOfChannelsInStep) {
  Collection collection(10);
  io_testing::WriteFile(collection.inputs[4].path, "text");
  const ImageEncoder encoder({HistogramChannel(), HistogramChannel({1, 10})});
  const auto encode = [&](const fs::path& folder, int writes) {
    alcedo::Run run;
    run.write = [&](const std::function<void()>& write) {
      if (writes-- == 0) throw IoError("stopped");
      write();
    };
    FeatureStore first =
        FeatureStore::OpenToAppend(folder / "a", HeaderOf(ImageEncoder({HistogramChannel()}), 3));
    FeatureStore second = FeatureStore::OpenToAppend(
        folder / "b", HeaderOf(ImageEncoder({HistogramChannel({1, 10})}), 3));
    const ChannelStores stores{&first, &second};
    Progress progress;
    const auto to_do = FilesToDo(encoder, collection.inputs, stores, run, progress);
    EncodeToStores(encoder, collection.inputs, to_do, stores, run, progress);
  };
  const TemporaryFolder folder;
  encode(folder / "whole", -1);
  Encode(Histograms(), collection, folder / "alone");
  EXPECT_EQ(FilesOf(folder / "whole/a"), FilesOf(folder / "alone"));
  for (int writes = 0; writes < 9; ++writes) {
    const fs::path killed = folder / fmt::format("killed-{}", writes);
    EXPECT_THROW(encode(killed, writes), IoError);
    encode(killed, -1);
    EXPECT_EQ(FilesOf(killed / "a"), FilesOf(folder / "whole/a")) << writes;
    EXPECT_EQ(FilesOf(killed / "b"), FilesOf(folder / "whole/b")) << writes;
  }
}

TEST(FilesToDo, AreNewOnesAndThoseWithOtherContents) {
  Collection collection(5);
  const ImageEncoder encoder = Histograms();
  const TemporaryFolder folder;
  Encode(encoder, collection, folder / "store");
  collection.Add(Npy(Collection::Descriptors(5)));
  io_testing::WriteFile(collection.inputs[2].path, Npy(Collection::Descriptors(77)));
  fs::remove(collection.inputs[3].path);
  FeatureStore store = FeatureStore::OpenToAppend(folder / "store", HeaderOf(encoder, 3));
  Progress progress;
  const auto which = FilesToDo(encoder, collection.inputs, {&store}, {}, progress);
  ASSERT_EQ(which.size(), 1u);
  EXPECT_THAT(which[0], ElementsAre(2, 3, 5));
  EncodeToStores(encoder, collection.inputs, which, {&store}, {}, progress);
  EXPECT_THAT(FilesToDo(encoder, collection.inputs, {&store}, {}, progress)[0], IsEmpty());
  EXPECT_EQ(store.Failures().size(), 1u);  // the file that is gone
}

TEST(ValueBytes, RoundsToTheType) {
  Matrix values(2, 2);
  values << 0.1, -2, 0, 1e300;
  const std::string bytes = ValueBytes(values, ValueType::kFloat64);
  ASSERT_EQ(bytes.size(), 4 * sizeof(double));
  double last = 0;
  std::memcpy(&last, bytes.data() + 3 * sizeof(double), sizeof last);
  EXPECT_EQ(last, 1e300);
  EXPECT_THROW(ValueBytes(values, ValueType::kFloat32), InvalidArgument);
  values(1, 1) = 3;
  EXPECT_THAT(Floats(ValueBytes(values, ValueType::kFloat32)), ElementsAre(0.1f, -2, 0, 3));
}

TEST(ValueBytes, RefusesWhatWouldVanish) {
  EXPECT_THROW(ValueBytes(Matrix::Constant(1, 3, 1e-60), ValueType::kFloat32), InvalidArgument);
  EXPECT_EQ(Floats(ValueBytes(Matrix::Zero(1, 3), ValueType::kFloat32)),
            (std::vector<float>{0, 0, 0}));
  EXPECT_THROW(ValueBytes(Matrix::Constant(1, 1, std::numeric_limits<double>::infinity()),
                          ValueType::kFloat64),
               InvalidArgument);
}

}  // namespace
}  // namespace alcedo
