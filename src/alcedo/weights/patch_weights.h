// GMP's weight of every patch of an image (Eq. 10).
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encode/channel.h"

namespace alcedo {

struct PatchWeights {
  Matrix weights;  // lambdas x patches
  std::vector<SolveReport> reports;
};

// Projects and encodes the descriptors as the channel does, all patches of the image together, and
// solves for the weights of each of its poolings. No patches: no columns. Requires a channel for
// GMP.
PatchWeights ComputePatchWeights(const Channel& channel, const Descriptors& descriptors,
                                 int threads = 1);

}  // namespace alcedo
