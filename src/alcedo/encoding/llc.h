// Locality-constrained linear coding (Wang et al. 2010).
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

// The affine code of least error over the `nearest` codewords, weights summing to 1: with
// z_i = c_i - x and C_ij = z_i . z_j it solves (C + regularization trace(C) I) w = 1 and divides w
// by its sum. If all those codewords equal x (C = 0) they share it equally. K blocks of size 1,
// min(nearest, K) entries per row, by increasing codeword.
struct LlcOptions {
  static constexpr Label kLabel{.name = "llc", .title = "LLC"};

  int nearest = 5;               // >= 1; K at most are used
  double regularization = 1e-4;  // >= 1e-10: added to the local covariance, times its trace
};
template <class Visitor>
void VisitFields(LlcOptions& o, Visitor&& visit) {
  visit("nearest", o.nearest, "how many of the nearest codewords make up a descriptor");
  visit("regularization", o.regularization, "added to the local covariance, times its trace");
}
void Check(const LlcOptions& options);

struct LlcEncoder {
  Codebook codebook;
  LlcOptions options;
};

}  // namespace alcedo
