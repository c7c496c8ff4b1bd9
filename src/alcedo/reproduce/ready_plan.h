// A plan made ready: its vocabularies learned, and one encoder for all its vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/reproduce/plan.h"

namespace alcedo {

// A coding, and which vocabulary it was made from.
struct ReadyCoding {
  Coding coding;
  std::string vocabulary_checksum;
  Index dimension = 0;  // of one vector
  Index cells = 1;      // of its pyramid
};

struct ReadyPlan {
  std::vector<ReadyCoding> codings;
  // A channel for every coding, a pooling for every choice of it: vectors before power and L2.
  ImageEncoder encoder;
  // Hard BOV of every descriptor, pooled by GMP with lambda = 0 and by max.
  ImageEncoder bov;
  double accuracy;  // of solvers
};

// Learns what is not yet in run.work / "vocabularies", in one reading of the images that are not
// tested on. All vocabularies of a descriptor are learned from the same samples, so that they share
// one PCA.
ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run);

}  // namespace alcedo
