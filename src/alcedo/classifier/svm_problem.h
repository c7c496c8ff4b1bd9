// What all solvers share: checks, the costs of a class's sides, the stopping rule.
#pragma once

#include <string_view>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

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
