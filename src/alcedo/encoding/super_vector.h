// Super Vectors (Zhou et al. 2010).
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

// [s, x - c_k] / sqrt(p_k) for the nearest codeword, with p_k its weight: K blocks of size d + 1.
// The mean over an image whose descriptors fall as the training samples did has the count part
// s sqrt(p_k), as Chatfield et al. 2011 write it for the pooled vector. A weight below 1 / (100 K)
// counts as that: a codeword that took no training sample may still be the nearest of a new
// descriptor, and none is then scaled up more than ten times as much as one of average weight.
struct SuperVectorOptions {
  static constexpr Label kLabel{.name = "sv", .title = "Super Vector"};

  double s = 0.1;  // >= 0: weight of the count part
};
template <class Visitor>
void VisitFields(SuperVectorOptions& o, Visitor&& visit) {
  visit("s", o.s, "weight of the count beside the residual");
}
void Check(const SuperVectorOptions& options);

struct SuperVectorEncoder {
  Codebook codebook;
  SuperVectorOptions options;
};

}  // namespace alcedo
