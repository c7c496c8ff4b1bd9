// Mean and covariance of rows that need not fit into memory.
#pragma once

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"

namespace alcedo {

struct MeanAndScatter {
  Index count = 0;
  Vector mean;     // zero for no rows
  Matrix scatter;  // sum of (x - mean)(x - mean)^T, lower triangle; the rest is zero
};

// In one pass over the rows. Every chunk is centred on its own mean, and chunks are merged in their
// order with the correction of Chan, Golub and LeVeque (1979): no large numbers cancel, wherever
// the data lie, and equal rows have a scatter of exactly zero. Throws InvalidArgument where a value
// is not finite.
MeanAndScatter ComputeMeanAndScatter(const SampleSource& samples, int threads);

}  // namespace alcedo
