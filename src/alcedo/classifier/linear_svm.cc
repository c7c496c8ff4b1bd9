#include "alcedo/classifier/linear_svm.h"

#include <fmt/format.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/stream_solvers.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {
namespace {

void CheckWarmStart(const LinearModel* start, Index classes, Index dimension) {
  if (start == nullptr) return;
  if (start->weights.rows() != classes || start->weights.cols() != dimension ||
      start->bias.size() != classes) {
    throw InvalidArgument(fmt::format(
        "warm start must be {} x {} weights and {} biases, got {} x {} and {}", classes, dimension,
        classes, start->weights.rows(), start->weights.cols(), start->bias.size()));
  }
  if (!start->weights.allFinite() || !start->bias.allFinite()) {
    throw InvalidArgument("warm start: weights and biases must be finite");
  }
}

SvmSolver Choose(const SvmOptions& options, Index samples, Index dimension) {
  if (options.solver != SvmSolver::kAuto) return options.solver;
  const auto n = static_cast<double>(samples);
  const double mib = n * n * sizeof(float) / (1 << 20);
  return samples <= dimension && mib <= options.max_memory_mib ? SvmSolver::kGram
                                                               : SvmSolver::kStream;
}

// The alphas of the squared hinge at w: if w is the solution, they are the dual's.
KernelModel DualStart(const LinearModel& start, const SampleSource& rows, const Targets& targets,
                      const SvmOptions& options) {
  const auto costs = CostsOfClasses(targets, options);
  KernelModel dual{Matrix::Zero(targets.rows(), targets.cols()), options.bias};
  Rows scores;
  ForEachChunk(rows, [&](const RowChunk& chunk) {
    MultiplyRows(chunk, start.weights, scores, options.threads);
    for (Index c = 0; c < targets.rows(); ++c) {
      for (Index i = 0; i < chunk.count; ++i) {
        const std::int8_t target = targets(c, chunk.begin + i);
        const double slack = 1 - target * (scores(i, c) + start.bias[c]);
        if (slack <= 0) continue;
        dual.coefficients(c, chunk.begin + i) = 2 * costs[c].Of(target) * slack * target;
      }
    }
  });
  return dual;
}

// `rows` as a source, and as what they are, of which products are made.
template <class AnyRows>
LinearModel Train(const SampleSource& source, const AnyRows& rows, const Targets& targets,
                  const SvmOptions& options, SvmReport* report, const LinearModel* warm_start) {
  SvmReport own;
  SvmReport& seen = report != nullptr ? *report : own;
  Check(options);
  CheckTargets(targets, source.rows());
  CheckWarmStart(warm_start, targets.rows(), source.dimension());
  const bool hinge = options.loss == SvmLoss::kHinge;
  if (Choose(options, source.rows(), source.dimension()) == SvmSolver::kStream) {
    CheckRows(source, "rows", options.threads);
    return hinge ? TrainByStreamedDual(source, targets, options, seen)
                 : TrainByNewton(source, targets, options, seen, warm_start);
  }
  const Rows gram = GramMatrix(rows, options.threads);
  KernelModel start;
  const bool warm = warm_start != nullptr && !hinge;
  if (warm) start = DualStart(*warm_start, source, targets, options);
  return ToLinear(TrainGramSvm(gram, targets, options, &seen, warm ? &start : nullptr), rows,
                  options.threads);
}

}  // namespace

std::vector<SvmOptions> ForPenalties(std::span<const double> cs, const SvmOptions& options) {
  std::vector<SvmOptions> path(cs.size(), options);
  for (std::size_t i = 0; i < path.size(); ++i) path[i].c = cs[i];
  return path;
}

Targets OneVsRest(std::span<const int> labels, int classes) {
  Require(classes >= 1, "number of classes", ">= 1", classes);
  Targets targets = Targets::Constant(classes, static_cast<Index>(labels.size()), -1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes) {
      throw InvalidArgument(fmt::format("label of sample {} must be from 0 to {}, got {}", i,
                                        classes - 1, labels[i]));
    }
    targets(labels[i], static_cast<Index>(i)) = 1;
  }
  return targets;
}

LinearModel TrainLinearSvm(const RowsView& rows, const Targets& targets, const SvmOptions& options,
                           SvmReport* report, const LinearModel* warm_start) {
  return Train(SourceOf(rows), rows, targets, options, report, warm_start);
}

LinearModel TrainLinearSvm(const SampleSource& rows, const Targets& targets,
                           const SvmOptions& options, SvmReport* report,
                           const LinearModel* warm_start) {
  return Train(rows, rows, targets, options, report, warm_start);
}

Matrix Scores(const LinearModel& model, const RowsView& rows, int threads) {
  if (model.bias.size() != model.weights.rows()) {
    throw InvalidArgument(
        fmt::format("the model must have a bias for each of its {} classes, got {}",
                    model.weights.rows(), model.bias.size()));
  }
  return ScoreRows(model.weights, model.bias, rows, kMostSquares, threads);
}

}  // namespace alcedo
