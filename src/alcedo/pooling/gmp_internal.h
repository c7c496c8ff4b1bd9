// What the poolings that solve for GMP share.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alcedo/pooling/block_rows.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_solver.h"

namespace alcedo {

// Throws InvalidArgument for options outside their range.
void CheckGmpOptions(const GmpOptions& options);

// The lambda of Eq. 5. Throws InvalidArgument unless it is finite and >= 0.
double AbsoluteLambda(double lambda, bool relative, double mean_squared_norm);

// One report for a problem that was solved in parts.
SolveReport CombineReports(std::span<const GmpPartReport> parts, double lambda,
                           double mean_squared_norm);

// The same for every lambda of a path: parts x lambdas reports, all lambdas of a part together.
std::vector<SolveReport> CombinePath(std::span<const GmpPartReport> reports,
                                     std::span<const double> lambdas, double mean_squared_norm);

// Every lambda by AbsoluteLambda.
std::vector<double> AbsoluteLambdas(std::span<const double> lambdas, bool relative,
                                    double mean_squared_norm);

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

}  // namespace alcedo
