// Centres prepared for many rows; behind NearestCenters and k-means. Private to this module.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/coarse_scores.h"

namespace alcedo {

// |x - c|^2 = |x|^2 - 2 (x . c - |c|^2 / 2), so that the nearest centre is the
// one of the largest score. Distances that 16-bit scores cannot tell apart (those of every
// hundredth row or so) are compared in double: the answer is that of double arithmetic, the lowest
// index among equals.
class CenterTables {
 public:
  // Borrows the centres. Requires at least one, finite.
  explicit CenterTables(const Rows& centers);
  CenterTables(const CenterTables&) = delete;
  CenterTables& operator=(const CenterTables&) = delete;

  struct Work {
    explicit Work(const CenterTables& tables);
    kernels::ScoreRows rows;
    kernels::CoarseRows coarse;
    std::vector<float> scores, values;
    std::vector<std::int32_t> selected;
    std::vector<double> distances;
    std::vector<Index> order;
  };

  // Throws InvalidArgument for a row that is not finite, counting from first_row.
  void Find(const float* rows, Index count, Index first_row, Work& work, std::int32_t* out) const;

  // The k nearest in order, count x k; squared distances too if not null.
  void FindK(const float* rows, Index count, Index first_row, Index k, Work& work,
             std::int32_t* out, float* squared_distances) const;

  const Rows& centers() const { return centers_; }

 private:
  // Calls body(index, row, scores, error) for every row; scores is null if they mean nothing.
  template <class Body>
  void ForEachRow(const float* rows, Index count, Index first_row, Work& work,
                  const Body& body) const;
  // Fills work.selected and work.distances with the centres that can be among the k nearest.
  Index Candidates(const float* row, const float* scores, float error, Index k, Work& work) const;

  const Rows& centers_;
  std::vector<float> origin_, scale_;
  kernels::ScoreFunctions functions_;
  kernels::CoarseFunctions coarse_;
};

}  // namespace alcedo
