// What is done to a pooled vector before a linear classifier sees it (section 5.4 of the paper).
// All in place. A zero vector, or a zero block, stays zero: there is nothing to divide by.
#pragma once

#include "alcedo/base/types.h"

namespace alcedo {

// sign(x) |x|^exponent for every entry. Requires exponent in [0, 1]; 1 changes nothing. For 0 the
// non-zero entries become their sign and zeros stay zero, as the paper does.
void PowerNormalize(VectorSpan v, double exponent);

// Divides by the Euclidean norm. Scaled inside, so that neither 1e-300 nor 1e300 under- or
// overflows.
void L2Normalize(VectorSpan v);

// L2 of every run of block_size entries. Requires block_size >= 1 that divides the size.
void BlockL2Normalize(VectorSpan v, Index block_size);

// All of them, always in this order: power of every entry; L2 of every block; L2 of every cell of a
// pyramid; L2 of the whole vector, if there are several cells.
struct NormalizationOptions {
  double power = 1;       // in [0, 1]; 1: none
  bool block_l2 = false;  // L2 of every block
  bool l2 = false;        // L2 of every cell and of the whole vector
};
// Throws InvalidArgument for options outside their range.
void Check(const NormalizationOptions& options);
template <class Visitor>
void VisitFields(NormalizationOptions& o, Visitor&& visit) {
  visit("power", o.power, "sign(x) |x|^P, with P in [0, 1]; 1: none");
  visit("block_l2", o.block_l2, "L2 of every block of the encodings, after power");
  visit("l2", o.l2, "L2 of every cell and of the whole vector, last");
}

// What a vector consists of: `cells` vectors of equal size one after the other, each of blocks of
// block_size entries. Only block_l2 needs the block size.
struct VectorParts {
  Index cells = 1;
  Index block_size = 0;
};

// Requires parts that divide the size.
void Normalize(VectorSpan v, const NormalizationOptions& options, const VectorParts& parts = {});

// The same of every row, in float and by logarithms: many times as fast as std::pow, within 1e-5 of
// the double form for every entry (of its own size, and 1e-38). Made for the choice of a power, for
// which thousands of candidates normalise billions of values. Same bytes for any number of threads.
void NormalizeRows(RowsSpan rows, const NormalizationOptions& options,
                   const VectorParts& parts = {}, int threads = 1);

}  // namespace alcedo
