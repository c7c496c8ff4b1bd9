// The bag of visual words: which codewords a descriptor is close to.
#pragma once

#include "alcedo/base/choice.h"
#include "alcedo/vocabulary/kmeans.h"

namespace alcedo {

// Hard assignment has nothing to choose.
struct BovOptions {
  static constexpr Label kLabel{.name = "bov", .title = "BOV"};
};
inline void Check(const BovOptions&) {}

// BOV with hard assignment: 1 for the nearest codeword. K blocks of size 1, one entry per row.
struct BovEncoder {
  Codebook codebook;
};

// BOV with soft assignment (the kernel codebook of van Gemert et al. 2010, over the nearest
// codewords as in Liu et al. 2011): exp(-|x - c_k|^2 / (2 sigma^2)) of the `nearest` codewords,
// made to sum to 1. A descriptor far from all of them is well defined: the nearest has the largest
// share.
struct SoftBovOptions {
  static constexpr Label kLabel{.name = "soft-bov", .title = "soft BOV"};

  double sigma = 0;  // > 0; 0 takes SoftBovSigma(codebook)
  int nearest = 5;   // >= 1; K at most are used
};
template <class Visitor>
void VisitFields(SoftBovOptions& o, Visitor&& visit) {
  visit("sigma", o.sigma, "width of the kernel; 0: half the typical distance between codewords");
  visit("nearest", o.nearest, "how many of the nearest codewords share a descriptor");
}
void Check(const SoftBovOptions& options);

struct SoftBovEncoder {
  Codebook codebook;
  SoftBovOptions options;
};

// A width that needs no data but the codebook: half the root mean square, over the codewords, of
// the distance to the nearest codeword that differs. Half way between two such neighbours each then
// has the weight exp(-1/2), before they are made to sum to 1. 1 if all codewords are equal. Takes
// as long as assigning K rows.
double SoftBovSigma(const Codebook& codebook, int threads = 1);

}  // namespace alcedo
