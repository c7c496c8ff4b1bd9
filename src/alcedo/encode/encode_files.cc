#include "alcedo/encode/encode_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/for_each_input.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {
namespace {

// Files to hash before threads wait for each other.
constexpr Index kHashesAtOnce = 256;

// What a store will be given as one shard: entries, and the values of the good ones.
class ShardBuffer {
 public:
  ShardBuffer(FeatureStore& store, ValueType type)
      : store_(store), type_(type), size_(store.header().images_per_shard) {}

  void Add(Index number, const std::string& name, const EncodedFile& file,
           const ChannelVectors& vectors) {
    if (entries_.empty()) first_ = number;
    entries_.push_back({name, file.hash, file.bytes, vectors.patches, file.failure});
    if (file.failure.empty()) values_ += ValueBytes(vectors.values, type_);
  }
  bool empty() const { return entries_.empty(); }
  bool full() const { return static_cast<Index>(entries_.size()) == size_; }
  void Flush() {
    store_.Append(entries_, values_);
    entries_.clear();
    values_.clear();
    first_ = kNone;
  }
  // The number of the first image that is not stored yet; beyond all if there is none.
  Index first_waiting() const { return first_; }

 private:
  static constexpr Index kNone = std::numeric_limits<Index>::max();

  FeatureStore& store_;
  ValueType type_;
  Index size_;
  Index first_ = kNone;
  std::vector<StoreEntry> entries_;
  std::string values_;
};

}  // namespace

EncodedFile EncodeFile(const ImageEncoder& encoder, const Input& input, int threads,
                       const WantedPoolings* wanted) {
  EncodedFile file;
  try {
    const std::string bytes = ReadInputFile(input.path, encoder.max_file_mib());
    file.hash = ContentHash(bytes);
    file.bytes = static_cast<std::int64_t>(bytes.size());
    file.vectors = encoder.FromBytes(bytes, input.name, threads, wanted);
    for (std::size_t c = 0; c < file.vectors.channels.size(); ++c) {
      CheckValues(file.vectors.channels[c].values, encoder.channels()[c].config().dtype);
    }
  } catch (const Error& error) {
    file.failure = ReasonOf(error);
    file.hint = error.hint();
    file.vectors = {};
    file.vectors.channels.resize(encoder.channels().size());
  }
  return file;
}

void EncodeFiles(const ImageEncoder& encoder, std::span<const Input> inputs,
                 std::span<const Index> which, Index group, const Run& run, Progress& progress,
                 const EncodedReceiver& receive) {
  Require(group >= 1, "the images of a group", ">= 1", static_cast<double>(group));
  ForEachInput<EncodedFile>(
      which, group, run, progress,
      [&](Index number, int threads) {
        return EncodeFile(encoder, inputs[static_cast<std::size_t>(number)], threads);
      },
      receive);
}

std::vector<Index> ValueShape(const Channel& channel) {
  std::vector<Index> shape{channel.dimension()};
  if (channel.poolings().size() > 1) {
    shape.insert(shape.begin(), static_cast<Index>(channel.poolings().size()));
  }
  return shape;
}

void RemoveDamagedShards(const ChannelStores& stores, const Run& run) {
  for (FeatureStore* store : stores) {
    // Not inside of a write, which an interruption would wait for: what it removes is of no use.
    const std::vector<Failure> damaged = store->RemoveDamaged(run.threads);
    for (const Failure& file : damaged) {
      Say(run, fmt::format("{}: {}; its images are encoded again", file.name, file.reason));
    }
  }
}

