// Mean and covariance of rows that need not fit into memory.
#pragma once

#include <span>

#include "alcedo/base/ranks.h"
#include "alcedo/base/types.h"

namespace alcedo {

struct MeanAndScatter {
  double count = 0;  // of rows
  Vector mean;       // zero for no rows
  Matrix scatter;    // sum of (x - mean)(x - mean)^T, lower triangle; the rest is zero

  // Merges the rows of two sets with the correction of Chan, Golub and LeVeque (1979): no large
  // numbers cancel, wherever the data lie, and equal rows have a scatter of exactly zero.
  void Add(const MeanAndScatter& other);
  template <class Visit>
  void VisitValues(Visit&& visit) {
    visit(std::span(&count, 1));
    visit(std::span(mean.data(), static_cast<std::size_t>(mean.size())));
    visit(std::span(scatter.data(), static_cast<std::size_t>(scatter.size())));
  }
};

// Collective, in one pass over the rows: every chunk is centred on its own mean, and chunks are
// merged in their order. Throws InvalidArgument if a value is not finite.
MeanAndScatter ComputeMeanAndScatter(const RankedSamples& samples, int threads);

}  // namespace alcedo
