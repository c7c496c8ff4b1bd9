// What all solvers share: products of rows, checks, the costs of a class's sides, the stopping
// rule.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

// Some consecutive rows.
struct RowChunk {
  const float* rows;
  Index begin, count, width, stride;
};

// Calls body for chunks of at most `most` rows (0: what takes about 16 MB), in order; rows in
// memory are not copied.
using ChunkBody = std::function<void(const RowChunk&)>;
void ForEachChunk(const SampleSource& rows, const ChunkBody& body, Index most = 0);
void ForEachChunk(const RowsView& rows, const ChunkBody& body);

// scores = chunk weights', chunk.count x weights.rows(); weights may have more columns than the
// chunk, which are not used.
void MultiplyRows(const RowChunk& chunk, const RowsView& weights, Rows& scores, int threads);

// weights += factors chunk; factors are weights.rows() x chunk.count, with a row stride. Weights
// may have more columns than the chunk, which stay as they are.
void AddWeightedRows(const RowChunk& chunk, const float* factors, Index stride, Rows& weights,
                     int threads);

// rows weights' + constant, rows.rows() x weights.rows(). Requires finite rows of the dimension of
// the weights, and of a squared norm of at most most_squares.
Matrix ScoreRows(const Rows& weights, const Vector& constant, const RowsView& rows,
                 double most_squares, int threads);

// C of the samples of each side of one class, rounded down to float.
struct SvmCosts {
  double positive = 1, negative = 1;
  double Of(std::int8_t target) const { return target > 0 ? positive : negative; }
};
std::vector<SvmCosts> CostsOfClasses(const Targets& targets, const SvmOptions& options);

// Requires targets of -1, 0 and 1 for `samples` samples.
void CheckTargets(const Targets& targets, Index samples);

// Requires count rows of finite values and a squared norm of at most `most`: what is squared and
// summed in float must stay far below 3e38. Names rows counted from first_row.
constexpr double kMostSquares = 1e30;
void CheckRows(const float* rows, Index count, Index width, Index stride, Index first_row,
               std::string_view name, double most = kMostSquares);
void CheckRows(const SampleSource& rows, std::string_view name, int threads);

// Rows in memory, of any stride, as a source. `rows` must outlive it.
SampleSource SourceOf(const RowsView& rows);

// (primal - dual) / primal; the primal objective is 0 only if there are no samples.
double RelativeGap(double primal, double dual);

// Sets up the report's vectors; then, when gaps are filled in, `converged`.
void StartReport(SvmReport& report, Index classes, SvmSolver solver);
void FinishReport(SvmReport& report, double tolerance);

}  // namespace alcedo