std::vector<std::vector<Index>> FilesToDo(const ImageEncoder& encoder,
                                          std::span<const Input> inputs,
                                          const ChannelStores& stores, const Run& run,
                                          Progress& progress) {
  const std::vector<Index> all = AllNumbers(static_cast<Index>(inputs.size()));
  std::vector<std::vector<Index>> to_do(stores.size());
  if (std::ranges::all_of(stores, [](const FeatureStore* s) { return s->shards() == 0; })) {
    std::ranges::fill(to_do, all);
    return to_do;
  }
  RemoveDamagedShards(stores, run);
  ForEachInput<std::string>(
      all, kHashesAtOnce, run, progress,
      [&](Index number, int) {
        // A file that cannot be read has no hash, and was stored without one.
        try {
          return ContentHash(
              ReadInputFile(inputs[static_cast<std::size_t>(number)].path, encoder.max_file_mib()));
        } catch (const Error&) {
          return std::string();
        }
      },
      [&](std::span<const Index> numbers, std::span<std::string> hashes) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const std::string& name = inputs[static_cast<std::size_t>(numbers[i])].name;
          for (std::size_t s = 0; s < stores.size(); ++s) {
            if (!stores[s]->Has(name, hashes[i])) to_do[s].push_back(numbers[i]);
          }
        }
      });
  return to_do;
}

void EncodeToStores(const ImageEncoder& encoder, std::span<const Input> inputs,
                    const std::vector<std::vector<Index>>& to_do, const ChannelStores& stores,
                    const Run& run, Progress& progress, const EncodedReceiver& receive) {
  std::vector<Index> which;
  std::vector<ShardBuffer> shards;
  WantedPoolings everything;
  Index group = 1;  // a shard at a time, so that threads seldom wait for each other
  for (std::size_t c = 0; c < stores.size(); ++c) {
    const Channel& channel = encoder.channels()[c];
    shards.emplace_back(*stores[c], channel.config().dtype);
    std::vector<int>& all = everything.emplace_back(channel.poolings().size());
    std::iota(all.begin(), all.end(), 0);
    which.insert(which.end(), to_do[c].begin(), to_do[c].end());
    group = std::max<Index>(group, stores[c]->header().images_per_shard);
  }
  std::ranges::sort(which);
  which.erase(std::unique(which.begin(), which.end()), which.end());
  // After an interruption not every channel needs every image.
  const auto needs = [&](std::size_t c, Index number) {
    return std::ranges::binary_search(to_do[c], number);
  };
  // Those that are not in all stores yet. Their values are kept in shards alone.
  std::deque<std::pair<Index, EncodedFile>> waiting;
  const auto hand_over = [&] {
    Index stored = std::numeric_limits<Index>::max();
    for (const ShardBuffer& shard : shards) stored = std::min(stored, shard.first_waiting());
    for (; !waiting.empty() && waiting.front().first < stored; waiting.pop_front()) {
      auto& [number, file] = waiting.front();
      receive(std::span(&number, 1), std::span(&file, 1));
    }
  };
  // As one write, so that an interruption never finds images stored that were not handed over.
  const auto flush = [&](ShardBuffer& shard) {
    Write(run, [&] {
      shard.Flush();
      if (receive) hand_over();
    });
  };
  ForEachInput<EncodedFile>(
      which, group, run, progress,
      [&](Index number, int threads) {
        WantedPoolings wanted(stores.size());
        for (std::size_t c = 0; c < stores.size(); ++c) {
          if (needs(c, number)) wanted[c] = everything[c];
        }
        return EncodeFile(encoder, inputs[static_cast<std::size_t>(number)], threads, &wanted);
      },
      [&](std::span<const Index> numbers, std::span<EncodedFile> files) {
        for (std::size_t i = 0; i < files.size(); ++i) {
          const std::string& name = inputs[static_cast<std::size_t>(numbers[i])].name;
          for (std::size_t c = 0; c < stores.size(); ++c) {
            if (!needs(c, numbers[i])) continue;
            ChannelVectors& vectors = files[i].vectors.channels[c];
            shards[c].Add(numbers[i], name, files[i], vectors);
            vectors.values.resize(0, 0);
          }
          if (receive) waiting.emplace_back(numbers[i], std::move(files[i]));
          for (ShardBuffer& shard : shards) {
            if (shard.full()) flush(shard);
          }
        }
      });
  for (ShardBuffer& shard : shards) {
    if (!shard.empty()) flush(shard);
  }
  Write(run, [&] {
    for (FeatureStore* store : stores) store->Finish();
  });
}

}  // namespace alcedo
