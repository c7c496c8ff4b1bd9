// What the poolings that solve for GMP share.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_solver.h"

namespace alcedo {

// The lambda of Eq. 5, for options that were checked. Throws InvalidArgument if a relative lambda
// is too large.
double AbsoluteLambda(const GmpOptions& options, double mean_squared_norm);
std::vector<double> AbsoluteLambdas(std::span<const GmpOptions> path, double mean_squared_norm);

// Throws InvalidArgument unless the solver is auto, direct, or `space`, which is direct as well.
void CheckDirect(const GmpOptions& options, GmpSolver space, std::string_view purpose);

// One report for a problem that was solved in parts.
SolveReport CombineReports(std::span<const GmpPartReport> parts, double lambda,
                           double mean_squared_norm);

// The same for every lambda of a path: parts x lambdas reports, all lambdas of a part together.
std::vector<SolveReport> CombinePath(std::span<const GmpPartReport> reports,
                                     std::span<const double> lambdas, double mean_squared_norm);

// Rows of a block that were copied together, of either type.
struct GatherScratch {
  std::vector<float> floats;
  std::vector<double> doubles;
};

// An inverted file: which rows fall into which block, by a counting sort that keeps their order.
class BlockRows {
 public:
  // Requires one block per row. Borrows the encodings.
  explicit BlockRows(const Encodings& encodings);

  Index num_blocks() const { return static_cast<Index>(begins_.size()) - 1; }
  Index Count(Index block) const { return begins_[block + 1] - begins_[block]; }
  // The row numbers of a block, increasing.
  const std::int32_t* Order(Index block) const { return order_.data() + begins_[block]; }

  // use(rows), with the values of a block's rows one after the other, const float* or const
  // double*: in place if they stand together, else copied to scratch.
  template <class Use>
  decltype(auto) WithRows(Index block, GatherScratch& scratch, const Use& use) const {
    return encodings_.WithValues([&]<class Scalar>(const Scalar* values) -> decltype(auto) {
      if constexpr (std::is_same_v<Scalar, float>) {
        return use(Gather(values, block, scratch.floats));
      } else {
        return use(Gather(values, block, scratch.doubles));
      }
    });
  }

 private:
  template <class Scalar>
  const Scalar* Gather(const Scalar* values, Index block, std::vector<Scalar>& scratch) const;

  const Encodings& encodings_;
  std::vector<Index> begins_;
  std::vector<std::int32_t> order_;
};

// Whether a problem falls into one per block. Plain rows are one problem, and it may use all
// threads.
inline bool SolvedByBlock(const Encodings& encodings) {
  return encodings.one_block_per_row() && !encodings.dense();
}

// Calls solve(solver, block, rows, blocks) for every block that has rows, on options.threads
// threads.
void ForEachBlock(
    const Encodings& encodings, const GmpOptions& options,
    const std::function<void(GmpSolverForRows&, Index, RowOperator&, const BlockRows&)>& solve);

// Throws InvalidArgument unless the kernel is square, finite, symmetric, and has no entry that its
// diagonal rules out, all to 1e-5 of its largest entry. The message names the row and the column.
// Returns that slack.
double CheckKernel(const MatrixView& kernel, const std::string& name);

// Throws InvalidArgument unless the kernel, checked as above, is positive semi-definite to 1e-6 of
// its trace: what a kernel computed in float can be off by. Costs a Cholesky factorisation.
void CheckPositive(const MatrixView& kernel, const std::string& name);

}  // namespace alcedo
