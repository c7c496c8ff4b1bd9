// From many files to many vectors: in parallel, in order, in memory that does not grow with their
// number. A bad image is a sentence, and does not stop the others.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/run.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/store/feature_store.h"

namespace alcedo {

// What became of one file.
struct EncodedFile {
  std::string hash;        // of the file's contents; empty if they could not be read
  std::int64_t bytes = 0;  // size of the file
  ImageVectors vectors;
  std::string failure;  // why there are no vectors, without the name of the file; empty: there are
  Hint hint;            // what can be done about it, if anything
};

// Reads, describes, encodes and pools one file. What is wrong with it is its `failure`, never an
// exception; so are values that the type of their channel's configuration cannot hold. The result
// does not depend on `threads`.
EncodedFile EncodeFile(const ImageEncoder& encoder, const Input& input, int threads = 1,
                       const WantedPoolings* wanted = nullptr);

// Encodes the inputs with the numbers `which`, and hands them over in groups of `group` consecutive
// ones (the last may be smaller), in order, from the calling thread, as ForEachInput() does.
using EncodedReceiver =
    std::function<void(std::span<const Index> which, std::span<EncodedFile> files)>;
void EncodeFiles(const ImageEncoder& encoder, std::span<const Input> inputs,
                 std::span<const Index> which, Index group, const Run& run, Progress& progress,
                 const EncodedReceiver& receive);

// The shape of one image's values: (dimension,), and with several poolings (poolings, dimension).
std::vector<Index> ValueShape(const Channel& channel);

// One store for each channel of an encoder.
using ChannelStores = std::vector<FeatureStore*>;

// Takes out of the stores what is no longer what was written, and says so. A store is used for what
// is done before only after that.
void RemoveDamagedShards(const ChannelStores& stores, const Run& run);

// For each store the numbers of the inputs that it does not have yet, with the contents they have
// now. All files are read for that, unless all stores are empty, and so are the shards: damaged
// ones are removed with a sentence, and what they had is to do again.
std::vector<std::vector<Index>> FilesToDo(const ImageEncoder& encoder,
                                          std::span<const Input> inputs,
                                          const ChannelStores& stores, const Run& run,
                                          Progress& progress);

// Appends to every store the images with the (increasing) numbers `to_do` of it, a shard for each
// images_per_shard of them, and finishes it. Every image is read and decoded once for all channels
// that need it. As shards appear in order, a run that is killed and started again makes the same
// shards as an undisturbed one. `receive`, if given, sees every image
// when all stores have it, without its values, inside of the write that stored it.
void EncodeToStores(const ImageEncoder& encoder, std::span<const Input> inputs,
                    const std::vector<std::vector<Index>>& to_do, const ChannelStores& stores,
                    const Run& run, Progress& progress, const EncodedReceiver& receive = nullptr);

}  // namespace alcedo
