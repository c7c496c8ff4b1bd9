#include "alcedo/classifier/gram_svm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/classifier/dual_block.h"
#include "alcedo/classifier/row_products.h"
#include "alcedo/classifier/svm_problem.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {
namespace {

// Classes that descend together: enough of them for fast products, few enough to share among
// threads.
constexpr Index kMostTogether = 48;

struct GramProblem {
  const RowsView& gram;
  const Targets& targets;
  const SvmOptions& options;
  std::vector<SvmCosts> costs;
};

// Some classes of a problem.
class ClassGroup {
 public:
  ClassGroup(const GramProblem& problem, Index first, Index count)
      : problem_(problem),
        n_(problem.gram.rows()),
        first_(first),
        alpha_(Matrix::Zero(count, n_)),
        scores_(Matrix::Zero(count, n_)),
        delta_(count, kDualBlock),
        products_(count, n_),
        active_(count) {
    std::iota(active_.begin(), active_.end(), 0);
  }

  void Start(const KernelModel& start) {
    for (const Index c : active_) {
      for (Index i = 0; i < n_; ++i) {
        const double y = Target(c)[i];
        const double most = problem_.options.loss == SvmLoss::kHinge && y != 0
                                ? Costs(c).Of(Target(c)[i])
                                : std::numeric_limits<float>::max();
        const double alpha = y * start.coefficients(first_ + c, i);
        alpha_(c, i) = static_cast<float>(std::clamp(alpha, 0.0, most));
      }
    }
    for (Index begin = 0; begin < n_; begin += kDualBlock) {
      const Index size = std::min(kDualBlock, n_ - begin);
      for (const Index c : active_) {
        for (Index i = 0; i < size; ++i) {
          delta_(c, i) = static_cast<float>(Target(c)[begin + i] * alpha_(c, begin + i));
        }
      }
      AddDelta(begin, size);
    }
  }

  // Descends until all classes are within the tolerance, or cannot get any nearer.
  void Run(SvmReport& report, Matrix& coefficients) {
    for (int pass = 0; !active_.empty(); ++pass) {
      std::vector<Index> left;
      for (std::size_t a = 0; a < active_.size(); ++a) {
        const Index c = active_[a];
        const double gap = Gap(c);
        report.gap[first_ + c] = gap;
        report.iterations[first_ + c] = pass;
        const bool stuck = pass > 0 && !moved_[a];
        if (gap > problem_.options.tolerance && !stuck && pass < problem_.options.max_iterations) {
          left.push_back(c);
          continue;
        }
        for (Index i = 0; i < n_; ++i) {
          coefficients(first_ + c, i) = Target(c)[i] * alpha_(c, i);
        }
      }
      active_ = std::move(left);
      Pass(pass);
    }
  }

 private:
  const std::int8_t* Target(Index c) const { return problem_.targets.row(first_ + c).data(); }
  const SvmCosts& Costs(Index c) const { return problem_.costs[first_ + c]; }

  void Pass(int pass) {
    moved_.assign(active_.size(), false);
    if (active_.empty()) return;
    for (const Index number : BlockOrder((n_ + kDualBlock - 1) / kDualBlock, pass)) {
      const Index begin = number * kDualBlock, size = std::min(kDualBlock, n_ - begin);
      const Index stride = problem_.gram.outerStride();
      FillDualBlock(problem_.gram.data() + begin * stride + begin, stride, size,
                    problem_.options.bias, block_);
      ShuffleBlock(block_, pass, number);
      bool any = false;
      for (std::size_t a = 0; a < active_.size(); ++a) {
        const Index c = active_[a];
        const bool changed = DescendBlock(block_, Target(c) + begin, Costs(c),
                                          problem_.options.loss, alpha_.row(c).data() + begin,
                                          scores_.row(c).data() + begin, delta_.row(a).data());
        moved_[a] = moved_[a] || changed;
        any = any || changed;
      }
      if (any) AddDelta(begin, size);
    }
  }

  // The first rows of delta_ are the active classes' changes of the samples from `begin` on.
  void AddDelta(Index begin, Index size) {
    const auto count = static_cast<Index>(active_.size());
    // The matrix is symmetric: its columns are the samples' products with all others, too.
    blas::MultiplyTransposed(delta_.data(), count, size, kDualBlock, problem_.gram.data() + begin,
                             n_, problem_.gram.outerStride(), products_.data(), n_);
    const double bias = problem_.options.bias * problem_.options.bias;
    for (Index a = 0; a < count; ++a) {
      const double constant = bias * delta_.row(a).head(size).cast<double>().sum();
      scores_.row(active_[a]).array() += products_.row(a).cast<double>().array() + constant;
    }
  }

  double Gap(Index c) const {
    DualSums sums;
    AddDualSums(n_, Target(c), Costs(c), problem_.options.loss, alpha_.row(c).data(),
                scores_.row(c).data(), sums);
    double squares = 0, terms = 0;  // |w|^2, and what rounding may make of it
    for (Index i = 0; i < n_; ++i) {
      const double term = Target(c)[i] * alpha_(c, i) * scores_(c, i);
      squares += term;
      terms += std::abs(term);
    }
    if (!std::isfinite(squares + sums.losses) || squares < -1e-3 * terms) {
      throw InvalidArgument(
          "gram must be a matrix of products (symmetric, no negative eigenvalues): the descent "
          "does "
          "not converge");
    }
    return RelativeGap(squares / 2 + sums.losses, sums.duals - squares / 2);
  }

  const GramProblem& problem_;
  Index n_, first_;
  Matrix alpha_, scores_;
  Rows delta_, products_;
  std::vector<Index> active_;
  std::vector<char> moved_;
  DualBlock block_;
};

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
    const auto group = std::make_unique<ClassGroup>(problem, begin, end - begin);
    if (warm_start != nullptr) group->Start(*warm_start);
    group->Run(seen, model.coefficients);
  });
  FinishReport(seen, options.tolerance);
  return model;
}

Matrix Scores(const KernelModel& model, const RowsView& cross_gram, int threads) {
  const Vector constant = model.bias * model.bias * model.coefficients.rowwise().sum();
  return ScoreRows(model.coefficients.cast<float>(), constant, cross_gram,
                   std::numeric_limits<double>::max(), threads);
}

LinearModel ToLinear(const KernelModel& model, const SampleSource& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.dimension(), threads);
}

LinearModel ToLinear(const KernelModel& model, const RowsView& training_rows, int threads) {
  return SumRows(model, training_rows, training_rows.cols(), threads);
}

}  // namespace alcedo
