#include "alcedo/pooling/gmp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/as_operator.h"
#include "alcedo/pooling/block_rows.h"
#include "alcedo/pooling/gmp_internal.h"
#include "alcedo/pooling/gmp_solver.h"

namespace alcedo {

void CheckGmpOptions(const GmpOptions& o) {
  Require(o.tolerance > 0 && o.tolerance < 1, "gmp.tolerance", "in (0, 1)", o.tolerance);
  Require(o.accuracy > 0, "gmp.accuracy", "> 0", o.accuracy);
  Require(o.max_iterations >= 1, "gmp.max_iterations", ">= 1", o.max_iterations);
  Require(o.rank_tolerance >= 0 && o.rank_tolerance < 1, "gmp.rank_tolerance", "in [0, 1)",
          o.rank_tolerance);
  Require(o.threads >= 1, "gmp.threads", ">= 1", o.threads);
}

double AbsoluteLambda(double lambda, bool relative, double mean_squared_norm) {
  Require(std::isfinite(lambda) && lambda >= 0, "gmp.lambda", "finite and >= 0", lambda);
  const double absolute = relative ? lambda * mean_squared_norm : lambda;
  Require(std::isfinite(absolute), "gmp.lambda times the mean squared norm", "finite", absolute);
  return absolute;
}

SolveReport CombineReports(std::span<const GmpPartReport> parts, double lambda,
                           double mean_squared_norm) {
  SolveReport report;
  report.lambda = lambda;
  report.lambda_relative = mean_squared_norm > 0 ? lambda / mean_squared_norm : 0;
  double residual = 0, right = 0, solution = 0;
  bool any_cg = false, any_direct = false;
  Index solved = 0, stopped = 0, stagnated = 0;
  for (const GmpPartReport& part : parts) {
    if (part.right_norm == 0) continue;  // an empty block
    ++solved;
    (part.direct ? any_direct : any_cg) = true;
    report.iterations = std::max(report.iterations, part.iterations);
    residual = std::hypot(residual, part.residual_norm);
    right = std::hypot(right, part.right_norm);
    solution = std::hypot(solution, part.solution_norm);
    stopped += part.stop == CgReport::Stop::kMaxIterations;
    stagnated += part.stop == CgReport::Stop::kStagnated;
  }
  report.solver = any_cg && any_direct ? "cg+direct" : any_cg ? "cg" : "direct";
  report.residual = right > 0 ? residual / right : 0;
  report.error_bound = residual == 0                ? 0
                       : lambda > 0 && solution > 0 ? residual / (lambda * solution)
                                                    : std::numeric_limits<double>::infinity();
  report.converged = stopped + stagnated == 0;
  if (stopped > 0) {
    report.reason = fmt::format(
        "{} of {} blocks reached the limit of {} iterations: raise gmp.max_iterations or lambda, "
        "or use "
        "the direct solver",
        stopped, solved, report.iterations);
  } else if (stagnated > 0) {
    report.reason = fmt::format(
        "{} of {} blocks are too ill-conditioned for the accuracy asked for: raise lambda or "
        "gmp.accuracy",
        stagnated, solved);
  }
  return report;
}

std::vector<double> AbsoluteLambdas(std::span<const double> lambdas, bool relative,
                                    double mean_squared_norm) {
  std::vector<double> absolute;
  for (double lambda : lambdas) {
    absolute.push_back(AbsoluteLambda(lambda, relative, mean_squared_norm));
  }
  return absolute;
}

std::vector<SolveReport> CombinePath(std::span<const GmpPartReport> reports,
                                     std::span<const double> lambdas, double mean_squared_norm) {
  std::vector<SolveReport> path;
  std::vector<GmpPartReport> of_lambda;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    of_lambda.clear();
    for (std::size_t at = l; at < reports.size(); at += lambdas.size()) {
      of_lambda.push_back(reports[at]);
    }
    path.push_back(CombineReports(of_lambda, lambdas[l], mean_squared_norm));
  }
  return path;
}

void ForEachBlock(
    const Encodings& encodings, const GmpOptions& options,
    const std::function<void(GmpSolverForRows&, Index, RowOperator&, const BlockRows&)>& solve) {
  const BlockRows blocks(encodings);
  // A batch of blocks shares one solver's memory. Blocks do not touch each other, so how they are
  // batched cannot be seen in the result.
  const Index batches =
      options.threads == 1 ? 1 : std::min<Index>(blocks.num_blocks(), Index{8} * options.threads);
  ParallelFor(batches, options.threads, [&](Index batch) {
    GmpSolverForRows solver(options);
    std::vector<float> scratch;
    for (Index b = batch; b < blocks.num_blocks(); b += batches) {
      if (blocks.Count(b) == 0) continue;
      RowOperator rows(blocks.Gather(b, scratch), blocks.Count(b), encodings.block_size());
      solve(solver, b, rows, blocks);
    }
  });
}

GmpPath PoolGmpPath(const Encodings& encodings, std::span<const double> lambdas,
                    const GmpOptions& options) {
  CheckGmpOptions(options);
  const double mean = encodings.mean_squared_norm();
  const std::vector<double> absolute = AbsoluteLambdas(lambdas, options.relative, mean);
  const Index count = static_cast<Index>(absolute.size());
  const Index width = encodings.block_size();

  GmpPath path;
  path.phi = Matrix::Zero(count, encodings.dimension());
  const bool by_block = SolvedByBlock(encodings);
  const Index num_parts = by_block ? encodings.num_blocks() : 1;
  std::vector<GmpPartReport> parts(num_parts * count);  // all lambdas of a part together
  const auto reports_of = [&](Index part) { return std::span(parts).subspan(part * count, count); };
  // Rows of zeros have phi = 0; no solver needs to find that out by dividing by zero.
  if (count > 0 && encodings.squared_norm() > 0) {
    if (by_block) {
      ForEachBlock(encodings, options,
                   [&](GmpSolverForRows& solver, Index b, RowOperator& rows, const BlockRows&) {
                     solver.SolvePhi(rows, absolute, path.phi.middleCols(b * width, width),
                                     reports_of(b));
                   });
    } else {
      RowOperator rows = AsOperator(encodings, options.threads);
      GmpSolverForRows(options).SolvePhi(rows, absolute, path.phi, reports_of(0));
    }
  }
  path.reports = CombinePath(parts, absolute, mean);
  return path;
}

GmpResult PoolGmp(const Encodings& encodings, const GmpOptions& options) {
  GmpPath path = PoolGmpPath(encodings, std::span(&options.lambda, 1), options);
  return {path.phi.row(0).transpose(), std::move(path.reports[0])};
}

}  // namespace alcedo
