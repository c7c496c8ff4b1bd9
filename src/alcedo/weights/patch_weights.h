// GMP's weight of every patch of an image (Eq. 10).
#pragma once

#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encode/represent.h"

namespace alcedo {

struct PatchWeights {
  Matrix weights;  // lambdas x patches
  std::vector<SolveReport> reports;
};

// Projects and encodes the descriptors as the representer says, all patches of the image together,
// and solves for the weights of each of representer.config.lambdas. No patches: no columns.
// Requires a representer for GMP.
PatchWeights ComputePatchWeights(const Representer& representer, const Descriptors& descriptors,
                                 int threads = 1);

}  // namespace alcedo
