// What is done to pooled vectors before a classifier sees them.
#pragma once

#include "alcedo/base/types.h"
#include "alcedo/reproduce/plan.h"

namespace alcedo::reproduce {

// The mean of the rows, each divided by its norm: what Finished() takes away from vectors of a
// centred coding. Empty for all others.
Vector CentreOf(const ReadyCoding& coding, const RowsView& training_vectors);

// Power and L2 as a candidate of this coding has them, ready for products. `centre` is CentreOf()
// the training vectors.
Rows Finished(const ReadyCoding& coding, Rows vectors, double power, const VectorView& centre,
              int threads);

}  // namespace alcedo::reproduce
