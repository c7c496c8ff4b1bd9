#include "alcedo/reproduce/training_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/for_each_input.h"
#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/encode/encode_files.h"
#include "alcedo/store/feature_store.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

// One folder per choice, so that a choice is read without its neighbours.
struct OpenStore {
  int coding, choice;
  FeatureStore store;
};

// The rows of one choice, one image after the other. `position` is that of the choice among those
// that were wanted.
std::string ValueBytes(const std::vector<ImageRecord>& images, int coding, Index position) {
  std::string values;
  for (const ImageRecord& image : images) {
    if (!image.entry.failure.empty()) continue;
    const Rows& rows = image.vectors[static_cast<std::size_t>(coding)];
    values.append(reinterpret_cast<const char*>(rows.row(position).data()),
                  static_cast<std::size_t>(rows.cols()) * sizeof(float));
  }
  return values;
}

}  // namespace

Json CodingJson(const ReadyCoding& ready, double accuracy) {
  return Json{{"coding", ready.coding.name},
              {"vocabulary", ready.vocabulary_checksum},
              {"sigma", ready.coding.sigma},
              {"pyramid", ready.coding.pyramid},
              {"accuracy", accuracy}};
}

std::vector<ImageRecord> MakeImageRecords(const ReadyPlan& plan, const Dataset& dataset,
                                          std::span<const Index> numbers,
                                          const WantedPoolings& wanted, const Run& run,
                                          Progress& progress) {
  std::vector<ImageRecord> records;
  ForEachInput<ImageRecord>(
      numbers, std::max<Index>(1, std::ssize(numbers)), run, progress,
      [&](Index number, int threads) {
        const DatasetImage& image = dataset.images[static_cast<std::size_t>(number)];
        const EncodedFile file =
            EncodeFile(plan.encoder, {image.path.string(), image.name}, threads, &wanted);
        ImageRecord record{{image.name, file.hash, file.bytes, 0, file.failure}, {}, {}};
        for (const ChannelVectors& channel : file.vectors.channels) {
          record.vectors.push_back(channel.values.cast<float>());
          record.unfinished.push_back(UnfinishedIn(channel));
        }
        return record;
      },
      [&](std::span<const Index>, std::span<ImageRecord> all) {
        records.assign(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
      });
  return records;
}

std::vector<StoreEntry> EntriesOf(const std::vector<ImageRecord>& records) {
  std::vector<StoreEntry> entries;
  for (const ImageRecord& record : records) entries.push_back(record.entry);
  return entries;
}

UnfinishedCounts UnfinishedOf(const std::vector<ImageRecord>& records, const ReadyPlan& plan,
                              const WantedPoolings& wanted) {
  UnfinishedCounts counts;
  for (const ImageRecord& record : records) {
    for (std::size_t c = 0; c < record.unfinished.size(); ++c) {
      const Coding& coding = plan.codings[c].coding;
      for (const int position : record.unfinished[c]) {
        const int choice = wanted[c][static_cast<std::size_t>(position)];
        ++counts[{coding.name, coding.choices[static_cast<std::size_t>(choice)].name}];
      }
    }
  }
  return counts;
}

StoredNumbers NumbersOf(const FeatureStore& store, const Dataset& dataset,
                        const ImageHashes& hashes, const std::vector<Index>& numbers) {
  StoredNumbers result;
  auto next = numbers.begin();
  for (const StoredImage& stored : store.Images()) {
    next = std::find_if(next, numbers.end(), [&](Index n) {
      return dataset.images[static_cast<std::size_t>(n)].name == stored.name;
    });
    if (next == numbers.end()) {
      throw FormatError("the intermediate files are of other images; remove the work folder");
    }
    if (stored.hash != hashes[static_cast<std::size_t>(*next)]) {
      throw InvalidArgument(fmt::format(
          "{} was replaced while it was in use; remove the work folder and run the same command "
          "again",
          stored.name));
    }
    result.images.push_back(*next++);
  }
  for (const Failure& failure : store.Failures()) {
    result.failures.push_back({failure.name, failure.reason});
  }
  return result;
}

void RequireSame(const StoredNumbers& first, const StoredNumbers& other) {
  if (first.images == other.images) return;
  throw InvalidArgument(
      "some images could be read by one run and not by another; remove the work folder and run the "
      "same command again");
}

fs::path TrainingVectors::Folder(int coding, int choice) const {
  const Coding& c = plan_.codings[static_cast<std::size_t>(coding)].coding;
  return folder_ / c.name / c.choices[static_cast<std::size_t>(choice)].name;
}

double TrainingVectors::DiskBytes(const ReadyPlan& plan, const WantedPoolings& which,
                                  Index images) {
  double bytes = 0;
  for (std::size_t c = 0; c < which.size(); ++c) {
    bytes += static_cast<double>(which[c].size()) * static_cast<double>(plan.codings[c].dimension) *
             sizeof(float);
  }
  return bytes * static_cast<double>(images);
}

TrainingVectors::TrainingVectors(const ReadyPlan& plan, WantedPoolings which,
                                 const Dataset& dataset, const ImageHashes& hashes, const Run& run)
    : plan_(plan), which_(std::move(which)), folder_(run.work / "vectors") {
  const std::vector<Index> numbers = ImagesNotForTesting(dataset);
  std::deque<OpenStore> stores;
  for (std::size_t c = 0; c < which_.size(); ++c) {
    const ReadyCoding& ready = plan.codings[c];
    for (const int choice : which_[c]) {
      StoreHeader header;
      header.config = Dump(CodingJson(ready, plan.accuracy));
      header.shape = {ready.dimension};
      header.images_per_shard = kImagesPerShard;
      const int coding = static_cast<int>(c);
      stores.push_back(
          {coding, choice, FeatureStore::OpenToAppend(Folder(coding, choice), header)});
    }
  }
  for (OpenStore& s : stores) RemoveDamagedShards({&s.store}, run);
  const UnfinishedSolves unfinished(run.work, "training");
  const auto count = static_cast<Index>(numbers.size());
  const Index shards = (count + kImagesPerShard - 1) / kImagesPerShard;
  Progress progress{"vectors of the training images", 0, count, 0, "images"};
  for (Index shard = 0; shard < shards; ++shard) {
    const Index begin = shard * kImagesPerShard;
    const Index size = std::min<Index>(kImagesPerShard, count - begin);
    // A run can be killed between two stores: each goes on by itself.
    WantedPoolings wanted(plan.codings.size());
    for (const OpenStore& s : stores) {
      if (!s.store.HasShard(shard)) {
        wanted[static_cast<std::size_t>(s.coding)].push_back(s.choice);
      }
    }
    if (std::ranges::all_of(wanted, &std::vector<int>::empty)) {
      progress.done += size;
      progress.resumed += size;
      continue;
    }
    const std::vector<ImageRecord> images = MakeImageRecords(
        plan, dataset,
        std::span(numbers).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size)),
        wanted, run, progress);
    const std::vector<StoreEntry> entries = EntriesOf(images);
    unfinished.Write(run, shard, UnfinishedOf(images, plan, wanted));
    for (OpenStore& s : stores) {
      const std::vector<int>& list = wanted[static_cast<std::size_t>(s.coding)];
      const auto position = std::ranges::find(list, s.choice) - list.begin();
      if (s.store.HasShard(shard)) continue;
      Write(run, [&] { s.store.Append(shard, entries, ValueBytes(images, s.coding, position)); });
    }
  }
  made_ = count - progress.resumed;
  // All stores have the same images: those of the first tell which.
  StoredNumbers stored = NumbersOf(stores.front().store, dataset, hashes, numbers);
  for (const OpenStore& s : stores)
    RequireSame(stored, NumbersOf(s.store, dataset, hashes, numbers));
  images_ = std::move(stored.images);
  failures_ = std::move(stored.failures);
}

Rows TrainingVectors::Read(int coding, int choice) const {
  std::vector<Index> all(images_.size());
  std::iota(all.begin(), all.end(), Index{0});
  return Read(coding, choice, all);
}

Rows TrainingVectors::Read(int coding, int choice, std::span<const Index> which) const {
  const FeatureStore store = FeatureStore::OpenToRead(Folder(plan_.PooledAs(coding), choice));
  Rows rows(std::ssize(which), plan_.codings[static_cast<std::size_t>(coding)].dimension);
  Index first = 0, done = 0;  // of the shard; of `which`
  for (Index shard = 0; shard < store.shards(); ++shard) {
    const Rows part = store.ReadShard(shard);
    for (; done < rows.rows(); ++done) {
      const Index row = which[static_cast<std::size_t>(done)] - first;
      if (row >= part.rows()) break;
      rows.row(done) = part.row(row);
    }
    first += part.rows();
  }
  return rows;
}

void TrainingVectors::Remove() const {
  for (std::size_t c = 0; c < which_.size(); ++c) {
    if (!which_[c].empty()) fs::remove_all(folder_ / plan_.codings[c].coding.name);
  }
}

}  // namespace alcedo::reproduce
