// What is done to a pooled vector before a linear classifier sees it (section 5.4 of the paper).
// All in place. A zero vector, or a zero block, stays zero: there is nothing to divide by.
#pragma once

#include "alcedo/base/types.h"

namespace alcedo {

// sign(x) |x|^exponent for every entry. Requires exponent in [0, 1]; 1 changes nothing. For 0 the
// non-zero entries become their sign and zeros stay zero, as the paper does.
void PowerNormalize(Eigen::Ref<Vector> v, double exponent);

// Divides by the Euclidean norm. Scaled inside, so that neither 1e-300 nor 1e300 under- or
// overflows.
void L2Normalize(Eigen::Ref<Vector> v);

// L2 of every run of block_size entries. Requires block_size >= 1 that divides the size.
void BlockL2Normalize(Eigen::Ref<Vector> v, Index block_size);

}  // namespace alcedo
