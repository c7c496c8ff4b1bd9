// VLAD (Jegou et al. 2010): the residual x - c_k for the nearest codeword, K blocks of size d.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

struct VladOptions {
  static constexpr Label kLabel{.name = "vlad", .title = "VLAD"};

  bool residual_l2 = false;  // unit residuals (Delhumeau et al. 2013); a zero residual stays zero
};
template <class Visitor>
void VisitFields(VladOptions& o, Visitor&& visit) {
  visit("residual_l2", o.residual_l2, "divide every residual by its norm");
}
inline void Check(const VladOptions&) {}

struct VladEncoder {
  Codebook codebook;
  VladOptions options;
  // Per-cluster rotations (the local coordinate system of Delhumeau et al. 2013): empty, or
  // K x d rows of d values, the d x d rotation of cluster k from row k d on; applied to the
  // residual.
  Rows rotations;
};

// Per-cluster rotations for VladEncoder: the principal axes of the residuals of each cluster, from
// training rows, by decreasing variance; the largest component of an axis is positive. Clusters
// with fewer than two residuals, or whose residuals are all the same, keep their axes (identity).
// Same bytes for any number of threads.
Rows FitVladRotations(const Codebook& codebook, const SampleSource& samples, bool residual_l2,
                      int threads = 1);

}  // namespace alcedo
