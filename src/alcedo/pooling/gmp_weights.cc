#include "alcedo/pooling/gmp_weights.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/as_operator.h"
#include "alcedo/linalg/mixed_cg.h"
#include "alcedo/linalg/shifted_solver.h"
#include "alcedo/pooling/gmp_internal.h"
#include "alcedo/pooling/nonnegative.h"

namespace alcedo {
namespace {

// Up to this many rows the kernel of a block is formed; beyond it non-negative weights are found
// without it.
constexpr Index kMaxKernelRows = 2048;

// lambda: the absolute one. It is 0 for rows of zeros under a relative one, which have an answer.
void CheckNonNegative(const GmpOptions& options, double lambda, double mean_squared_norm) {
  // The weights are about 1 / (mean + lambda), which must be a number.
  if (mean_squared_norm != 0 && !(mean_squared_norm >= 1e-280 && mean_squared_norm <= 1e280)) {
    throw InvalidArgument(fmt::format(
        "kernel: the mean of its diagonal must be 0 or between 1e-280 and 1e280, got {:g}",
        mean_squared_norm));
  }
  Require(options.lambda > 0, "gmp.lambda", "> 0 for non-negative weights", options.lambda);
  if (!(lambda > 0) && mean_squared_norm > 0) {
    throw InvalidArgument("gmp.lambda",
                          "times the mean squared norm of the rows must be > 0 for non-negative "
                          "weights",
                          fmt::format("{}", lambda));
  }
  if (options.solver == GmpSolver::kAuto) return;
  throw InvalidArgument("gmp.solver", "must be auto for non-negative weights",
                        std::string(Name(options.solver)));
}

// Of rows of zeros without any lambda: as without the constraint, the shortest solution.
WeightsResult NoWeights(Index num_rows) {
  WeightsResult result;
  result.weights = Vector::Zero(num_rows);
  result.report.solver = "newton";
  return result;
}

SolveReport NonNegativeReport(std::span<const NonNegativeResult> parts, double lambda,
                              double mean) {
  SolveReport report;
  report.solver = "newton";
  report.lambda = lambda;
  report.lambda_relative = mean > 0 ? lambda / mean : 0;
  double squares = 0, rows = 0, weights = 0;
  Index failed = 0;
  for (const NonNegativeResult& part : parts) {
    const double size = static_cast<double>(part.weights.size());
    report.iterations = std::max(report.iterations, part.iterations);
    squares += part.residual * part.residual * size;
    rows += size;
    weights = std::hypot(weights, part.weights.norm());
    failed += !part.converged && size > 0;
  }
  report.residual = rows > 0 ? std::sqrt(squares / rows) : 0;
  // The objective is strongly convex with modulus lambda.
  report.error_bound = weights > 0 ? std::sqrt(squares) / (lambda * weights) : 0;
  report.converged = failed == 0;
  if (failed > 0) {
    report.reason =
        fmt::format("{} of {} blocks did not reach the accuracy asked for", failed, parts.size());
    report.hint = {"raise lambda or", "gmp.tolerance", ""};
  }
  return report;
}

// What was checked to be symmetric to a tolerance, made so: solvers look at one triangle only.
Matrix Symmetric(const Matrix& kernel) { return 0.5 * (kernel + kernel.transpose()); }

// Solves (K + lambda I) a = 1.
GmpPartReport WeightsOfKernel(const Matrix& kernel, double lambda, const GmpOptions& options,
                              Vector& weights) {
  using cg_internal::Norm;
  const Index n = kernel.rows();
  ShiftedSolver direct;
  Eigen::Map<EigenMatrix>(direct.Reset(n), n, n) = kernel;
  direct.Prepare(lambda, options.rank_tolerance);
  const Vector ones = Vector::Ones(n);
  double right_norm = Norm(ones);
  const CgOptions limits{options.tolerance, options.accuracy};
  const auto target = [&](const Vector& a) {
    return lambda == 0 ? 0 : cg_internal::Target(limits, lambda, right_norm, Norm(a));
  };
  Vector r = ones;
  RefineScratch scratch;
  double norm =
      Refine([&](Vector& v) { direct.Solve(v.data()); },
             [&](const Vector& a, Vector& left) { left = ones - kernel * a - lambda * a; }, target,
             weights, r, scratch);
  double good = target(weights);
  if (lambda == 0) {
    // Least squares: K (1 - K a) = 0.
    norm = Norm(Vector(kernel * r));
    right_norm = Norm(Vector(kernel * ones));
    good = options.tolerance * right_norm;
  }
  GmpPartReport report{true, 0, norm, right_norm, Norm(weights)};
  report.error_norm = norm == 0    ? 0
                      : lambda > 0 ? norm * std::min(1 / lambda, direct.InverseNormBound())
                                   : std::numeric_limits<double>::infinity();
  const bool accurate =
      norm <= good || (lambda > 0 && norm <= options.tolerance * right_norm &&
                       report.error_norm <= options.accuracy * report.solution_norm);
  if (!accurate) report.stop = CgReport::Stop::kStagnated;
  return report;
}

struct KernelScale {
  Index rows = 0;
  double lambda = 0, mean = 0;
};

KernelScale ScaleOf(std::span<const Matrix> blocks, const GmpOptions& options) {
  Check(options);
  KernelScale scale;
  double trace = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::string name = blocks.size() == 1 ? "kernel" : fmt::format("kernel block {}", b);
    CheckKernel(blocks[b], name);
    CheckPositive(blocks[b], name);
    scale.rows += blocks[b].rows();
    trace += blocks[b].trace();
  }
  scale.mean = scale.rows > 0 ? trace / static_cast<double>(scale.rows) : 0;
  scale.lambda = AbsoluteLambda(options, scale.mean);
  return scale;
}

Vector Concatenate(std::span<const Vector> parts) {
  Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  Index at = 0;
  for (const Vector& part : parts) {
    all.segment(at, part.size()) = part;
    at += part.size();
  }
  return all;
}

}  // namespace

