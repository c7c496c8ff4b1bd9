// The nearest of several centres, for many rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

// Centres prepared once, for any number of calls. Immutable; copies share the tables. Distances are
// Euclidean and decided as in double arithmetic, the lowest index among equals.
class NearestCenters {
 public:
  // Requires at least one centre, finite.
  explicit NearestCenters(Rows centers);

  // The nearest centre of every row. Requires rows of the centres' dimension, finite (a bad value
  // is named by row and column).
  std::vector<std::int32_t> Find(const RowsView& rows, int threads = 1) const;

  // The k nearest centres of every row in order of distance: n x k indices, row by row, and squared
  // distances (never negative; the largest float if they are larger) if asked for. Requires
  // 1 <= k <= K. Fast for k up to 16: beyond, all distances are computed in double.
  std::vector<std::int32_t> FindK(const RowsView& rows, Index k, Rows* squared_distances = nullptr,
                                  int threads = 1) const;

  const Rows& centers() const;

 private:
  struct Prepared;
  std::shared_ptr<const Prepared> prepared_;
};

// The same for one call.
std::vector<std::int32_t> AssignNearest(const Rows& centers, const RowsView& rows, int threads = 1);
std::vector<std::int32_t> AssignNearestK(const Rows& centers, const RowsView& rows, Index k,
                                         Rows* squared_distances, int threads = 1);

}  // namespace alcedo
