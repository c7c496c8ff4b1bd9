#include "alcedo/training/train_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/config/field_json.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/training/training_set.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr int kImagesPerShard = 32;

LearnConfig LearnConfigOf(const DescriptorChoice& descriptor, const TrainOptions& options) {
  LearnConfig config;
  config.describe = DescribeWith(descriptor, options);
  config.samples = options.samples;
  config.seed = options.seed;
  // EMK draws its frequencies; all others take a mixture.
  if (options.encoder.Is<EmkOptions>()) config.kind.Choose<FourierOptions>();
  config.kind.Get<GmmOptions>().gaussians =
      options.gaussians > 0 ? options.gaussians : AutomaticGaussians(options.samples);
  return config;
}

EncodeConfig EncodeConfigOf(const Vocabulary& vocabulary, const TrainOptions& options) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.vocabulary = config.describe.descriptor.name();
  config.encoder = options.encoder;
  config.pooling = options.pooling;
  if (options.pooling.Is<GmpOptions>()) {
    config.lambdas = {options.lambda};
    config.pooling.Get<GmpOptions>().relative = options.lambda_relative;
  }
  config.normalization.power = options.power;
  config.normalization.l2 = true;
  config.seed = options.seed;
  return config;
}

fs::path VocabularyFile(std::string_view name, const Run& run) {
  return run.work / fmt::format("{}.safetensors", name);
}

// Those that are not there yet, in one reading of the images.
void LearnMissing(const Dataset& dataset, std::span<const Index> images,
                  const TrainOptions& options, const Run& run) {
  std::vector<LearnTask> tasks;
  std::vector<std::string> names;
  for (const DescriptorChoice& descriptor : DescriptorsOf(options.descriptor)) {
    const std::string name(descriptor.name());
    if (fs::exists(VocabularyFile(name, run))) continue;
    const LearnConfig config = LearnConfigOf(descriptor, options);
    const bool automatic = options.gaussians == 0 && config.kind.Is<GmmOptions>();
    tasks.push_back({config, run.work / (name + ".work"), name + " vocabulary", automatic});
    names.push_back(name);
  }
  if (tasks.empty()) return;
  const std::vector<LearnResult> results = LearnIn(dataset, images, tasks, run);
  for (std::size_t i = 0; i < results.size(); ++i) {
    Write(run, [&] {
      WriteWholeFile(VocabularyFile(names[i], run), VocabularyBytes(results[i].vocabulary));
      RemoveWorkFolder(tasks[i].work);
    });
  }
}

FeatureStore OpenStore(const Channel& channel, const std::string& checksum, const Run& run) {
  StoreHeader header;
  header.config = Dump({{"config", ToJson(channel.config())}, {"vocabulary_checksum", checksum}});
  header.shape = ValueShape(channel);
  header.type = channel.config().dtype;
  header.images_per_shard = kImagesPerShard;
  return FeatureStore::OpenToAppend(run.work / channel.config().vocabulary, header);
}

}  // namespace

TrainVectors::TrainVectors(const Dataset& dataset, std::span<const Index> images,
                           const TrainOptions& options, const Run& run) {
  LearnMissing(dataset, images, options, run);
  ChannelStores stores;
  for (const DescriptorChoice& descriptor : DescriptorsOf(options.descriptor)) {
    // Read back, also what was just learned: the file's checksum names it.
    NamedVocabulary named = OpenVocabulary(VocabularyFile(descriptor.name(), run).string());
    const Channel& channel =
        encoder_channels_.emplace_back(named.vocabulary, EncodeConfigOf(named.vocabulary, options));
    stores.push_back(&stores_.emplace_back(OpenStore(channel, named.checksum, run)));
    vocabularies_.push_back(std::move(named.vocabulary));
  }
  const ImageEncoder encoder(encoder_channels_);
  const std::vector<Input> inputs = InputsOf(dataset, images);
  const auto total = static_cast<Index>(inputs.size());
  Progress progress{"vectors, looking up", 0, total, 0, "images"};
  const auto to_do = FilesToDo(encoder, inputs, stores, run, progress);
  std::set<Index> left;
  for (const std::vector<Index>& numbers : to_do) left.insert(numbers.begin(), numbers.end());
  const Index before = total - static_cast<Index>(left.size());
  progress = {"vectors", before, total, before, "images"};
  EncodeToStores(encoder, inputs, to_do, stores, run, progress);
  for (const FeatureStore& store : stores_) {
    auto& stored = stored_.emplace_back();
    for (StoredImage& image : store.Images()) stored.emplace(image.name, image);
  }
}

const EncodeConfig& TrainVectors::config(std::size_t channel) const {
  return encoder_channels_[channel].config();
}

bool TrainVectors::Has(const std::string& image) const {
  return std::ranges::all_of(stored_, [&](const auto& stored) { return stored.contains(image); });
}

std::vector<Failure> TrainVectors::Failures() const {
  std::vector<Failure> failures;
  std::set<std::string> seen;
  for (const FeatureStore& store : stores_) {
    for (const Failure& failure : store.Failures()) {
      if (seen.insert(failure.name).second) failures.push_back(failure);
    }
  }
  return failures;
}

Rows TrainVectors::Read(std::size_t channel, const std::vector<std::string>& images) const {
  const FeatureStore& store = stores_[channel];
  std::vector<std::vector<std::pair<Index, Index>>> wanted(
      static_cast<std::size_t>(store.shards()));  // row of the shard, row of the result
  for (std::size_t i = 0; i < images.size(); ++i) {
    const StoredImage& image = stored_[channel].at(images[i]);
    wanted[static_cast<std::size_t>(image.shard)].emplace_back(image.row, static_cast<Index>(i));
  }
  Rows rows(static_cast<Index>(images.size()), encoder_channels_[channel].dimension());
  for (Index shard = 0; shard < store.shards(); ++shard) {
    if (wanted[static_cast<std::size_t>(shard)].empty()) continue;
    const Rows part = store.ReadShard(shard);
    for (const auto& [from, to] : wanted[static_cast<std::size_t>(shard)]) {
      rows.row(to) = part.row(from);
    }
  }
  return rows;
}

std::vector<std::int64_t> TrainVectors::Hashes(const std::vector<std::string>& images) const {
  std::vector<std::int64_t> hashes;
  for (const std::string& image : images) {
    hashes.push_back(ShortHashOf(stored_.front().at(image).hash));
  }
  return hashes;
}

}  // namespace alcedo
