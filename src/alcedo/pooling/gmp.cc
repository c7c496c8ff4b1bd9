#include "alcedo/pooling/gmp.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/as_operator.h"
#include "alcedo/pooling/gmp_internal.h"
#include "alcedo/pooling/gmp_solver.h"

namespace alcedo {

namespace {

// Whether one solve serves both.
bool ShareSolve(const GmpOptions& a, const GmpOptions& b) {
  return a.solver == b.solver && a.tolerance == b.tolerance && a.accuracy == b.accuracy &&
         a.max_iterations == b.max_iterations && a.rank_tolerance == b.rank_tolerance;
}

// phi and the reports for absolute lambdas. The options' own lambda is one of them, or none.
GmpPath SolvePath(const Encodings& encodings, std::span<const double> lambdas,
                  const GmpOptions& options) {
  const Index count = static_cast<Index>(lambdas.size());
  const Index width = encodings.block_size();
  GmpPath path;
  path.phi = Matrix::Zero(count, encodings.dimension());
  const bool by_block = SolvedByBlock(encodings);
  const Index num_parts = by_block ? encodings.num_blocks() : 1;
  std::vector<GmpPartReport> parts(num_parts * count);  // all lambdas of a part together
  const auto reports_of = [&](Index part) { return std::span(parts).subspan(part * count, count); };
  // Rows of zeros have phi = 0; no solver needs to find that out by dividing by zero.
  if (encodings.squared_norm() > 0) {
    if (by_block) {
      ForEachBlock(encodings, options,
                   [&](GmpSolverForRows& solver, Index b, RowOperator& rows, const BlockRows&) {
                     solver.SolvePhi(rows, lambdas, path.phi.middleCols(b * width, width),
                                     reports_of(b));
                   });
    } else {
      RowOperator rows = AsOperator(encodings, options.threads);
      GmpSolverForRows(options, encodings.squared_norm())
          .SolvePhi(rows, lambdas, path.phi, reports_of(0));
    }
  }
  path.reports = CombinePath(parts, lambdas, encodings.mean_squared_norm());
  return path;
}

}  // namespace

void Check(const GmpOptions& o) {
  Require(std::isfinite(o.lambda) && o.lambda >= 0, "gmp.lambda", "finite and >= 0", o.lambda);
  Require(o.tolerance > 0 && o.tolerance < 1, "gmp.tolerance", "in (0, 1)", o.tolerance);
  Require(o.accuracy > 0, "gmp.accuracy", "> 0", o.accuracy);
  Require(o.max_iterations >= 1, "gmp.max_iterations", ">= 1", o.max_iterations);
  Require(o.rank_tolerance >= 0 && o.rank_tolerance < 1, "gmp.rank_tolerance", "in [0, 1)",
          o.rank_tolerance);
  Require(o.threads >= 1, "threads", ">= 1", o.threads);
}

std::vector<GmpOptions> ForLambdas(std::span<const double> lambdas, const GmpOptions& options) {
  std::vector<GmpOptions> path(lambdas.size(), options);
  for (std::size_t l = 0; l < path.size(); ++l) path[l].lambda = lambdas[l];
  return path;
}

GmpPath PoolGmpPath(const Encodings& encodings, std::span<const GmpOptions> path) {
  for (const GmpOptions& options : path) Check(options);
  const std::vector<double> absolute = AbsoluteLambdas(path, encodings.mean_squared_norm());
  GmpPath all;
  all.phi.resize(static_cast<Index>(path.size()), encodings.dimension());
  all.reports.resize(path.size());
  std::vector<bool> done(path.size(), false);
  for (std::size_t first = 0; first < path.size(); ++first) {
    if (done[first]) continue;
    GmpOptions options = path[first];
    std::vector<std::size_t> members;
    std::vector<double> lambdas;
    for (std::size_t i = first; i < path.size(); ++i) {
      if (done[i] || !ShareSolve(options, path[i])) continue;
      done[i] = true;
      members.push_back(i);
      lambdas.push_back(absolute[i]);
      options.threads = std::max(options.threads, path[i].threads);
    }
    GmpPath part = SolvePath(encodings, lambdas, options);
    for (std::size_t k = 0; k < members.size(); ++k) {
      all.phi.row(static_cast<Index>(members[k])) = part.phi.row(static_cast<Index>(k));
      all.reports[members[k]] = std::move(part.reports[k]);
    }
  }
  return all;
}

GmpResult PoolGmp(const Encodings& encodings, const GmpOptions& options) {
  GmpPath path = PoolGmpPath(encodings, std::span(&options, 1));
  return {path.phi.row(0).transpose(), std::move(path.reports[0])};
}

}  // namespace alcedo
