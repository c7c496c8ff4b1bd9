// The symmetric Sinkhorn iteration behind democratic pooling, for one kernel or many. Internal.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/democratic.h"

namespace alcedo::sinkhorn {

// A kernel split into the norms of its rows and their cosines, K_nm = d_n C_nm d_m. With
// u_n = alpha_n d_n the equation reads u_n (C u)_n = c_n, whatever the scales of the rows.
class Kernel {
 public:
  // With memory for kernels of up to this size, which one after the other can use: fresh pages for
  // each would take a third of the time.
  explicit Kernel(Index largest);
  void Resize(Index size);  // its values are then unspecified

  Index size() const { return norms.size(); }
  Eigen::Map<EigenMatrix> cosines() { return {room_.data(), size(), size()}; }
  Eigen::Map<const EigenMatrix> cosines() const { return {room_.data(), size(), size()}; }

  Vector norms;

 private:
  Vector room_;
};
using Product = std::function<Vector(const Vector&)>;  // u -> C u

struct Solution {
  Vector weights;
  int iterations = 0;
  double residual = 0;
  std::vector<Index> opposed;  // rows whose kernel row sum is not positive
};

// The weights of one kernel, of which it needs products only. C must be 0 for rows whose d is.
Solution Solve(const Vector& norms, const Product& times_cosines, const DemocraticOptions& options);

// The weights of `count` kernels for every gamma (in the place of that of the options), clipped
// if the options say so: a list of all kernels' solutions per gamma. make(k, kernel) makes
// kernel k, of at most `largest` rows, for which it may take `bytes` of memory all in all; as many
// are made at the same time as the options allow.
std::vector<std::vector<Solution>> SolveAll(Index count, Index largest, double bytes,
                                            const std::function<void(Index, Kernel&)>& make,
                                            std::span<const double> gammas,
                                            const DemocraticOptions& options);

// One answer from many: row_of(k, i) is the row that is the i-th of kernel k; rows of no kernel
// have the weight 1.
WeightsResult Collect(const std::vector<Solution>& solutions, Index num_rows,
                      const std::function<Index(Index, Index)>& row_of,
                      const DemocraticOptions& options);

}  // namespace alcedo::sinkhorn
