#include "alcedo/classifier/dual_group.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"

namespace alcedo {

DualGroup::DualGroup(const GramProblem& problem, Index first, Index count)
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

double DualGroup::MostAlpha(Index c, Index i) const {
  // Products with alphas are in float.
  return Hinge() ? Costs(c).Of(Target(c)[i]) : std::numeric_limits<float>::max();
}

void DualGroup::Start(const KernelModel& start) {
  for (const Index c : active_) {
    for (Index i = 0; i < n_; ++i) {
      const double alpha = Target(c)[i] * start.coefficients(first_ + c, i);
      alpha_(c, i) = static_cast<float>(std::clamp(alpha, 0.0, MostAlpha(c, i)));
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

void DualGroup::Run(SvmReport& report, Matrix& coefficients) {
  constexpr int kPassesFirst = 2;    // before the first Newton step: they find most of the bounds
  constexpr int kDirectAfter = 100;  // products
  constexpr Index kMostDirect = 16384;  // samples: a matrix of 2 GiB
  int products = 0;                     // with the whole matrix
  bool direct = false;
  for (int pass = 0;; ++pass) {
    std::vector<Index> left;
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const Index c = active_[a];
      const double gap = Gap(c);
      report.gap[first_ + c] = gap;
      report.iterations[first_ + c] = products;
      const bool stuck = pass > 0 && !moved_[a];
      if (gap > problem_.options.tolerance && !stuck &&
          products < problem_.options.max_iterations) {
        left.push_back(c);
        continue;
      }
      for (Index i = 0; i < n_; ++i) coefficients(first_ + c, i) = Target(c)[i] * alpha_(c, i);
    }
    active_ = std::move(left);
    if (active_.empty()) return;
    if (!Hinge() && n_ <= kMostDirect && products >= kDirectAfter && !direct) {
      direct = true;  // once: what is not within the tolerance then never will be
      for (const Index c : active_) SolveDirectly(c);
      moved_.assign(active_.size(), true);
      products = std::max(products, problem_.options.max_iterations - 1);
      continue;
    }
    if (pass >= kPassesFirst && products + 1 < problem_.options.max_iterations) {
      products += NewtonStep();
    }
    Pass(pass);
    ++products;
  }
}

void DualGroup::Pass(int pass) {
  moved_.assign(active_.size(), false);
  for (const Index number : BlockOrder((n_ + kDualBlock - 1) / kDualBlock, pass)) {
    const Index begin = number * kDualBlock, size = std::min(kDualBlock, n_ - begin);
    const Index stride = problem_.gram.outerStride();
    FillDualBlock(problem_.gram.data() + begin * stride + begin, stride, size,
                  problem_.options.bias, block_);
    ShuffleBlock(block_, pass, number);
    bool any = false;
    for (std::size_t a = 0; a < active_.size(); ++a) {
      const Index c = active_[a];
      const bool changed = DescendBlock(block_, Target(c) + begin, Costs(c), problem_.options.loss,
                                        alpha_.row(c).data() + begin, scores_.row(c).data() + begin,
                                        delta_.row(static_cast<Index>(a)).data());
      moved_[a] = moved_[a] || changed;
      any = any || changed;
    }
    if (any) AddDelta(begin, size);
  }
}

void DualGroup::AddDelta(Index begin, Index size) {
  // The matrix is symmetric: its columns are the samples' products with all others, too.
  blas::MultiplyTransposed(delta_.data(), Count(), size, kDualBlock, problem_.gram.data() + begin,
                           n_, problem_.gram.outerStride(), products_.data(), n_);
  const double bias = problem_.options.bias * problem_.options.bias;
  for (Index a = 0; a < Count(); ++a) {
    const double constant = bias * delta_.row(a).head(size).cast<double>().sum();
    scores_.row(active_[a]).array() += products_.row(a).cast<double>().array() + constant;
  }
}

double DualGroup::Gap(Index c) const {
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

}  // namespace alcedo
