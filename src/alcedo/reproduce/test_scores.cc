#include "alcedo/reproduce/test_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/reproduce/finish.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::reproduce {
namespace {

// Adds the choices that the models need.
void AddNeeded(const std::vector<ModelKey>& keys, const ReadyPlan& ready, WantedPoolings& wanted) {
  for (const ModelKey& key : keys) {
    std::vector<int>& list = wanted[static_cast<std::size_t>(ready.PooledAs(key.candidate.coding))];
    if (std::ranges::count(list, key.candidate.choice) == 0) list.push_back(key.candidate.choice);
  }
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
                       const std::vector<FinalModel>& models, const WantedPoolings& wanted,
                       const std::vector<ImageRecord>& images, int threads) {
  std::vector<const ImageRecord*> good;
  for (const ImageRecord& image : images) {
    if (image.entry.failure.empty()) good.push_back(&image);
  }
  const auto count = static_cast<Index>(good.size());
  const Index classes = models.front().linear.weights.rows();
  Rows scores(count * static_cast<Index>(keys.size()), classes);
  for (std::size_t m = 0; m < keys.size(); ++m) {
    const Candidate& candidate = keys[m].candidate;
    const ReadyCoding& coding = ready.codings[static_cast<std::size_t>(candidate.coding)];
    const auto pooled = static_cast<std::size_t>(ready.PooledAs(candidate.coding));
    const auto position =
        std::ranges::find(wanted[pooled], candidate.choice) - wanted[pooled].begin();
    Rows vectors(count, coding.dimension);
    for (Index i = 0; i < count; ++i) {
      vectors.row(i) = good[static_cast<std::size_t>(i)]->vectors[pooled].row(position);
    }
    const Rows finished =
        Finished(coding, std::move(vectors), candidate.power, models[m].centre, threads);
    const Matrix of_model = alcedo::Scores(models[m].linear, finished, threads);
    for (Index i = 0; i < count; ++i) {
      scores.row(i * static_cast<Index>(keys.size()) + static_cast<Index>(m)) =
          of_model.row(i).cast<float>();
    }
  }
  return {reinterpret_cast<const char*>(scores.data()),
          static_cast<std::size_t>(scores.size()) * sizeof(float)};
}

// The models of one pair of rows, and the file of their scores.
struct ScoreGroup {
  std::vector<ModelKey> keys;
  std::vector<FinalModel> models;  // read when the first image needs them
  FeatureStore store;
};

std::vector<ScoreGroup> OpenGroups(const ReadyPlan& ready,
                                   const std::vector<std::vector<ModelKey>>& keys, Index classes,
                                   const Run& run) {
  std::vector<ScoreGroup> groups;
  for (const std::vector<ModelKey>& mine : keys) {
    StoreHeader header;
    header.config = Dump(StoreConfig(ready, mine));
    header.shape = {static_cast<Index>(mine.size()), classes};
    header.images_per_shard = kImagesPerShard;
    // Named after the models, so that other choices make another file.
    const std::string& coding =
        ready.codings[static_cast<std::size_t>(mine.front().candidate.coding)].coding.name;
    const std::string name = fmt::format("{}-{}", coding, ContentHash(header.config).substr(0, 8));
    groups.push_back({mine, {}, FeatureStore::OpenToAppend(run.work / "scores" / name, header)});
  }
  return groups;
}

// Of one shard: what the groups that do not have it yet need of its images.
WantedPoolings WantedBy(const std::vector<ScoreGroup>& groups, Index shard,
                        const ReadyPlan& ready) {
  WantedPoolings wanted(ready.codings.size());
  for (const ScoreGroup& group : groups) {
    if (!group.store.HasShard(shard)) AddNeeded(group.keys, ready, wanted);
  }
  return wanted;
}

void ReadScores(const ScoreGroup& group, Index images, Index classes,
                std::map<ModelKey, Matrix>& all) {
  std::vector<Matrix> scores(group.keys.size(), Matrix(images, classes));
  Index row = 0;
  for (Index shard = 0; shard < group.store.shards(); ++shard) {
    const Rows part = group.store.ReadShard(shard);
    for (Index i = 0; i < part.rows(); ++i, ++row) {
      for (std::size_t m = 0; m < group.keys.size(); ++m) {
        scores[m].row(row) =
            part.row(i).segment(static_cast<Index>(m) * classes, classes).cast<double>();
      }
    }
  }
  for (std::size_t m = 0; m < group.keys.size(); ++m) {
    all.emplace(group.keys[m], std::move(scores[m]));
  }
}

}  // namespace

TestScores ScoreTestImages(const ReadyPlan& ready, const std::vector<std::vector<ModelKey>>& keys,
                           const Dataset& dataset, const ImageHashes& hashes, const Run& run) {
  const std::vector<Index> numbers = ImagesOf(dataset, Split::kTest);
  const auto classes = static_cast<Index>(dataset.classes.size());
  const auto count = static_cast<Index>(numbers.size());
  std::vector<ScoreGroup> groups = OpenGroups(ready, keys, classes, run);
  for (ScoreGroup& group : groups) RemoveDamagedShards({&group.store}, run);
  const UnfinishedSolves unfinished(run.work, "test");
  Progress progress{"test images", 0, count, 0, "images"};
  for (Index begin = 0; begin < count; begin += kImagesPerShard) {
    const Index size = std::min<Index>(kImagesPerShard, count - begin);
    const Index shard = begin / kImagesPerShard;
    const WantedPoolings wanted = WantedBy(groups, shard, ready);
    if (std::ranges::all_of(wanted, &std::vector<int>::empty)) {
      progress.done += size;
      progress.resumed += size;
      continue;
    }
    const std::vector<ImageRecord> images = MakeImageRecords(
        ready, dataset,
        std::span(numbers).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size)),
        wanted, run, progress);
    unfinished.Write(run, shard, UnfinishedOf(images, ready, wanted));
    for (ScoreGroup& group : groups) {
      if (group.store.HasShard(shard)) continue;
      if (group.models.empty()) {
        for (const ModelKey& key : group.keys) group.models.push_back(ReadModel(ready, key, run));
      }
      const std::string values =
          ScoreBytes(ready, group.keys, group.models, wanted, images, run.threads);
      Write(run, [&] { group.store.Append(shard, EntriesOf(images), values); });
    }
  }
  StoredNumbers stored = NumbersOf(groups.front().store, dataset, hashes, numbers);
  for (const ScoreGroup& group : groups) {
    RequireSame(stored, NumbersOf(group.store, dataset, hashes, numbers));
  }
  TestScores result{
      std::move(stored.images), {}, std::move(stored.failures), count - progress.resumed};
  for (const ScoreGroup& group : groups) {
    ReadScores(group, static_cast<Index>(result.images.size()), classes, result.scores);
  }
  return result;
}

}  // namespace alcedo::reproduce
