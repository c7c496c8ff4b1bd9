// Encodings with the spectra of real ones, made on the spot.
#pragma once

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"

namespace alcedo::bench {

// EMK features sqrt(2/D) cos(w'x + b) of clustered 64-dimensional descriptors. Their Gram matrix
// looks like that of dense SIFT from photographs: one direction holds a tenth of the energy, then a
// decay over more than three decades (two more at larger bandwidths).
Rows EmkLikeRows(Index count, Index dimension);

// Hard Fisher Vector rows [u_k v_k] / sqrt(w_k), not divided by N: blocks of 128, of very unequal
// size, some of them empty.
Encodings FisherLikeEncodings(Index count, Index num_blocks);

}  // namespace alcedo::bench
