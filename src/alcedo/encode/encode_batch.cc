#include "alcedo/encode/encode_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/io/input_file.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {
namespace {

// Enough that threads do not wait for each other at the end of every group.
constexpr Index kImagesPerThread = 4;

void Write(const EncodeRun& run, const std::function<void()>& action) {
  if (run.write) {
    run.write(action);
  } else {
    action();
  }
}

// What a store keeps of images, and their values one after the other.
struct Shard {
  std::vector<StoreEntry> entries;
  std::string values;
};

Shard MakeShard(std::span<const EncodeInput> inputs, std::span<const Index> which,
                std::span<EncodedImage> images) {
  Shard shard;
  for (std::size_t i = 0; i < images.size(); ++i) {
    EncodedImage& image = images[i];
    const std::string& name = inputs[static_cast<std::size_t>(which[i])].name;
    shard.entries.push_back({name, image.hash, image.bytes, image.patches, image.failure});
    shard.values += image.values;
    std::string().swap(image.values);  // not twice in memory
  }
  return shard;
}

}  // namespace

EncodedImage EncodeImage(const Representer& representer, const EncodeInput& input, int threads) {
  EncodedImage image;
  try {
    std::string bytes =
        ReadInputFile(input.path, representer.config.describe.image.max_image_memory);
    image.bytes = static_cast<std::int64_t>(bytes.size());
    image.hash = ContentHash(bytes);
    const Descriptors descriptors = Describe(std::move(bytes), input.name,
                                             representer.config.describe, threads, &image.picture);
    Representation representation = Represent(representer, descriptors, threads);
    image.values = ValueBytes(representation.values, representer.config.dtype);
    image.patches = representation.patches;
    image.solves = std::move(representation.reports);
    image.dropped_posterior = representation.dropped_posterior;
  } catch (const Error& error) {
    image.failure = WithoutName(error.what(), input.name);
    image.values.clear();
    image.patches = 0;
  }
  return image;
}

void EncodeImages(const Representer& representer, std::span<const EncodeInput> inputs,
                  std::span<const Index> which, Index group, const EncodeRun& run,
                  const EncodedReceiver& receive) {
  Require(group >= 1, "the images of a group", ">= 1", static_cast<double>(group));
  const auto total = static_cast<Index>(which.size());
  // Whole groups, so that none is cut in two.
  const Index batch = (std::max(group, kImagesPerThread * run.threads) + group - 1) / group * group;
  for (Index begin = 0; begin < total; begin += batch) {
    const Index count = std::min(batch, total - begin);
    std::vector<EncodedImage> images(static_cast<std::size_t>(count));
    const int inner_threads = count == 1 ? run.threads : 1;
    ParallelFor(count, run.threads, [&](Index i) {
      images[i] = EncodeImage(representer, inputs[which[begin + i]], inner_threads);
      if (run.progress) run.progress();
    });
    for (Index first = 0; first < count; first += group) {
      const Index size = std::min(group, count - first);
      receive(which.subspan(begin + first, size), std::span(images).subspan(first, size));
    }
  }
}

std::vector<Index> ValueShape(const Representer& representer) {
  std::vector<Index> shape{representer.dimension()};
  if (representer.config.lambdas.size() > 1) {
    shape.insert(shape.begin(), static_cast<Index>(representer.config.lambdas.size()));
  }
  return shape;
}

std::vector<Index> ImagesToDo(const Representer& representer, std::span<const EncodeInput> inputs,
                              const FeatureStore& store, const EncodeRun& run) {
  std::vector<Index> which(inputs.size());
  std::iota(which.begin(), which.end(), Index{0});
  if (store.shards() == 0) return which;
  std::vector<char> done(inputs.size());
  ParallelFor(static_cast<Index>(inputs.size()), run.threads, [&](Index i) {
    // A file that cannot be read has no hash, and was stored without one.
    std::string hash;
    try {
      hash = ContentHash(
          ReadInputFile(inputs[i].path, representer.config.describe.image.max_image_memory));
    } catch (const Error&) {
    }
    done[i] = store.Has(inputs[i].name, hash) ? 1 : 0;
    if (run.progress) run.progress();
  });
  std::erase_if(which, [&](Index i) { return done[i] != 0; });
  return which;
}

void EncodeToStore(const Representer& representer, std::span<const EncodeInput> inputs,
                   std::span<const Index> which, FeatureStore& store, const EncodeRun& run,
                   const EncodedReceiver& receive) {
  EncodeImages(representer, inputs, which, store.header().images_per_shard, run,
               [&](std::span<const Index> group, std::span<EncodedImage> images) {
                 const Shard shard = MakeShard(inputs, group, images);
                 Write(run, [&] {
                   store.Append(shard.entries, shard.values);
                   if (receive) receive(group, images);
                 });
               });
  Write(run, [&] { store.Finish(); });
}

}  // namespace alcedo
