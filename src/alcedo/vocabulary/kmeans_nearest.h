// Nearest centres of many rows.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/linalg/coarse_scores.h"

namespace alcedo {

// Centres made ready: |x - c|^2 = |x|^2 - 2 (x . c - |c|^2 / 2), so that the nearest centre is the
// one of the largest score. Distances that 16-bit scores cannot tell apart (those of every
// hundredth row or so) are compared in double: the answer is that of double arithmetic, the lowest
// index among equals.
class NearestCenters {
 public:
  // The centres must outlive it. Requires at least one, finite.
  explicit NearestCenters(const Rows& centers);

  struct Work {
    explicit Work(const NearestCenters& nearest);
    kernels::ScoreRows rows;
    kernels::CoarseRows coarse;
    std::vector<float> scores, values;
    std::vector<std::int32_t> selected;
    std::vector<double> distances;
    std::vector<Index> order;
  };

  // Throws InvalidArgument for a row that is not finite, counting from first_row.
  void Find(const float* rows, Index count, Index first_row, Work& work, std::int32_t* out) const;

  // The k nearest in order, count x k; squared distances too where not null.
  void FindK(const float* rows, Index count, Index first_row, Index k, Work& work,
             std::int32_t* out, float* squared_distances) const;

 private:
  // Calls body(index, row, scores, error) for every row; scores is null where they mean nothing.
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
