#include "alcedo/experiment/test_scores.h"

#include <algorithm>
#include <span>
#include <utility>

#include "alcedo/pipeline/feature_store.h"

namespace alcedo {
namespace {

constexpr int kImagesPerShard = 32;

// Which choices the models need, and where a model's choice is among them.
struct Needed {
  WantedChoices wanted;
  std::vector<Index> position;  // per model
};

Needed NeededBy(const std::vector<ModelKey>& keys, const ReadyPlan& ready) {
  Needed needed{WantedChoices(ready.codings.size()), {}};
  for (const ModelKey& key : keys) {
    std::vector<int>& list = needed.wanted[static_cast<std::size_t>(key.candidate.coding)];
    auto found = std::ranges::find(list, key.candidate.choice);
    if (found == list.end()) found = list.insert(list.end(), key.candidate.choice);
    needed.position.push_back(found - list.begin());
  }
  return needed;
}

Json StoreConfig(const ReadyPlan& ready, const std::vector<ModelKey>& keys) {
  Json models = Json::array();
  for (const ModelKey& key : keys) {
    const ReadyCoding& coding = ready.codings[static_cast<std::size_t>(key.candidate.coding)];
    Json model = CodingJson(coding, ready.accuracy);
    model["choice"] = coding.coding.choices[static_cast<std::size_t>(key.candidate.choice)].name;
    model["power"] = key.candidate.power;
    model["c"] = key.c;
    models.push_back(std::move(model));
  }
  return Json{{"models", std::move(models)}};
}

// models x classes for every image that could be read, one image after the other.
std::string ScoreBytes(const ReadyPlan& ready, const std::vector<ModelKey>& keys,
                       const std::vector<LinearModel>& models, const Needed& needed,
                       const std::vector<ImageRecord>& images, int threads) {
  std::vector<const ImageRecord*> good;
  for (const ImageRecord& image : images) {
    if (image.entry.failure.empty()) good.push_back(&image);
  }
  const auto count = static_cast<Index>(good.size());
  const Index classes = models.front().weights.rows();
  Rows scores(count * static_cast<Index>(keys.size()), classes);
  for (std::size_t m = 0; m < keys.size(); ++m) {
    const auto coding = static_cast<std::size_t>(keys[m].candidate.coding);
    Rows vectors(count, ready.codings[coding].dimension());
    for (Index i = 0; i < count; ++i) {
      vectors.row(i) = good[static_cast<std::size_t>(i)]->vectors[coding].row(needed.position[m]);
    }
    const Rows normalized =
        Normalized(ready.codings[coding], std::move(vectors), keys[m].candidate.power, threads);
    const Matrix of_model = Scores(models[m], normalized, threads);
    for (Index i = 0; i < count; ++i) {
      scores.row(i * static_cast<Index>(keys.size()) + static_cast<Index>(m)) =
          of_model.row(i).cast<float>();
    }
  }
  return {reinterpret_cast<const char*>(scores.data()),
          static_cast<std::size_t>(scores.size()) * sizeof(float)};
}

TestScores ReadScores(const FeatureStore& store, const std::vector<ModelKey>& keys,
                      const Dataset& dataset, const std::vector<Index>& numbers, Index classes) {
  StoredNumbers stored = NumbersOf(store, dataset, numbers);
  TestScores result{std::move(stored.images), {}, std::move(stored.failures)};
  std::vector<Matrix> scores(keys.size(),
                             Matrix(static_cast<Index>(result.images.size()), classes));
  Index row = 0;
  for (Index shard = 0; shard < store.shards(); ++shard) {
    const Rows part = store.ReadShard(shard);
    for (Index i = 0; i < part.rows(); ++i, ++row) {
      for (std::size_t m = 0; m < keys.size(); ++m) {
        scores[m].row(row) =
            part.row(i).segment(static_cast<Index>(m) * classes, classes).cast<double>();
      }
    }
  }
  for (std::size_t m = 0; m < keys.size(); ++m) {
    result.scores.emplace(keys[m], std::move(scores[m]));
  }
  return result;
}

}  // namespace

TestScores ScoreTestImages(const ReadyPlan& ready, const std::vector<ModelKey>& keys,
                           const Dataset& dataset, const ExperimentRun& run) {
  const std::vector<Index> numbers = ImagesOf(dataset, Split::kTest);
  const auto classes = static_cast<Index>(dataset.classes.size());
  StoreHeader header;
  header.config = StoreConfig(ready, keys);
  header.shape = {static_cast<Index>(keys.size()), classes};
  header.images_per_shard = kImagesPerShard;
  FeatureStore store = FeatureStore::OpenToAppend(run.work / "scores", header);

  const auto count = static_cast<Index>(numbers.size());
  const Needed needed = NeededBy(keys, ready);
  std::vector<LinearModel> models;
  ExperimentProgress progress{"test images", 0, count, 0, "images"};
  for (Index begin = 0; begin < count; begin += kImagesPerShard) {
    const Index size = std::min<Index>(kImagesPerShard, count - begin);
    if (store.shards() > begin / kImagesPerShard) {
      progress.done += size;
      progress.resumed += size;
      continue;
    }
    if (models.empty()) {
      for (const ModelKey& key : keys) models.push_back(ReadModel(ready, key, run));
    }
    const std::vector<ImageRecord> images = MakeImageRecords(
        ready, dataset,
        std::span(numbers).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size)),
        needed.wanted, run, progress);
    const std::string values = ScoreBytes(ready, keys, models, needed, images, run.threads);
    Write(run, [&] { store.Append(EntriesOf(images), values); });
  }
  return ReadScores(store, keys, dataset, numbers, classes);
}

}  // namespace alcedo
