#include "alcedo/classifier/gram_svm.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/classifier/dual_group.h"
#include "alcedo/classifier/row_products.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {
namespace {

// Classes that are solved together: enough for fast products, few enough to share among threads.
constexpr Index kMostTogether = 48;

void CheckGram(const RowsView& gram, const KernelModel* start, Index classes) {
  const Index n = gram.rows();
  if (gram.cols() != n) {
    throw InvalidArgument(fmt::format("gram must be square, got {} x {}", n, gram.cols()));
  }
  for (Index i = 0; i < n; ++i) {
    if (!gram.row(i).allFinite()) {
      throw InvalidArgument(fmt::format("gram: row {} has a value that is not finite", i));
    }
    if (gram(i, i) < 0) {
      throw InvalidArgument(
          fmt::format("gram: the diagonal must be >= 0, got {:g} in row {}", gram(i, i), i));
    }
  }
  if (start == nullptr) return;
  if (start->coefficients.rows() != classes || start->coefficients.cols() != n) {
    throw InvalidArgument(fmt::format("warm start must be {} x {} coefficients, got {} x {}",
                                      classes, n, start->coefficients.rows(),
                                      start->coefficients.cols()));
  }
  if (!start->coefficients.allFinite()) {
    throw InvalidArgument("warm start: coefficients must be finite");
  }
}

// Of either kind of rows.
template <class AnyRows>
LinearModel SumRows(const KernelModel& model, const AnyRows& rows, Index width, int threads) {
  if (rows.rows() != model.coefficients.cols()) {
    throw InvalidArgument(fmt::format("training rows must be the {} of the model, got {}",
                                      model.coefficients.cols(), rows.rows()));
  }
  LinearModel linear;
  linear.weights = Rows::Zero(model.coefficients.rows(), width);
  linear.bias = model.bias * model.bias * model.coefficients.rowwise().sum();
  const Rows coefficients = model.coefficients.cast<float>();
  ForEachChunk(rows, [&](const RowChunk& chunk) {
    AddWeightedRows(chunk, coefficients.data() + chunk.begin, coefficients.cols(), linear.weights,
                    threads);
  });
  return linear;
}

}  // namespace

KernelModel TrainGramSvm(const RowsView& gram, const Targets& targets, const SvmOptions& options,
                         SvmReport* report, const KernelModel* warm_start) {
  CheckSvmOptions(options);
  CheckGram(gram, warm_start, targets.rows());
  CheckTargets(targets, gram.rows());
  const Index classes = targets.rows();
  SvmReport own;
  SvmReport& seen = report != nullptr ? *report : own;
  StartReport(seen, classes, SvmSolver::kGram);
  KernelModel model{Matrix::Zero(classes, gram.rows()), options.bias};
  const GramProblem problem{gram, targets, options, CostsOfClasses(targets, options)};
  const Index groups = (classes + kMostTogether - 1) / kMostTogether;
  ParallelFor(groups, options.threads, [&](Index g) {
    const Index begin = g * classes / groups, end = (g + 1) * classes / groups;
    const auto group = std::make_unique<DualGroup>(problem, begin, end - begin);
    if (warm_start != nullptr) group->Start(*warm_start);
    group->Run(seen, model.coefficients);
  });
  FinishReport(seen, options.tolerance);
  return model;
}

Matrix Scores(const KernelModel& model, const RowsView& cross_gram, int threads) {
  const Index classes = model.coefficients.rows();
  if (cross_gram.cols() != model.coefficients.cols()) {
    throw InvalidArgument(
        fmt::format("cross gram must have a column for each of the {} training "
                    "samples, got {}",
                    model.coefficients.cols(), cross_gram.cols()));
  }
  CheckRows(cross_gram.data(), cross_gram.rows(), cross_gram.cols(), cross_gram.outerStride(), 0,
            "cross gram", std::numeric_limits<double>::max());
  const Vector constant = model.bias * model.bias * model.coefficients.rowwise().sum();
  Matrix scores(cross_gram.rows(), classes);
  constexpr Index kChunk = 64;
  // In double: with a large C the terms of a score are far larger than their sum.
  ParallelFor((cross_gram.rows() + kChunk - 1) / kChunk, threads, [&](Index chunk) {
    const Index begin = chunk * kChunk, count = std::min(kChunk, cross_gram.rows() - begin);
    const Matrix products = cross_gram.middleRows(begin, count).cast<double>();
    scores.middleRows(begin, count).noalias() = products * model.coefficients.transpose();
    scores.middleRows(begin, count).rowwise() += constant.transpose();
  });
  return scores;
}

LinearModel ToLinear(const KernelModel& model, const SampleSource& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.dimension(), threads);
}

LinearModel ToLinear(const KernelModel& model, const RowsView& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.cols(), threads);
}

}  // namespace alcedo
