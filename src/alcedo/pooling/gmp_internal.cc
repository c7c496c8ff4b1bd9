#include "alcedo/pooling/gmp_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {

double AbsoluteLambda(const GmpOptions& options, double mean_squared_norm) {
  const double absolute = options.relative ? options.lambda * mean_squared_norm : options.lambda;
  if (!std::isfinite(absolute)) {
    throw InvalidArgument("gmp.lambda", "times the mean squared norm of the rows must be finite",
                          fmt::format("{}", absolute));
  }
  return absolute;
}

void CheckDirect(const GmpOptions& options, GmpSolver space, std::string_view purpose) {
  const GmpSolver solver = options.solver;
  if (solver == GmpSolver::kAuto || solver == GmpSolver::kDirect || solver == space) return;
  throw InvalidArgument("gmp.solver",
                        fmt::format("must be auto, direct or {} {}", Name(space), purpose),
                        std::string(Name(solver)));
}

SolveReport CombineReports(std::span<const GmpPartReport> parts, double lambda,
                           double mean_squared_norm) {
  SolveReport report;
  report.lambda = lambda;
  report.lambda_relative = mean_squared_norm > 0 ? lambda / mean_squared_norm : 0;
  double residual = 0, right = 0, solution = 0, error = 0;
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
    error = std::hypot(error, part.error_norm);
    stopped += part.stop == CgReport::Stop::kMaxIterations;
    stagnated += part.stop == CgReport::Stop::kStagnated;
  }
  report.solver = any_cg && any_direct ? "cg+direct" : any_cg ? "cg" : "direct";
  report.residual = right > 0 ? residual / right : 0;
  report.error_bound = error == 0     ? 0
                       : solution > 0 ? error / solution
                                      : std::numeric_limits<double>::infinity();
  const bool rank_unknown = lambda == 0 && any_cg;
  report.converged = stopped + stagnated == 0 && !rank_unknown;
  if (rank_unknown) {
    report.reason =
        "lambda is 0 and the rows are too many for a direct solver, which alone knows their rank";
    report.hint = {"raise lambda, or pool fewer rows", "", ""};
  } else if (stopped > 0) {
    report.reason = fmt::format("{} of {} blocks reached the limit of {} iterations", stopped,
                                solved, report.iterations);
    report.hint = {"raise lambda, use another solver, or raise", "gmp.max_iterations", ""};
  } else if (stagnated > 0) {
    report.reason = fmt::format(
        "{} of {} blocks are too ill-conditioned for the accuracy asked for", stagnated, solved);
    report.hint = {"raise lambda or", "gmp.accuracy", ""};
  }
  return report;
}

std::vector<double> AbsoluteLambdas(std::span<const GmpOptions> path, double mean_squared_norm) {
  std::vector<double> absolute;
  for (const GmpOptions& options : path) {
    absolute.push_back(AbsoluteLambda(options, mean_squared_norm));
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
    GmpSolverForRows solver(options, encodings.squared_norm());
    GatherScratch scratch;
    for (Index b = batch; b < blocks.num_blocks(); b += batches) {
      if (blocks.Count(b) == 0) continue;
      blocks.WithRows(b, scratch, [&](const auto* values) {
        RowOperator rows(values, blocks.Count(b), encodings.block_size());
        solve(solver, b, rows, blocks);
      });
    }
  });
}

BlockRows::BlockRows(const Encodings& encodings)
    : encodings_(encodings), begins_(encodings.num_blocks() + 1, 0), order_(encodings.num_rows()) {
  Require(encodings.one_block_per_row(), "entries per row", "1 to solve block by block", 0);
  const Index rows = encodings.num_rows();
  Require(rows <= std::numeric_limits<std::int32_t>::max(), "number of rows", "below 2^31",
          static_cast<double>(rows));
  for (Index n = 0; n < rows; ++n) ++begins_[encodings.Block(n) + 1];
  for (Index b = 0; b < num_blocks(); ++b) begins_[b + 1] += begins_[b];
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (Index n = 0; n < rows; ++n)
    order_[next[encodings.Block(n)]++] = static_cast<std::int32_t>(n);
}

template <class Scalar>
const Scalar* BlockRows::Gather(const Scalar* values, Index block,
                                std::vector<Scalar>& scratch) const {
  const Index count = Count(block), width = encodings_.block_size();
  const std::int32_t* order = Order(block);
  // Increasing numbers without a gap: the rows stand together.
  if (count == 0 || order[count - 1] - order[0] == count - 1) {
    return values + (count == 0 ? 0 : order[0] * width);
  }
  scratch.resize(std::max<std::size_t>(scratch.size(), count * width));
  for (Index i = 0; i < count; ++i) {
    std::copy_n(values + order[i] * width, width, scratch.data() + i * width);
  }
  return scratch.data();
}
template const float* BlockRows::Gather(const float*, Index, std::vector<float>&) const;
template const double* BlockRows::Gather(const double*, Index, std::vector<double>&) const;

double CheckKernel(const MatrixView& kernel, const std::string& name) {
  const Index size = kernel.rows();
  if (kernel.cols() != size) {
    throw InvalidArgument(fmt::format("{} must be square, got {} x {}", name, size, kernel.cols()));
  }
  const auto refuse = [&](Index row, Index column, const char* what) {
    throw InvalidArgument(fmt::format("{}: row {}, column {} is {}, {}", name, row, column,
                                      kernel(row, column), what));
  };
  double largest = 0;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (!std::isfinite(kernel(i, j))) refuse(i, j, "not a finite number");
      largest = std::max(largest, std::abs(kernel(i, j)));
    }
  }
  const double slack = 1e-5 * largest;
  const Vector norms = kernel.diagonal().cwiseMax(0).cwiseSqrt();
  for (Index i = 0; i < size; ++i) {
    if (kernel(i, i) < -slack) refuse(i, i, "a negative diagonal: not positive semi-definite");
    for (Index j = 0; j < size; ++j) {
      if (std::abs(kernel(i, j) - kernel(j, i)) > slack) refuse(i, j, "not symmetric");
      if (std::abs(kernel(i, j)) > norms[i] * norms[j] + slack) {
        refuse(i, j, "more than the diagonal allows: not positive semi-definite");
      }
    }
  }
  return slack;
}

void CheckPositive(const MatrixView& kernel, const std::string& name) {
  const double trace = kernel.trace();
  if (!(trace > 0)) return;  // all zero, by the checks above
  Matrix shifted = kernel;
  shifted.diagonal().array() += 1e-6 * trace;
  if (!blas::CholeskyFactor(shifted.data(), shifted.rows())) {
    throw InvalidArgument(name +
                          " is not positive semi-definite: it is not a kernel of dot products");
  }
}

}  // namespace alcedo