WeightsResult GmpWeights(const Encodings& encodings, const GmpOptions& options) {
  Check(options);
  const double mean = encodings.mean_squared_norm();
  const double lambda = AbsoluteLambda(options, mean);
  WeightsResult result;
  result.weights = Vector::Zero(encodings.num_rows());
  const bool by_block = SolvedByBlock(encodings);
  std::vector<GmpPartReport> parts(by_block ? encodings.num_blocks() : 1);
  if (encodings.num_rows() > 0) {
    if (by_block) {
      ForEachBlock(
          encodings, options,
          [&](GmpSolverForRows& solver, Index b, RowOperator& rows, const BlockRows& blocks) {
            Vector weights(rows.num_rows());
            parts[b] = solver.SolveWeights(rows, lambda, weights);
            for (Index i = 0; i < weights.size(); ++i) {
              result.weights[blocks.Order(b)[i]] = weights[i];
            }
          });
    } else {
      RowOperator rows = AsOperator(encodings, options.threads);
      parts[0] = GmpSolverForRows(options, encodings.squared_norm())
                     .SolveWeights(rows, lambda, result.weights);
    }
  }
  result.report = CombineReports(parts, lambda, mean);
  return result;
}

WeightsResult GmpWeightsNonNegative(const Encodings& encodings, const GmpOptions& options) {
  Check(options);
  const double mean = encodings.mean_squared_norm();
  const double lambda = AbsoluteLambda(options, mean);
  CheckNonNegative(options, lambda, mean);
  if (lambda == 0) return NoWeights(encodings.num_rows());
  const auto solve = [&](RowOperator& rows) {
    const Index n = rows.num_rows();
    if (n > kMaxKernelRows) return SolveNonNegative(rows, lambda, options);
    Matrix kernel(n, n);
    rows.Kernel(kernel.data());
    kernel.triangularView<Eigen::StrictlyUpper>() = kernel.transpose();
    return SolveNonNegative(kernel, lambda, options);
  };
  WeightsResult result;
  result.weights = Vector::Zero(encodings.num_rows());
  const bool by_block = SolvedByBlock(encodings);
  std::vector<NonNegativeResult> parts(by_block ? encodings.num_blocks() : 1);
  if (by_block) {
    ForEachBlock(encodings, options,
                 [&](GmpSolverForRows&, Index b, RowOperator& rows, const BlockRows& blocks) {
                   parts[b] = solve(rows);
                   for (Index i = 0; i < rows.num_rows(); ++i) {
                     result.weights[blocks.Order(b)[i]] = parts[b].weights[i];
                   }
                 });
  } else if (encodings.num_rows() > 0) {
    RowOperator rows = AsOperator(encodings, options.threads);
    parts[0] = solve(rows);
    result.weights = parts[0].weights;
  }
  result.report = NonNegativeReport(parts, lambda, mean);
  return result;
}

WeightsResult GmpWeights(std::span<const Matrix> diagonal_blocks, const GmpOptions& options) {
  CheckDirect(options, GmpSolver::kDual, "for a kernel matrix");
  const KernelScale scale = ScaleOf(diagonal_blocks, options);
  const Index count = static_cast<Index>(diagonal_blocks.size());
  std::vector<Vector> weights(count);
  std::vector<GmpPartReport> parts(count);
  ParallelFor(count, options.threads, [&](Index b) {
    parts[b] = WeightsOfKernel(Symmetric(diagonal_blocks[b]), scale.lambda, options, weights[b]);
  });
  return {Concatenate(weights), CombineReports(parts, scale.lambda, scale.mean)};
}

WeightsResult GmpWeightsNonNegative(std::span<const Matrix> diagonal_blocks,
                                    const GmpOptions& options) {
  const KernelScale scale = ScaleOf(diagonal_blocks, options);
  CheckNonNegative(options, scale.lambda, scale.mean);
  if (scale.lambda == 0) return NoWeights(scale.rows);
  const Index count = static_cast<Index>(diagonal_blocks.size());
  std::vector<NonNegativeResult> parts(count);
  ParallelFor(count, options.threads, [&](Index b) {
    parts[b] = SolveNonNegative(Symmetric(diagonal_blocks[b]), scale.lambda, options);
  });
  std::vector<Vector> weights;
  for (const NonNegativeResult& part : parts) weights.push_back(part.weights);
  return {Concatenate(weights), NonNegativeReport(parts, scale.lambda, scale.mean)};
}

WeightsResult GmpWeights(const MatrixView& kernel, const GmpOptions& options) {
  const Matrix one = kernel;
  return GmpWeights(std::span(&one, 1), options);
}

WeightsResult GmpWeightsNonNegative(const MatrixView& kernel, const GmpOptions& options) {
  const Matrix one = kernel;
  return GmpWeightsNonNegative(std::span(&one, 1), options);
}

}  // namespace alcedo
