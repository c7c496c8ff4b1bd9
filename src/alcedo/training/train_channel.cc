#include "alcedo/training/train_channel.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/training/learn_in.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/encode/encode_batch.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr int kImagesPerShard = 32;

LearnConfig LearnConfigOf(DescriptorKind descriptor, const TrainOptions& options) {
  LearnConfig config;
  config.describe = DescribeWith(descriptor, options);
  config.samples = options.samples;
  config.seed = options.seed;
  // EMK draws its words; all others take a mixture.
  if (options.encoder == EncoderKind::kEmk) config.kind = VocabularyKind::kFourier;
  config.gmm.gaussians =
      options.gaussians > 0 ? options.gaussians : AutomaticGaussians(options.samples);
  return config;
}

EncodeConfig EncodeConfigOf(const Vocabulary& vocabulary, const std::string& name,
                            const TrainOptions& options) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.vocabulary = name;
  config.encoder = options.encoder;
  config.pooling = options.pooling;
  if (options.pooling == PoolingKind::kGmp) {
    config.lambdas = {options.lambda};
    config.gmp.relative = options.lambda_relative;
  }
  config.power = options.power;
  config.l2 = true;
  config.seed = options.seed;
  return config;
}

NamedVocabulary LearnOrRead(DescriptorKind descriptor, const Dataset& dataset,
                            std::span<const Index> images, const TrainOptions& options,
                            const Run& run) {
  const std::string name(Name(descriptor));
  const fs::path file = run.work / (name + ".safetensors");
  if (!fs::exists(file)) {
    const std::string what = name + " vocabulary";
    LearnConfig config = LearnConfigOf(descriptor, options);
    const fs::path first = run.work / (name + ".work"), second = run.work / (name + "-fewer.work");
    const bool automatic = options.gaussians == 0 && config.kind == VocabularyKind::kGmm;
    Vocabulary vocabulary = LearnIn(first, what, dataset, images, config, run, automatic);
    // A few small pictures give fewer samples than were asked for: fewer Gaussians for them.
    const int fewer = AutomaticGaussians(vocabulary.training.samples);
    if (automatic && fewer < config.gmm.gaussians) {
      config.gmm.gaussians = fewer;
      vocabulary = LearnIn(second, what, dataset, images, config, run);
    }
    Write(run, [&] {
      WriteWholeFile(file, VocabularyBytes(vocabulary));
      RemoveWorkFolder(first);
      RemoveWorkFolder(second);
    });
  }
  return OpenVocabulary(file.string());
}

FeatureStore OpenStore(const Representer& representer, const std::string& checksum,
                       const std::string& name, const Run& run) {
  StoreHeader header;
  header.config = {{"config", ToJson(representer.config)}, {"vocabulary_checksum", checksum}};
  header.shape = ValueShape(representer);
  header.type = representer.config.dtype;
  header.images_per_shard = kImagesPerShard;
  return FeatureStore::OpenToAppend(run.work / name, header);
}

}  // namespace

TrainChannel::TrainChannel(DescriptorKind descriptor, const Dataset& dataset,
                           std::span<const Index> images, const TrainOptions& options,
                           const Run& run)
    : TrainChannel(LearnOrRead(descriptor, dataset, images, options, run), descriptor, options,
                   run) {
  Encode(dataset, images, std::string(Name(descriptor)), run);
}

TrainChannel::TrainChannel(NamedVocabulary named, DescriptorKind descriptor,
                           const TrainOptions& options, const Run& run)
    : vocabulary_(std::move(named.vocabulary)),
      representer_(MakeRepresenter(
          vocabulary_, EncodeConfigOf(vocabulary_, std::string(Name(descriptor)), options))),
      store_(OpenStore(representer_, named.checksum, std::string(Name(descriptor)), run)) {}

void TrainChannel::Encode(const Dataset& dataset, std::span<const Index> images,
                          const std::string& name, const Run& run) {
  std::vector<EncodeInput> inputs;
  for (const Index number : images) {
    const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
    inputs.push_back({image.path.string(), image.name});
  }
  const auto total = static_cast<Index>(inputs.size());
  std::mutex mutex;
  Progress progress{name + " vectors, looking up", 0, total, 0, "images"};
  EncodeRun encode;
  encode.threads = run.threads;
  encode.write = run.write;
  encode.progress = [&] {
    const std::lock_guard lock(mutex);
    ++progress.done;
    Report(run, progress);
  };
  const std::vector<Index> to_do = ImagesToDo(representer_, inputs, store_, encode);
  const Index before = total - static_cast<Index>(to_do.size());
  progress = {name + " vectors", before, total, before, "images"};
  EncodeToStore(representer_, inputs, to_do, store_, encode);
  for (StoredImage& image : store_.Images()) stored_.emplace(image.name, image);
}

std::vector<LearnFailure> TrainChannel::Failures() const {
  std::vector<LearnFailure> failures;
  for (const StoreEntry& entry : store_.Failures()) failures.push_back({entry.name, entry.failure});
  return failures;
}

Rows TrainChannel::Read(const std::vector<std::string>& images) const {
  std::vector<std::vector<std::pair<Index, Index>>> wanted(
      static_cast<std::size_t>(store_.shards()));  // row of the shard, row of the result
  for (std::size_t i = 0; i < images.size(); ++i) {
    const StoredImage& image = stored_.at(images[i]);
    wanted[static_cast<std::size_t>(image.shard)].emplace_back(image.row, static_cast<Index>(i));
  }
  Rows rows(static_cast<Index>(images.size()), dimension());
  for (Index shard = 0; shard < store_.shards(); ++shard) {
    const Rows part = store_.ReadShard(shard);
    for (const auto& [from, to] : wanted[static_cast<std::size_t>(shard)]) {
      rows.row(to) = part.row(from);
    }
  }
  return rows;
}

}  // namespace alcedo
