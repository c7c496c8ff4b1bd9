// From many files to many vectors: in parallel, in order, in memory that does not grow with their
// number. A bad image is a sentence, and does not stop the others.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alcedo/descriptors/describe.h"
#include "alcedo/store/feature_store.h"
#include "alcedo/encode/represent.h"

namespace alcedo {

struct EncodeInput {
  std::string path;  // not a path object, which is many times as large where there are many
  std::string name;  // for messages and stores
};

// What became of one image.
struct EncodedImage {
  std::string hash;        // of the file's contents; empty where they could not be read
  std::int64_t bytes = 0;  // size of the file
  DescribeReport picture;  // of pictures
  Index patches = 0;
  std::string values;               // lambdas x dimension, in the type of the config
  std::vector<SolveReport> solves;  // per cell, for each all lambdas
  double dropped_posterior = 0;     // of soft Fisher
  std::string failure;  // why there are no values, without the name of the image; empty: there are
};

// Reads, describes, encodes and pools one file. What is wrong with it is its `failure`, never an
// exception. The result does not depend on `threads`.
EncodedImage EncodeImage(const Representer& representer, const EncodeInput& input, int threads = 1);

struct EncodeRun {
  int threads = 1;  // over images where there are several, inside of it where there is one
  // Called after every image, from any thread. May be empty.
  std::function<void()> progress;
  // Wraps every write to a store, so that an interruption never falls into one. May be empty.
  std::function<void(const std::function<void()>&)> write;
};

// Encodes `inputs`, those with the numbers `which`, and hands them over in groups of `group`
// consecutive ones (the last may be smaller), in order, from the calling thread. The images are the
// receiver's to move from. At most one group, or four images per thread where that is more, is in
// memory. What the receiver throws ends the run.
using EncodedReceiver =
    std::function<void(std::span<const Index> which, std::span<EncodedImage> images)>;
void EncodeImages(const Representer& representer, std::span<const EncodeInput> inputs,
                  std::span<const Index> which, Index group, const EncodeRun& run,
                  const EncodedReceiver& receive);

// The shape of one image's values: (dimension,), and with several lambdas (lambdas, dimension).
std::vector<Index> ValueShape(const Representer& representer);

// The numbers of the inputs that the store does not have yet, with the contents they have now. All
// files are read for that, unless the store is empty; run.progress hears of every file.
std::vector<Index> ImagesToDo(const Representer& representer, std::span<const EncodeInput> inputs,
                              const FeatureStore& store, const EncodeRun& run);

// Appends those images to the store, a shard for each images_per_shard of them, and finishes it. As
// shards appear in order, a run that is killed and started again makes the same shards as an
// undisturbed one. `receive`, where given, sees every group after it was stored, without values.
void EncodeToStore(const Representer& representer, std::span<const EncodeInput> inputs,
                   std::span<const Index> which, FeatureStore& store, const EncodeRun& run,
                   const EncodedReceiver& receive = nullptr);

}  // namespace alcedo
